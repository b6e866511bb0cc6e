import NostrClient
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import NostrClient

@Suite(
    "an account that others are to find", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Peer.isWanted, "run scripts/peers.sh to test against programs that are not ours"))
struct FoundByOthersTests {
    @Test("nostr-sdk's outbox client finds a fresh account's note, knowing one indexer alone")
    func freshAccount() async throws {
        try await RelayProgram.ours.run { indexer in
            try await RelayProgram.nostrSDK.run { home in
                try await OwnAccount.run(TestPerson.dave, at: home, indexer: indexer) { own in
                    let list = try #require(try await own.account.ownRelays.begin())
                    _ = try await own.account.profile.update(["name": "Dave"])
                    let note = try await own.account.publishing.publish(Composition(text: "my first words"))
                    try await own.until("both have left") {
                        for event in [list.id, note.id] {
                            let receipts = try await own.account.publishing.receipts(for: event)
                            let hasLeft = receipts.contains { if case .accepted = $0.state { true } else { false } }
                            guard hasLeft else { return false }
                        }
                        return true
                    }
                    // The note itself is not at the indexer.
                    let routes = try await own.account.publishing.receipts(for: note.id).map(\.relay)
                    #expect(routes == [home])
                    try await Peer.run("sdk_gossip.py", [indexer.text]) { peer, _ in
                        let found = try await peer.ask(["notes", own.key.hex])
                        #expect(found == ["notes", "my first words"])
                    }
                }
            }
        }
    }
}
