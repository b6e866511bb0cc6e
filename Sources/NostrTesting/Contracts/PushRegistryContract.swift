internal import NostrCore
public import NostrStore

/// What every ``/NostrStore/PushRegistry`` promises.
public enum PushRegistryContract {
    /// One promise.
    public typealias Rule = ContractRule<any PushRegistry>

    /// All promises.
    public static let rules: [Rule] = devices + pairings + claims

    private static let alice = TestPerson.alice.publicKey
    private static let bob = TestPerson.bob.publicKey
    private static let apps = [TestPerson.carol, .dave, .eve].map(\.publicKey)

    private static let devices: [Rule] = [
        Rule("gives back a device of each kind as it was registered last") { registry, _ in
            let key = [4] + [UInt8](repeating: 7, count: 64)
            let web = PushSubscription(endpoint: "https://push.example/ä?a=1", publicKey: key, secret: Array(0..<16))
            let addresses: [PushAddress] = [.apns(token: "ab01"), .webPush(web), .unifiedPush(web)]
            for address in addresses { try await registry.register(device(alice, address), quota: PushQuota()) }
            try demand(Set(try await found(alice, registry)), Set(addresses.map { device(alice, $0) }))
            let renewed = PushSubscription(endpoint: web.endpoint, publicKey: key, secret: Array(1..<17))
            try await registry.register(device(alice, .webPush(renewed), at: 5), quota: PushQuota())
            try demand(try await found(alice, registry).count, 3)
            try demand(try await found(alice, registry).contains(device(alice, .webPush(renewed), at: 5)), true)
            try demand(try await registry.devices(of: [bob]), [:])
            try demand(try await registry.devices(of: []), [:])
        },
        Rule("one device may wake for several signers, and forgets one of them alone") { registry, _ in
            let address = PushAddress.apns(token: "ab")
            for signer in [alice, bob] {
                try await registry.register(device(signer, address), quota: PushQuota())
            }
            try demand(try await registry.devices(of: [alice, bob]).count, 2)
            try demand(try await registry.counts(), PushCounts(devices: 2, signers: 2, pairings: 0))
            try demand(try await registry.unregister(address.identity, of: alice), true)
            try demand(try await registry.unregister(address.identity, of: alice), false)
            try demand(try await registry.devices(of: [alice, bob]), [bob: [device(bob, address)]])
        },
        Rule("prunes an address everywhere, but not one that registered since") { registry, _ in
            let address = PushAddress.apns(token: "ab")
            try await registry.register(device(alice, address, at: 10), quota: PushQuota())
            try await registry.register(device(bob, address, at: 20), quota: PushQuota())
            try await registry.prune(address.identity, seenBefore: Timestamp(seconds: 15))
            try demand(try await registry.devices(of: [alice, bob]), [bob: [device(bob, address, at: 20)]])
            try await registry.prune("apns:other", seenBefore: nil)
            try await registry.prune(address.identity, seenBefore: nil)
            try demand(try await registry.devices(of: [alice, bob]), [:])
        },
        Rule("makes room for a new device by dropping those not seen for longest") { registry, _ in
            var quota = PushQuota()
            quota.devices = 2
            for (token, moment) in [("a", Int64(3)), ("b", 1), ("c", 2)] {
                try await registry.register(device(alice, .apns(token: token), at: moment), quota: quota)
            }
            try demand(Set(try await found(alice, registry).map(\.address.identity)), ["apns:a", "apns:c"])
        },
        Rule("forgets what was not seen for long, and the pairings of who is gone") { registry, _ in
            try await registry.register(device(alice, .apns(token: "a"), at: 10), quota: PushQuota())
            try await registry.register(device(bob, .apns(token: "b"), at: 30), quota: PushQuota())
            let relay = try RelayURL("wss://r.example")
            for signer in [alice, bob] {
                _ = try await registry.pair(
                    PushPairing(signer: signer, client: apps[0], relays: [relay]), quota: PushQuota(),
                    now: Timestamp(seconds: 5))
            }
            try demand(try await registry.dropUnseen(since: Timestamp(seconds: 20)), 1)
            try demand(try await registry.counts(), PushCounts(devices: 1, signers: 1, pairings: 1))
            try demand(try await registry.clients(of: [alice, bob]), [bob: [apps[0]]])
        },
    ]

