import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import NostrSigner

private let note = #"{"id":"1","method":"sign_event","params":["{\"kind\":1,\"content\":\"hello\"}"]}"#
private let follows = #"{"id":"1","method":"sign_event","params":["{\"kind\":3,\"content\":\"\"}"]}"#
private let ping = #"{"id":"1","method":"ping","params":[]}"#
private let logout = #"{"id":"1","method":"logout","params":[]}"#

/// A failure of the disk.
private struct DiskFull: Error {}

@Suite("The steps of a request to the signer")
struct SigningPipelineTests {
    enum End: Hashable, Sendable { case dropped(RequestRejection), answer, waiting, known, locked, failed }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var request = note
        var trust: TrustLevel? = .medium
        var change: @Sendable (inout PipelineWalk) -> Void = { _ in }
        var path: [String]
        var end: End
    }

    static let cases: [Case] = [
        Case(
            testDescription: "what is trusted is done, and kept before it is answered",
            path: ["open", "admit", "perform", "seal", "record", "end"], end: .answer),
        Case(
            testDescription: "what is harmless needs no keeping", request: ping, path: ["open", "seal", "end"],
            end: .answer),
        Case(
            testDescription: "what is not trusted is explained and waits", trust: .low,
            path: ["open", "admit", "explain", "wait", "end"], end: .waiting),
        Case(
            testDescription: "what replaces a list is explained even when it is trusted", request: follows,
            trust: .full,
            path: ["open", "admit", "explain", "perform", "seal", "record", "end"], end: .answer),
        Case(
            testDescription: "what loses much waits whatever the trust", request: follows, trust: .full,
            change: { $0.report.losesMuch = true }, path: ["open", "admit", "explain", "wait", "end"], end: .waiting),
        Case(
            testDescription: "what nobody can look up waits whatever the trust", request: follows, trust: .full,
            change: { $0.report.isBlind = true }, path: ["open", "admit", "explain", "wait", "end"], end: .waiting),
        Case(
            testDescription: "an app with a page to decide on is told of it", trust: .low,
            change: { $0.context.approvalPage = { _ in "https://home.example" } },
            path: ["open", "admit", "explain", "wait", "seal", "end"], end: .waiting),
        Case(
            testDescription: "what does not decrypt is dropped",
            change: { $0.openingFails = RequestRejection.unreadable },
            path: ["open", "end"], end: .dropped(.unreadable)),
        Case(
            testDescription: "what is no request is dropped", request: "[]", path: ["open", "end"],
            end: .dropped(.unreadable)),
        Case(
            testDescription: "a request without a method is told so", request: #"{"id":"1","params":[]}"#,
            path: ["open", "seal", "end"], end: .answer),
        Case(
            testDescription: "a paired app's request is kept unread while the key is locked",
            change: { $0.openingFails = SigningFailure.locked }, path: ["open", "admit", "wait", "end"], end: .waiting),
        Case(
            testDescription: "a request that cannot be read is not kept when too many wait",
            change: {
                $0.openingFails = SigningFailure.locked
                $0.admission = .failure(SignerRecordsError.tooManyWaiting)
            }, path: ["open", "admit", "end"], end: .dropped(.tooMany)),
        Case(
            testDescription: "an answer that is too long for its app is an error it can read",
            change: { $0.sealing = .failure(PayloadError.tooLong(limit: 65_535)) },
            path: ["open", "admit", "perform", "seal", "seal", "end"], end: .failed),
        Case(
            testDescription: "a stranger's request is kept in memory while the key is locked", trust: nil,
            change: { $0.openingFails = SigningFailure.locked }, path: ["open", "end"], end: .waiting),
        Case(
            testDescription: "a key that is slow lets the request come again",
            change: { $0.openingFails = SigningFailure.timedOut }, path: ["open", "end"], end: .failed),
        Case(
            testDescription: "a stranger is told that it is not paired", trust: nil, path: ["open", "seal", "end"],
            end: .answer),
        Case(
            testDescription: "a stranger that logs out hears nothing", request: logout, trust: nil,
            path: ["open", "end"], end: .dropped(.tooMany)),
        Case(
            testDescription: "an app that logs out is forgotten before it hears so", request: logout,
            path: ["open", "seal", "depart", "end"], end: .answer),
        Case(
            testDescription: "a request under way is not begun again", change: { $0.admission = .success(.underWay) },
            path: ["open", "admit", "end"], end: .known),
        Case(
            testDescription: "a request answered before gets the same answer",
            change: { $0.admission = .success(.answered("before")) }, path: ["open", "admit", "end"], end: .answer),
        Case(
            testDescription: "a disk that fails at the door leaves the request to come again",
            change: { $0.admission = .failure(DiskFull()) }, path: ["open", "admit", "end"], end: .failed),
        Case(
            testDescription: "an answer that is not durable is not given",
            change: { $0.recording = .failure(DiskFull()) },
            path: ["open", "admit", "perform", "seal", "record", "end"], end: .failed),
        Case(
            testDescription: "a key that is locked before it signs makes the request wait",
            change: { $0.performing = .failure(SigningFailure.locked) },
            path: ["open", "admit", "perform", "wait", "end"], end: .waiting),
        Case(
            testDescription: "a key that is locked before it seals makes the request wait",
            change: { $0.sealing = .failure(SigningFailure.locked) },
            path: ["open", "admit", "perform", "seal", "wait", "end"], end: .waiting),
        Case(
            testDescription: "a key that does not sign in time is told to the app",
            change: { $0.performing = .failure(SigningFailure.timedOut) },
            path: ["open", "admit", "perform", "seal", "record", "end"], end: .answer),
        Case(
            testDescription: "too many that wait is told to the app", trust: .low,
            change: { $0.waiting = .failure(SignerRecordsError.tooManyWaiting) },
            path: ["open", "admit", "explain", "wait", "seal", "record", "end"], end: .answer),
    ]

    @Test("lead where they should", arguments: cases)
    func leads(to expected: Case) throws {
        var walk = PipelineWalk(trust: expected.trust)
        expected.change(&walk)
        let end = try walk.walk(expected.request)
        #expect(walk.path == expected.path)
        #expect(End(end) == expected.end)
    }

    @Test("tell others only what is durable")
    func signals() throws {
        var walk = PipelineWalk()
        walk.recording = .failure(DiskFull())
        _ = try walk.walk(note)
        #expect(!walk.state.signals.contains(.changed(.activity)))
        let event = try PipelineWalk.verified(note).event.id
        #expect(walk.state.hasUnfinished && walk.state.progress.phase(of: event) == nil)
        walk.recording = .success(())
        _ = try walk.walk(note)
        #expect(walk.state.signals.contains(.changed(.activity)))
        #expect(walk.state.clients[PipelineWalk.bob]?.requests == 1)
    }

    @Test("a copy by another relay is not begun again, and one whose answer no relay took is answered again")
    func copies() throws {
        var walk = PipelineWalk()
        guard case .answer(let answer) = try walk.walk(note) else {
            Issue.record("no answer")
            return
        }
        #expect(try walk.walk(note, by: rigRelay("two")) == .known)
        walk.state.progress.set(answer.request, .answered(undelivered: answer.content))
        // It goes to the other relay, too, which has brought the request since.
        let relays = [PipelineWalk.relay, rigRelay("two")].sorted()
        let again = OutgoingAnswer(
            request: answer.request, client: answer.client, content: answer.content, relays: relays)
        #expect(try walk.walk(note) == .answer(again))
    }

    @Test("an app that sends the same event again is given the answer of before, a few times")
    func sentAgain() throws {
        var walk = PipelineWalk()
        guard case .answer(let answer) = try walk.walk(note) else {
            Issue.record("no answer")
            return
        }
        walk.admission = .success(.answered(answer.content))
        var answered = 0
        for _ in 0..<20 {
            if case .answer(let again) = try walk.walk(note) {
                #expect(again.content == answer.content)
                answered += 1
            }
        }
        #expect(answered == 8)
        #expect(walk.path.count { $0 == "perform" } == 1)
        // What a relay tells anew of an hour ago, nobody waits for.
        _ = try walk.walk(note, after: -3600)
        #expect(try walk.walk(note, after: -3600) == .known)
    }

    @Test("an app with the secret is paired once, and the secret is used up")
    func pairing() throws {
        var walk = PipelineWalk(trust: nil)
        walk.state.secret = InvitationSecret("let me in", trust: .low)
        let connect = #"{"id":"1","method":"connect","params":["\#(PipelineWalk.alice.hex)","let me in"]}"#
        #expect(End(try walk.walk(connect)) == .answer)
        #expect(walk.path == ["open", "checkSecret", "renewSecret", "keepApp", "seal", "end"])
        #expect(walk.state.clients[PipelineWalk.bob]?.relays == [PipelineWalk.relay])
        #expect(walk.state.clients[PipelineWalk.bob]?.trust == .low, "as the token said")
        #expect(walk.state.secret?.text == "fresh" && walk.state.signals.contains(.relaysChanged))
        // The same secret again lets nobody in, and costs a paired app nothing.
        #expect(End(try walk.walk(connect, after: 1)) == .answer)
        #expect(walk.path.suffix(4) == ["open", "checkSecret", "seal", "end"])
        #expect(walk.state.secret?.text == "fresh")
    }

    @Test("an app that logged out and did not hear so is answered again, when it sends the same event again")
    func logoutAgain() throws {
        var walk = PipelineWalk()
        guard case .answer(let farewell) = try walk.walk(logout) else {
            Issue.record("no answer")
            return
        }
        #expect(walk.state.clients.isEmpty)
        #expect(try walk.walk(logout, by: rigRelay("two")) == .known, "another relay's copy is no question")
        #expect(try walk.walk(logout) == .answer(farewell))
        #expect(try walk.walk(logout, after: 1) != .answer(farewell), "it is a stranger by now")
    }

    @Test("the person's yes to a locked key is told to the person, and the request goes on waiting")
    func locked() throws {
        var walk = PipelineWalk(trust: .low)
        #expect(try walk.walk(note) == .waiting)
        let pending = try #require(walk.state.pending.all.first)
        walk.performing = .failure(SigningFailure.locked)
        let step = PerformingStep(request: try #require(pending.request), rule: .person, report: nil)
        #expect(walk.walk(from: .perform(step)) == .locked)
        #expect(walk.state.pending[pending.kept.event] != nil)
        walk.performing = .success(RequestResult(text: "signed"))
        #expect(End(walk.walk(from: .perform(step))) == .answer)
        #expect(walk.state.pending.all.isEmpty)
        // What the person allowed counts among the uses of the hour.
        #expect(walk.state.uses[PipelineWalk.bob]?.count() == 1)
    }
}

extension SigningPipelineTests.End {
    init(_ end: RequestEnd) {
        self =
            switch end {
            case .dropped(let why): .dropped(why)
            case .answer: .answer
            case .waiting: .waiting
            case .known: .known
            case .locked: .locked
            case .failed: .failed
            }
    }
}
