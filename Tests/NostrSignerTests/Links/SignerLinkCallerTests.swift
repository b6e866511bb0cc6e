import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import NostrSigner

private let alice = TestPerson.alice
private let bob = TestPerson.bob
private let now = Timestamp(seconds: 1_700_000_000)
private let draft = EventDraft(kind: 1, tags: [["t", "a&b"]], content: "50% + ü", createdAt: now)

@Suite("Asking other signers by links")
struct SignerLinkCallerTests {
    private func caller() throws -> SignerLinkCaller {
        try SignerLinkCaller(callback: "https://e.com/cb?s=1", name: "My + App", page: "https://e.com")
    }

    @Test("what it asks is what a signer reads, in every convention", arguments: LinkEnvelope.Convention.allCases)
    func asks(convention: LinkEnvelope.Convention) throws {
        let signer = SignerApp(name: "x", address: .scheme("nostrsigner"), convention: convention)
        let actions: [SignerLink.Action] = [
            .publicKey([]), .signing(draft, by: alice.publicKey), .encrypt("a+b ü", for: bob.publicKey, .nip44),
            .decrypt("A+/=?iv=b", from: bob.publicKey, .nip04), .decryptZap(#"{"kind":9734}"#),
        ]
        for (index, action) in actions.enumerated() {
            var caller = try caller()
            var options = SignerLinkCaller.Options()
            options.user = alice.publicKey
            options.isCompressed = index % 2 == 1
            let text = caller.ask(action, of: signer, id: "\(index)", options, at: now)
            guard case .request(let link) = SignerLink.read(text) else {
                Issue.record("\(text) is no request")
                continue
            }
            #expect(link.action == action)
            #expect(link.envelope.convention == convention)
            #expect(link.currentUser == alice.publicKey)
            #expect(link.envelope.app == .link("https://e.com/cb"))
            #expect(link.envelope.isCompressed == options.isCompressed)
            if convention == .nip155 { #expect(link.envelope.claims.name == "My + App") }
        }
    }

    @Test(
        "reads back what a signer answers",
        arguments: LinkEnvelope.Convention.allCases.flatMap { [($0, false), ($0, true)] })
    func answers(convention: LinkEnvelope.Convention, isCompressed: Bool) async throws {
        let signer = SignerApp(name: "x", address: .scheme("nostrsigner"), convention: convention)
        let event = try await LocalSigner(alice.secretKey).sign(draft)
        let cases: [(SignerLink.Action, LinkResult, SignerLinkCaller.Reply)] = [
            (
                .publicKey([RemotePermission(.nip44Decrypt)]),
                .publicKey(alice.publicKey, granted: [RemotePermission(.nip44Decrypt)]),
                .publicKey(
                    alice.publicKey, signer: convention == .nip155 ? "signer" : nil,
                    granted: convention == .nip155 ? [RemotePermission(.nip44Decrypt)] : [])
            ),
            (.signing(draft), .signed(event), .signed(event)),
            (.encrypt("a", for: bob.publicKey, .nip44), .text("+/= ü&"), .text("+/= ü&")),
        ]
        for (action, result, reply) in cases {
            var caller = try caller()
            var options = SignerLinkCaller.Options()
            options.isCompressed = isCompressed
            guard
                case .request(let link) = SignerLink.read(caller.ask(action, of: signer, id: "7", options, at: now)),
                case .open(let url) = link.answer(result, signer: "signer").delivery
            else {
                Issue.record("no answer")
                continue
            }
            #expect(caller.receive(url, at: now)?.reply == reply)
            #expect(caller.receive(url, at: now) == nil)
        }
    }

    @Test("reads errors and cancellations")
    func errors() throws {
        for convention in [LinkEnvelope.Convention.nip155, .dip05] {
            var caller = try caller()
            let signer = SignerApp(name: "x", address: .scheme("nostrsigner"), convention: convention)
            let text = caller.ask(.signing(draft), of: signer, id: "7", at: now)
            guard case .request(let link) = SignerLink.read(text),
                case .open(let url) = link.envelope.refusal(LinkError(.refused(.person))).delivery,
                case .refused(let error)? = caller.receive(url, at: now)?.reply
            else {
                Issue.record("no refusal")
                continue
            }
            #expect(error.code == .userCancelled)
        }
        var caller = try caller()
        _ = caller.ask(.signing(draft), of: .shared, id: "7", at: now)
        let cancel = caller.receive("https://e.com/cb?s=1&signer=cancel&request=7", at: now)
        #expect(cancel?.reply == .refused(LinkError(.refused(.person))))
    }

    @Test("believes only answers to what it asked, that say what was asked, in time")
    func hostile() async throws {
        let other = EventDraft(kind: 1, tags: [["t", "a&b"]], content: "something else", createdAt: now)
        let wrong = String(decoding: try await LocalSigner(alice.secretKey).sign(other).json, as: UTF8.self)
        let right = String(decoding: try await LocalSigner(bob.secretKey).sign(draft).json, as: UTF8.self)
        var options = SignerLinkCaller.Options()
        options.user = alice.publicKey
        for json in [wrong, right, "{}", ""] {
            var caller = try caller()
            _ = caller.ask(.signing(draft), of: .shared, id: "7", options, at: now)
            let url = "https://e.com/cb?s=1&signer=success&request=7&event=\(PercentEncoding.encode(json))"
            guard case .refused(let error)? = caller.receive(url, at: now)?.reply else {
                Issue.record("\(json) is believed")
                continue
            }
            #expect(error.code == .internalError)
        }
        var caller = try caller()
        _ = caller.ask(.publicKey([]), of: .shared, id: "7", at: now)
        let good = "https://e.com/cb?s=1&signer=success&request=7&pubkey=\(alice.publicKey.hex)"
        #expect(caller.receive(good.replacing("e.com", with: "f.com"), at: now) == nil)
        #expect(caller.receive(good.replacing("request=7", with: "request=8"), at: now) == nil)
        #expect(caller.receive(good + "&id=8", at: now) == nil)
        #expect(caller.receive(good, at: now + .seconds(300)) == nil)
        Noise.run(Array(good.utf8), rounds: 1000) { bytes in
            var copy = caller
            // Only that it returns matters here.
            _ = copy.receive(String(decoding: bytes, as: UTF8.self), at: now)
        }
        #expect(caller.receive(good, at: now) != nil)
    }

    @Test("offers the signers that the system has")
    func chooser() async {
        let apps = await SignerApp.available(by: FakeOpener(schemes: ["nostrsigner"]))
        #expect(apps.map(\.name) == ["Amber", "Damus", nil])
        #expect(await SignerApp.available(by: FakeOpener(schemes: [])).isEmpty)
    }
}

private struct FakeOpener: URLOpening {
    let schemes: Set<String>

    func open(_ url: String) {}
    func canOpen(_ url: String) -> Bool { schemes.contains(String(url.prefix { $0 != ":" })) }
}