    private static let pairings: [Rule] = [
        Rule("watches the relays of pairings whose signer has a device") { registry, _ in
            let relays = try ["wss://a.example", "wss://b.example/path"].map { try RelayURL($0) }
            try demand(try await pair(alice, apps[0], relays, registry), .paired)
            try demand(try await pair(bob, apps[0], [relays[0]], registry), .paired)
            try demand(try await registry.watchedRelays(), [:])
            try await registry.register(device(alice, .apns(token: "a")), quota: PushQuota())
            try demand(try await watched(registry), [relays[0]: [alice], relays[1]: [alice]])
            try await registry.register(device(bob, .apns(token: "b")), quota: PushQuota())
            try demand(try await watched(registry)[relays[0]], [alice, bob])
            try demand(try await pair(alice, apps[0], [relays[1]], registry), .paired)
            try demand(try await watched(registry), [relays[0]: [bob], relays[1]: [alice]])
            try demand(try await registry.unpair(apps[0], of: alice), true)
            try demand(try await registry.unpair(apps[0], of: alice), false)
            try demand(try await watched(registry), [relays[0]: [bob]])
        },
        Rule("says from which networks relays were named, and when wakes over them were delivered") { registry, _ in
            let relays = try ["a", "b"].map { try RelayURL("wss://\($0).example") }
            let networks = [7, 65_535].map { PushNetworkID(rawValue: $0) }
            for signer in [alice, bob] {
                try await registry.register(device(signer, .apns(token: "ab")), quota: PushQuota())
            }
            func pair(_ signer: PublicKey, _ relay: RelayURL, _ network: PushNetworkID?) async throws {
                let pairing = PushPairing(signer: signer, client: apps[0], relays: [relay], network: network)
                _ = try await registry.pair(pairing, quota: PushQuota(), now: Timestamp(seconds: 1))
            }
            try await pair(alice, relays[0], nil)
            try demand(
                try await registry.watchedRelays(),
                [relays[0]: WatchedRelay(signers: [alice], hasUnknownNetwork: true)])
            try await pair(alice, relays[0], networks[0])
            try await pair(bob, relays[0], networks[1])
            for seconds in [20, 10, 30] as [Int64] {
                try await registry.noteDeliveries(over: Set(relays), at: Timestamp(seconds: seconds))
            }
            let times = Timestamp(seconds: 10)...Timestamp(seconds: 30)
            var expected = WatchedRelay(signers: [alice, bob], networks: Set(networks), delivered: times)
            try demand(try await registry.watchedRelays(), [relays[0]: expected])
            try await registry.dropUnseen(since: Timestamp(seconds: 1))
            try demand(try await registry.watchedRelays(), [relays[0]: expected])
            for signer in [alice, bob] {
                try await registry.register(device(signer, .apns(token: "ab"), at: 90), quota: PushQuota())
            }
            try await registry.dropUnseen(since: Timestamp(seconds: 31))
            expected.delivered = nil
            try demand(try await registry.watchedRelays(), [relays[0]: expected])
        },
        Rule("changes its revision with whatever is watched") { registry, _ in
            var seen: Set<Int64> = [try await registry.revision()]
            func demandChange(_ line: Int = #line) async throws {
                try demand(seen.insert(try await registry.revision()).inserted, true, line: line)
            }
            try await registry.register(device(alice, .apns(token: "a")), quota: PushQuota())
            try await demandChange()
            _ = try await pair(alice, apps[0], [try RelayURL("wss://a.example")], registry)
            try await demandChange()
            try await registry.unpair(apps[0], of: alice)
            try await demandChange()
            try await registry.unregister("apns:a", of: alice)
            try await demandChange()
            try await registry.register(device(alice, .apns(token: "a")), quota: PushQuota())
            try await demandChange()
            try await registry.prune("apns:a", seenBefore: nil)
            try await demandChange()
            try demand(try await registry.revision(), try await registry.revision())
        },
        Rule("holds each signer to its own number of clients and novel relays") { registry, _ in
            var quota = PushQuota()
            quota.clients = 2
            quota.novelRelays = 2
            let relays = try (0..<4).map { try RelayURL("wss://r\($0).example") }
            try demand(try await pair(alice, apps[0], [relays[0]], registry, quota), .paired)
            try demand(try await pair(alice, apps[1], [relays[0], relays[1]], registry, quota), .paired)
            try demand(try await pair(alice, apps[2], [], registry, quota), .tooManyClients(limit: 2, used: 2))
            try demand(
                try await pair(alice, apps[1], Array(relays[1...]), registry, quota), .tooManyNovelRelays(limit: 2))
            try demand(try await registry.clients(of: [alice]), [alice: Set(apps[..<2])])
            // What somebody else is paired on is nothing new.
            try demand(try await pair(bob, apps[0], Array(relays[2...]), registry, quota), .paired)
            try demand(try await pair(alice, apps[1], Array(relays[1...]), registry, quota), .paired)
            try demand(try await registry.unpair(apps[0], of: alice), true)
            try demand(try await pair(alice, apps[2], [], registry, quota), .paired)
        },
    ]

