import NostrCore
import NostrStore
import NostrTesting
import Testing

@testable import PushProxy

@Suite("what is asked of which relay")
struct WatchPlanTests {
    @Test("everything of primary relays, and of others what is for those who paired there")
    func plan() throws {
        let relays = try (0..<4).map { try RelayURL("wss://r\($0).example") }
        let (alice, bob) = (TestPerson.alice.publicKey, TestPerson.bob.publicKey)
        let (start, later) = (Timestamp(seconds: 10), Timestamp(seconds: 20))
        var plan = WatchPlan(primary: [relays[0]], start: start, mostRelays: 2)
        let all = Filter(kinds: [24_133], since: start)
        #expect(plan.requests == [relays[0]: [all]])
        func of(_ keys: PublicKey..., since: Timestamp) -> [Filter] {
            [Filter(kinds: [24_133], tags: ["p": Set(keys.map(\.hex))], since: since)]
        }
        #expect(
            plan.update(named([relays[0]: [alice], relays[1]: [alice], relays[2]: [alice, bob]]), since: start) == [
                relays[0]: [all], relays[1]: of(alice, since: start), relays[2]: of(alice, bob, since: start),
            ])
        // What did not change is asked as before; beyond the limit, the fewest signers stay out.
        #expect(
            plan.update(named([relays[1]: [alice], relays[2]: [bob], relays[3]: [alice, bob]]), since: later) == [
                relays[0]: [all], relays[1]: of(alice, since: start), relays[3]: of(alice, bob, since: later),
            ])
        #expect(plan.leftOut == 1)
    }

    private func named(_ relays: [RelayURL: Set<PublicKey>]) -> [RelayURL: WatchedRelay] {
        relays.mapValues { WatchedRelay(signers: $0, hasUnknownNetwork: true) }
    }

    /// Somebody invents keys, with devices, and pairs them on relays nobody else uses.
    private func invented(_ count: Int, networks: Int, deliveredSince seconds: Int64?) throws -> [RelayURL:
        WatchedRelay]
    {
        var random = SeededRandom(seed: 1)
        let crowd = Set((0..<9).map { _ in SecretKey.generate(using: &random).publicKey })
        var relays: [RelayURL: WatchedRelay] = [:]
        for number in 0..<count {
            let network = PushNetworkID(rawValue: UInt16(1000 + number % networks))
            relays[try RelayURL("wss://a\(number).example")] = WatchedRelay(
                signers: crowd, networks: [network],
                delivered: seconds.map { Timestamp(seconds: $0)...Timestamp(seconds: 1_000_000) })
        }
        return relays
    }

    @Test("invented keys and devices of a few networks leave places for everybody else")
    func network() throws {
        var plan = WatchPlan(primary: [], start: Timestamp(seconds: 0), mostRelays: 20, mostPerNetwork: 4)
        let real = try RelayURL("wss://real.example")
        var relays = try invented(100, networks: 3, deliveredSince: nil)
        relays[real] = WatchedRelay(
            signers: [TestPerson.alice.publicKey], networks: [PushNetworkID(rawValue: 1)])
        let asked = plan.update(relays, since: Timestamp(seconds: 1_000_000))
        #expect(asked[real] != nil && asked.count == 3 * 4 + 1 && plan.leftOut == 100 - 12)
    }

    @Test("relays with delivered wakes come first, those known longest before others; what is long ago does not count")
    func delivered() throws {
        var plan = WatchPlan(primary: [], start: Timestamp(seconds: 0), mostRelays: 20, mostPerNetwork: 4)
        let (real, former) = (try RelayURL("wss://real.example"), try RelayURL("wss://former.example"))
        let now = Timestamp(seconds: 10_000_000)
        var relays = try invented(100, networks: 50, deliveredSince: 900_000).mapValues { relay in
            var relay = relay
            relay.delivered = relay.delivered.map { $0.lowerBound...now }
            return relay
        }
        relays[real] = WatchedRelay(
            signers: [TestPerson.alice.publicKey], networks: [PushNetworkID(rawValue: 1)],
            delivered: Timestamp(seconds: 800_000)...now)
        relays[former] = WatchedRelay(
            signers: [TestPerson.alice.publicKey], networks: [PushNetworkID(rawValue: 1)],
            delivered: Timestamp(seconds: 1)...Timestamp(seconds: 2))
        let asked = plan.update(relays, since: now)
        #expect(asked[real] != nil && asked[former] == nil && asked.count == 20)
    }

    @Test("a relay that several networks name takes a place of the one with the most left")
    func shared() throws {
        var plan = WatchPlan(primary: [], start: Timestamp(seconds: 0), mostRelays: 20, mostPerNetwork: 1)
        let networks = [1, 2].map { PushNetworkID(rawValue: $0) }
        let relays = try (0..<3).map { try RelayURL("wss://r\($0).example") }
        let alice = TestPerson.alice.publicKey
        let asked = plan.update(
            [
                relays[0]: WatchedRelay(signers: [alice], networks: Set(networks)),
                relays[1]: WatchedRelay(signers: [alice], networks: [networks[1]]),
                relays[2]: WatchedRelay(signers: [alice], networks: [networks[1]]),
            ], since: Timestamp(seconds: 1))
        #expect(Set(asked.keys) == [relays[0], relays[1]])
    }
}
