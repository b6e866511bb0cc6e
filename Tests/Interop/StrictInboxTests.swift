import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrTesting
import Testing

@Suite(
    "a relay of nostr-sdk that takes nothing from strangers", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Peer.isWanted, "run scripts/peers.sh to test against programs that are not ours"))
struct StrictInboxTests {
    let bob = TestPerson.bob

    /// Alice's account; Bob reads notes and messages at the strict relay, and says so where Alice looks.
    private func withStrictInbox(_ body: (OwnAccount, RelayURL) async throws -> Void) async throws {
        try await RelayProgram.ours.run { home in
            try await Peer.run("sdk_relay.py", ["auth"]) { _, address in
                let inbox = try RelayURL(address)
                try await withPool { pool in
                    for list in [
                        bob.event(kind: 10_002, tags: [["r", inbox.text, "read"]], at: now()),
                        bob.event(kind: 10_050, tags: [["relay", inbox.text]], at: now()),
                    ] {
                        let outcome = await pool.publish(list, to: home, deadline: .seconds(60))
                        #expect(outcome == .accepted(Reason(nil, "")))
                    }
                }
                try await OwnAccount.run(TestPerson.alice, at: home) { try await body($0, inbox) }
            }
        }
    }

    private func question(_ own: OwnAccount, _ inbox: RelayURL) async throws -> RelayConsentEntry? {
        try await own.account.consents?.relayConsents().first { $0.relay == inbox }
    }

    @Test("gets a note for who reads there after the person said yes, and not before")
    func note() async throws {
        try await withStrictInbox { own, inbox in
            let note = try await own.account.publishing.publish(Composition(text: "hi nostr:\(bob.publicKey.npub)"))
            func state() async throws -> PublishReceipt.State? {
                try await own.account.publishing.receipts(for: note.id).first { $0.relay == inbox }?.state
            }
            try await own.until("the relay asks who is there") { try await question(own, inbox) != nil }
            #expect(try await question(own, inbox)?.reasons == [.note])
            guard case .waiting = try await state() else {
                Issue.record("it does not wait")
                return
            }
            try await own.account.consents?.answer(.always, for: inbox)
            try await own.until("the relay has it") {
                if case .accepted = try await state() { true } else { false }
            }
        }
    }

    @Test("gets a private message after the person said yes, and nothing after a no", arguments: [true, false])
    func message(isYes: Bool) async throws {
        try await withStrictInbox { own, inbox in
            try await own.until("the account is open") { own.account.messages != nil }
            let sent = try await own.account.messages?.send(
                OutgoingMessage(room: ChatRoom([own.key, bob.publicKey]), text: "for you alone"))
            let id = try #require(sent?.id)
            func states() async throws -> [PublishReceipt.State] {
                let receipts = try await own.account.messages?.receipts(of: id) ?? []
                return receipts.flatMap(\.relays).filter { $0.relay == inbox }.map(\.state)
            }
            try await own.until("the relay asks who is there") { try await question(own, inbox) != nil }
            #expect(try await question(own, inbox)?.reasons == [.message])
            try await own.account.consents?.answer(isYes ? .once : .never, for: inbox)
            try await own.until("it is settled") {
                try await states().contains { state in
                    switch state {
                    case .accepted: isYes
                    case .givenUp: !isYes
                    case .waiting: false
                    }
                }
            }
        }
    }
}