    private static let claims: [Rule] = [
        Rule("gives each id to the first who claims it, for each purpose") { registry, _ in
            let ids = (0..<3).map { EventID(TestPerson.alice.event("\($0)").id.bytes) }
            let expiry = Timestamp(seconds: 100)
            try demand(try await registry.claim(Array(ids[..<2]), for: .wake, until: expiry), Set(ids[..<2]))
            try demand(try await registry.claim(ids + ids, for: .wake, until: expiry), [ids[2]])
            try demand(try await registry.claim(ids, for: .wake, until: expiry), [])
            try demand(try await registry.claim([ids[0]], for: .authorization, until: expiry), [ids[0]])
            try demand(try await registry.claim([], for: .wake, until: expiry), [])
        },
        Rule("gives an id to one of many who claim it at once") { registry, _ in
            let ids = (0..<20).map { EventID(TestPerson.bob.event("\($0)").id.bytes) }
            let won = try await withThrowingTaskGroup(of: Int.self) { group in
                for turn in 0..<8 {
                    let order = turn % 2 == 0 ? ids : ids.reversed()
                    group.addTask {
                        try await registry.claim(order, for: .wake, until: Timestamp(seconds: 100)).count
                    }
                }
                return try await group.reduce(0, +)
            }
            try demand(won, 20)
        },
        Rule("forgets claims when they expire") { registry, _ in
            let ids = (0..<2).map { EventID(TestPerson.carol.event("\($0)").id.bytes) }
            _ = try await registry.claim([ids[0]], for: .wake, until: Timestamp(seconds: 10))
            _ = try await registry.claim([ids[1]], for: .wake, until: Timestamp(seconds: 20))
            try await registry.dropClaims(expiredBy: Timestamp(seconds: 10))
            try demand(try await registry.claim(ids, for: .wake, until: Timestamp(seconds: 30)), [ids[0]])
        },
    ]

    private static func device(_ signer: PublicKey, _ address: PushAddress, at seconds: Int64 = 1) -> PushDevice {
        PushDevice(signer: signer, address: address, lastSeen: Timestamp(seconds: seconds))
    }

    private static func found(_ signer: PublicKey, _ registry: any PushRegistry) async throws -> [PushDevice] {
        try await registry.devices(of: [signer])[signer] ?? []
    }

    private static func watched(_ registry: any PushRegistry) async throws -> [RelayURL: Set<PublicKey>] {
        try await registry.watchedRelays().mapValues(\.signers)
    }

    private static func pair(
        _ signer: PublicKey, _ client: PublicKey, _ relays: [RelayURL], _ registry: any PushRegistry,
        _ quota: PushQuota = PushQuota()
    ) async throws -> PairingOutcome {
        try await registry.pair(
            PushPairing(signer: signer, client: client, relays: Set(relays)), quota: quota, now: Timestamp(seconds: 1))
    }
}
