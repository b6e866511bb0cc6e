import NostrCore
import NostrTesting
import Testing

@testable import NostrRelay

@Suite("Authentication with a relay")
struct AuthenticationTests {
    let notes = Filter(kinds: [1])
    let answer = TestPerson.alice.event("", kind: 22_242)
    let required = Reason(.authRequired, "who are you")

    @Test("without consent an auth-required ends the query and nothing is signed")
    func never() throws {
        var bench = try SessionBench(consent: .never)
        _ = bench.fetch([notes])
        let request = try #require(bench.connect().requests.first)
        #expect(bench.receive(.auth(challenge: "c")) == [])
        #expect(bench.receive(.closed(request.id, required)) == [.ended(bench.query, .closed(required))])
    }

    @Test("with consent the request goes out again only after the relay's OK")
    func retries() throws {
        var bench = try SessionBench(consent: .ask)
        _ = bench.fetch([notes])
        let request = try #require(bench.connect().requests.first)
        #expect(bench.receive(.auth(challenge: "c")) == [])
        #expect(bench.receive(.closed(request.id, required)) == [.sign(challenge: "c")])
        #expect(bench.session.didSign(answer, challenge: "c", now: bench.now) == [.send(.auth(answer.unverified))])
        let actions = bench.receive(.ok(answer.id, accepted: true, Reason(nil, "")))
        #expect(actions.requests.map(\.filters) == [request.filters])
        // Once known, a relay that still refuses is believed.
        let again = try #require(actions.requests.first)
        #expect(bench.receive(.closed(again.id, required)) == [.ended(bench.query, .closed(required))])
    }

    @Test("a challenge that comes after the refusal is answered too")
    func challengeLater() throws {
        var bench = try SessionBench(consent: .ask)
        _ = bench.fetch([notes])
        let request = try #require(bench.connect().requests.first)
        #expect(bench.receive(.closed(request.id, required)) == [])
        #expect(bench.receive(.auth(challenge: "c")) == [.sign(challenge: "c")])
    }

    @Test("a relay of one's own is answered at once")
    func allowed() throws {
        var bench = try SessionBench(consent: .allow)
        _ = bench.subscribe([notes])
        _ = bench.connect()
        #expect(bench.receive(.auth(challenge: "c")) == [.sign(challenge: "c")])
        #expect(bench.receive(.auth(challenge: "c")) == [])
    }

    @Test(
        "no consent, no OK, no answer and no challenge all end what waited",
        arguments: [
            ("declined", RelayEnding.unauthenticated(.notSigned)), ("refused", .closed(Reason(.restricted, "no"))),
            ("silent", .unauthenticated(.noAnswer)), ("no challenge", .unauthenticated(.noChallenge)),
        ])
    func failures(way: String, ending: RelayEnding) throws {
        var bench = try SessionBench(consent: .ask)
        _ = bench.session.open(bench.query, [notes], .once(until: .seconds(100)), now: bench.now)
        let request = try #require(bench.connect().requests.first)
        if way != "no challenge" { _ = bench.receive(.auth(challenge: "c")) }
        _ = bench.receive(.closed(request.id, required))
        let actions: [SessionAction]
        switch way {
        case "declined": actions = bench.session.didSign(nil, challenge: "c", now: bench.now)
        case "refused":
            _ = bench.session.didSign(answer, challenge: "c", now: bench.now)
            actions = bench.receive(.ok(answer.id, accepted: false, Reason(.restricted, "no")))
        case "silent":
            _ = bench.session.didSign(answer, challenge: "c", now: bench.now)
            #expect(bench.session.nextDeadline == .seconds(10))
            actions = bench.tick(after: .seconds(10))
        default:
            #expect(bench.session.nextDeadline == .seconds(10))
            actions = bench.tick(after: .seconds(10))
        }
        #expect(actions.first == .ended(bench.query, ending))
    }

    @Test("an offered event waits for authentication as well, once")
    func publishing() throws {
        var bench = try SessionBench(consent: .allow)
        let note = TestPerson.alice.event("hello")
        let id = PublishID(number: 7)
        _ = bench.session.publish(id, note, until: .seconds(100), now: bench.now)
        #expect(bench.connect() == [.send(.event(note.unverified))])
        _ = bench.receive(.auth(challenge: "c"))
        #expect(bench.receive(.ok(note.id, accepted: false, required)) == [])
        _ = bench.session.didSign(answer, challenge: "c", now: bench.now)
        #expect(bench.receive(.ok(answer.id, accepted: true, Reason(nil, ""))) == [.send(.event(note.unverified))])
        let actions = bench.receive(.ok(note.id, accepted: false, required))
        #expect(actions == [.published(id, .rejected(required))])
    }

    @Test("of a thousand challenges a few are signed, one at a time")
    func manyChallenges() throws {
        var bench = try SessionBench(consent: .allow)
        _ = bench.subscribe([notes])
        _ = bench.connect()
        var signed = 0
        for number in 0..<1000 {
            let actions = bench.receive(.auth(challenge: "c\(number)"))
            guard actions == [.sign(challenge: "c\(number)")] else { continue }
            signed += 1
            #expect(bench.receive(.auth(challenge: "another")) == [])
            _ = bench.session.didSign(answer, challenge: "c\(number)", now: bench.now)
            _ = bench.receive(.ok(answer.id, accepted: true, Reason(nil, "")))
        }
        #expect(signed == RelaySession.mostSignatures)
    }

    @Test("an answer that is taken back ends the connection on which it was given")
    func takenBack() throws {
        var bench = try SessionBench(consent: .allow)
        _ = bench.subscribe([notes])
        _ = bench.connect()
        _ = bench.receive(.auth(challenge: "c"))
        _ = bench.session.didSign(answer, challenge: "c", now: bench.now)
        _ = bench.receive(.ok(answer.id, accepted: true, Reason(nil, "")))
        #expect(bench.session.consents(.never, now: bench.now) == [.disconnect])
    }

