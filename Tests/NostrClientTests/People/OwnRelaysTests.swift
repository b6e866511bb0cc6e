import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

/// Which relays a first list of an account's own names.
struct OwnRelaysTests {
    @Test(
        "a relay that others cannot reach is on a first list only if the person names it",
        arguments: [
            "ws://127.0.0.1:7777", "ws://10.1.2.3", "ws://192.168.1.5:7777", "ws://[fd00::1]", "ws://nas.local",
            "ws://relay", "ws://abcdefghij234567.onion",
        ])
    func unreachableRelays(address: String) async throws {
        let near = try RelayURL(address)
        let alone = AccountBench { $0.routing = RoutingPolicy(indexers: [relay("index")], fallback: [near]) }
        #expect(try await alone.account.ownRelays.current().entries.map(\.relay) == [near])
        await #expect(throws: AccountError(.noPublicRelay, of: RelayList.kind)) {
            try await alone.account.ownRelays.begin()
        }
        await #expect(throws: AccountError(.noPublicRelay, of: RelayList.kind)) {
            try await alone.account.ownRelays.set([near: []])
        }
        #expect(await alone.store.query([Filter(kinds: [RelayList.kind])]).isEmpty)
        #expect(try await alone.account.ownRelays.set([near: .both]).tags == [["r", near.text]])

        // Among neighbours, who reach nothing else, nothing would be found without it.
        let closed = AccountBench { $0.routing = RoutingPolicy(indexers: [near], fallback: [near]) }
        #expect(try await closed.account.ownRelays.begin()?.tags == [["r", near.text]])

        let beside = AccountBench { $0.routing.fallback = [near, relay("fallback")] }
        #expect(try await beside.account.ownRelays.current().unreachable == [near])
        #expect(try await beside.account.ownRelays.begin()?.tags == [["r", "wss://fallback.example"]])
        let named = AccountBench { $0.routing.fallback = [near, relay("fallback")] }
        #expect(
            try await named.account.ownRelays.set([relay("one"): .both]).tags
                == [["r", "wss://fallback.example"], ["r", "wss://one.example"]])
    }
}
