import NostrClient
import Testing

/// How far back home is gathered at first; why, stands in decision 31.
struct HomeWindowTests {
    @Test(
        "the more people are followed, the shorter is the time that is gathered first",
        arguments: [(0, 14), (30, 14), (31, 7), (150, 7), (151, 3), (400, 3), (401, 2), (20_000, 2)])
    func window(follows: Int, days: Int) {
        let configuration = AccountConfiguration(
            routing: RoutingPolicy(indexers: [], fallback: []), searchRelays: [])
        #expect(configuration.window(follows: follows) == .seconds(days * 86_400))
    }
}
