import Foundation
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrTesting
import Testing

/// An app that is not ours.
enum PeerApp: String, CaseIterable, CustomTestStringConvertible {
    case sdk = "sdk_app.py"
    case monstr = "monstr_app.py"
    /// Written by hand; it reads answers as nostr-tools does.
    case plain = "plain_app.py"

    var testDescription: String {
        switch self {
        case .sdk: "nostr-sdk"
        case .monstr: "monstr"
        case .plain: "by hand"
        }
    }
}

@Suite(
    "Our signer and apps of others", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Peer.isWanted, "run scripts/peers.sh to test against programs that are not ours"))
struct SignerAgainstPeersTests {
    private let alice = TestPerson.alice.publicKey
    private let bob = TestPerson.bob

    @Test(
        "an app pairs with our token and does all it can, also after one of two relays died",
        arguments: PeerApp.allCases)
    func token(_ app: PeerApp) async throws {
        try await withTwoRelays { first, second in
            try await OwnSigner.run(on: [first.address, second.address]) { signer in
                try await Peer.run(app.rawValue) { peer, _ in
                    let token = try await signer.service.invitation().uri
                    #expect(try await peer.ask(["token", token.text]) == ["paired", alice.hex])
                    try await signer.trustAll()
                    try await everything(app, peer)
                    first.stop()
                    try await everything(app, peer)
                    // The secret is used up: it lets nobody else in.
                    #expect(try await signer.service.invitation().uri.secret != token.secret)
                }
            }
        }
    }