    @Test("a yes that comes late asks at once again what was refused until then", arguments: 0...4)
    func lateYes(rests: Int) throws {
        var bench = try SessionBench(consent: .never)
        _ = bench.subscribe([notes])
        var request = try #require(bench.connect().requests.first)
        _ = bench.receive(.auth(challenge: "c"))
        _ = bench.receive(.closed(request.id, required))
        // After the last of these rests nothing is asked on this connection any more.
        for wait in [120, 240, 480, 960].prefix(rests) {
            request = try #require(bench.tick(after: .seconds(wait)).requests.first)
            _ = bench.receive(.closed(request.id, required))
        }
        #expect(bench.session.consents(.allow, now: bench.now) == [.sign(challenge: "c")])
        _ = bench.session.didSign(answer, challenge: "c", now: bench.now)
        let again = bench.receive(.ok(answer.id, accepted: true, Reason(nil, "")))
        #expect(again.requests.map(\.filters) == [[notes]])
        #expect(bench.session.consents(.allow, now: bench.now) == [])
    }

    @Test("what a relay answers goes on while another question gets its yes")
    func yesBesideOthers() throws {
        var bench = try SessionBench(consent: .never)
        _ = bench.subscribe([notes])
        let request = try #require(bench.connect().requests.first)
        _ = bench.receive(.auth(challenge: "c"))
        _ = bench.receive(.closed(request.id, required))
        let other = QueryID(number: 2)
        let open = try #require(bench.fetch([notes], as: other).requests.first)
        #expect(bench.session.consents(.ask, now: bench.now) == [.sign(challenge: "c")])
        #expect(bench.receive(.eose(open.id)).contains(.ended(other, .complete)))
    }

    @Test("a relay that refused without a challenge is asked again, and gives it then")
    func yesBeforeChallenge() throws {
        var bench = try SessionBench(consent: .never)
        _ = bench.subscribe([notes])
        let request = try #require(bench.connect().requests.first)
        _ = bench.receive(.closed(request.id, required))
        let again = try #require(bench.session.consents(.allow, now: bench.now).requests.first)
        #expect(again.filters == [notes])
        _ = bench.receive(.closed(again.id, required))
        #expect(bench.receive(.auth(challenge: "c")) == [.sign(challenge: "c")])
    }

    @Test("a no that comes before the challenge does not leave a question waiting for it when the yes comes")
    func takenBackUnasked() throws {
        var bench = try SessionBench(consent: .ask)
        _ = bench.subscribe([notes])
        let request = try #require(bench.connect().requests.first)
        #expect(bench.receive(.closed(request.id, required)) == [])
        #expect(
            bench.session.consents(.never, now: bench.now).contains {
                if case .interrupted = $0 { true } else { false }
            })
        #expect(bench.receive(.auth(challenge: "c")) == [])
        #expect(bench.session.consents(.ask, now: bench.now) == [.sign(challenge: "c")])
    }

    @Test("a yes that is taken back while the signer is at it is not sent")
    func takenBackEarly() throws {
        var bench = try SessionBench(consent: .allow)
        _ = bench.subscribe([notes])
        _ = bench.connect()
        _ = bench.receive(.auth(challenge: "c"))
        _ = bench.session.consents(.never, now: bench.now)
        #expect(bench.session.didSign(answer, challenge: "c", now: bench.now) == [])
    }

    @Test("a reader who knows that nothing comes hears all the same that the relay asks who reads")
    func askedLater() throws {
        var bench = try SessionBench(consent: .never)
        _ = bench.subscribe([notes])
        let away = bench.session.didFailToConnect(.refused, now: bench.now)
        #expect(away.first == .interrupted(bench.query, .failed(.refused)))
        let request = try #require(bench.connect().requests.first)
        #expect(bench.receive(.closed(request.id, required)) == [.interrupted(bench.query, .closed(required))])
    }

    @Test(
        "when what signs is back, a relay is connected to anew that nothing was signed for", arguments: [true, false])
    func signerIsBack(hasSigned: Bool) throws {
        var bench = try SessionBench(consent: .ask)
        _ = bench.subscribe([notes])
        let request = try #require(bench.connect().requests.first)
        _ = bench.receive(.auth(challenge: "c"))
        _ = bench.receive(.closed(request.id, required))
        _ = bench.session.didSign(hasSigned ? answer : nil, challenge: "c", now: bench.now)
        if hasSigned { _ = bench.receive(.ok(answer.id, accepted: false, Reason(.restricted, "members only"))) }
        #expect(bench.session.consents(.ask, now: bench.now) == (hasSigned ? [] : [.disconnect]))
    }

    @Test("a yes leaves a connection alone on which nothing was refused")
    func needlessYes() throws {
        var bench = try SessionBench(consent: .never)
        _ = bench.subscribe([notes])
        _ = bench.connect()
        _ = bench.receive(.auth(challenge: "c"))
        #expect(bench.session.consents(.ask, now: bench.now) == [])
        #expect(bench.session.consents(.allow, now: bench.now) == [.sign(challenge: "c")])
    }

    @Test("a signature that comes after the connection broke is not sent")
    func stale() throws {
        var bench = try SessionBench(consent: .allow)
        _ = bench.subscribe([notes])
        _ = bench.connect()
        _ = bench.receive(.auth(challenge: "c"))
        _ = bench.session.didDisconnect(nil, now: bench.now)
        #expect(bench.session.didSign(answer, challenge: "c", now: bench.now) == [])
    }
}