    @Test("our signer answers an app's token, also after one of two relays died", arguments: PeerApp.allCases)
    func invitation(_ app: PeerApp) async throws {
        try await withTwoRelays { first, second in
            try await OwnSigner.run(on: [first.address, second.address]) { signer in
                try await Peer.run(app.rawValue) { peer, _ in
                    let words = try await peer.ask(["invite", first.address.text, second.address.text])
                    let uri = try NostrConnectURI(try #require(words.last))
                    let outcome = try await signer.service.accept(uri, name: nil, trust: .full, grants: [])
                    #expect(!outcome.told.isEmpty)
                    #expect(try await peer.ask(["await"]) == ["paired", alice.hex])
                    try await everything(app, peer)
                    second.stop()
                    try await everything(app, peer)
                }
            }
        }
    }

    /// How an app came to be paired.
    enum Way: CaseIterable {
        case token, invitation
    }

    @Test(
        "each app reads a person's no, and a no for good, as \"rejected\", whichever way it was paired",
        arguments: PeerApp.allCases, Way.allCases)
    func refusals(_ app: PeerApp, _ way: Way) async throws {
        try await withTwoRelays { first, second in
            try await OwnSigner.run(on: [first.address, second.address]) { signer in
                try await Peer.run(app.rawValue) { peer, _ in
                    try await pair(peer, with: signer, by: way, over: [first.address, second.address])
                    let changes = await signer.service.changes()
                    async let asked = peer.ask(["sign", 1, "please"])
                    try await refuse(at: signer, changes)
                    #expect(Self.saysRejected(try await asked))
                    var client = try #require(try await signer.service.clients().first)
                    client.choose(Grant(RemotePermission(.signEvent, kind: 1), .refuse, made: client.connected))
                    try await signer.service.update(client)
                    #expect(Self.saysRejected(try await peer.ask(["sign", 1, "please again"])))
                    // Neither is a no to anything else.
                    client.trust = .full
                    try await signer.service.update(client)
                    #expect(try await peer.ask(["sign", 7, "+"]).first?.contains(alice.hex) == true)
                }
            }
        }
    }

    private func pair(_ peer: Peer, with signer: OwnSigner, by way: Way, over relays: [RelayURL]) async throws {
        switch way {
        case .token:
            _ = try await peer.ask(["token", try await signer.service.renewInvitation(trust: .low).uri.text])
        case .invitation:
            let words = try await peer.ask(["invite"] + relays.map(\.text))
            let uri = try NostrConnectURI(try #require(words.last))
            _ = try await signer.service.accept(uri, name: nil, trust: .low, grants: [])
            _ = try await peer.ask(["await"])
        }
    }

    /// Says no to what begins to wait.
    private func refuse(at signer: OwnSigner, _ changes: AsyncStream<SigningChange>) async throws {
        for await change in changes where change == .waiting {
            let ids = try await signer.service.waiting().map(\.id)
            guard !ids.isEmpty else { continue }
            #expect(try await signer.service.decide(ids, .once(allow: false), knowingLoss: false) == ids)
            return
        }
    }

    private static func saysRejected(_ words: [String]) -> Bool {
        words.first == "failed" && words.last?.contains("rejected") == true
    }

    @Test(
        "by hand: a success has no error in it, a failure no result, and the first answer to a request is the only one")
    func onTheWire() async throws {
        try await withTwoRelays { first, second in
            try await OwnSigner.run(on: [first.address, second.address]) { signer in
                try await Peer.run(PeerApp.plain.rawValue) { peer, _ in
                    _ = try await peer.ask(["token", try await signer.service.invitation().uri.text])
                    #expect(try await peer.ask(["ask", "ping"]) == ["pong"])
                    let done = try JSONValue(Array(try #require(try await peer.ask(["last"]).first).utf8))
                    #expect(done["error"] == .null && done["result"]?.string == "pong")
                    #expect(try await peer.ask(["ask", "make_coffee"]).first == "failed")
                    let failed = try JSONValue(Array(try #require(try await peer.ask(["last"]).first).utf8))
                    #expect(failed["result"] == .null && failed["error"]?.string?.isEmpty == false)
                    #expect(try await peer.ask(["ask", "switch_relays"]) == ["null"])
                }
            }
        }
    }

    @Test("monstr asks what no library has a call for, and is refused what nobody knows")
    func otherMethods() async throws {
        try await withTwoRelays { first, second in
            try await OwnSigner.run(on: [first.address, second.address]) { signer in
                try await Peer.run(PeerApp.monstr.rawValue) { peer, _ in
                    _ = try await peer.ask(["token", try await signer.service.invitation().uri.text])
                    #expect(try await peer.ask(["ask", "ping"]) == ["pong"])
                    #expect(try await peer.ask(["ask", "describe"]).first?.contains("sign_event") == true)
                    #expect(try await peer.ask(["ask", "switch_relays"]) == ["null"])
                    #expect(try await peer.ask(["ask", "make_coffee"]).first == "failed")
                    #expect(try await peer.ask(["ask", "logout"]) == ["ack"])
                    // The answer may be there a moment before the app is out.
                    while try await !signer.service.clients().isEmpty {
                        try await Task.sleep(for: .milliseconds(50))
                    }
                    #expect(try await peer.ask(["ask", "get_public_key"]).first == "failed")
                }
            }
        }
    }

    private func everything(_ app: PeerApp, _ peer: Peer) async throws {
        let text = "grüße 🦜 \"quoted\" \n"
        let signed = try await peer.ask(["sign", 1, text])
        let event = try Event(verifying: UnverifiedEvent(json: Array(try #require(signed.first).utf8)))
        #expect(event.pubkey == alice)
        #expect(event.content == text)
        for cipher in ["nip04", "nip44"] {
            let ask = { (command: String, text: String) in
                app == .sdk ? [command, bob.publicKey.hex, text] : ["ask", command, bob.publicKey.hex, text]
            }
            let sealed = try #require(try await peer.ask(ask("\(cipher)_encrypt", text)).first)
            let opened =
                try cipher == "nip04"
                ? LegacyEncryption.decrypt(sealed, between: bob.secretKey, and: alice)
                : ConversationKey(between: bob.secretKey, and: alice).decrypt(sealed)
            #expect(opened == text)
            #expect(try await peer.ask(ask("\(cipher)_decrypt", sealed)) == [text])
        }
    }
}
