import NostrCore
import NostrStore
import NostrTesting
import PostgresStorage
import Testing

@testable import PushProxy

@Suite(
    "a PostgreSQL push registry", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: TestPostgres.isWanted, "PostgreSQL is not installed: run scripts/setup.sh test"), .postgresServer)
struct PostgresRegistryTests {
    private func server() throws -> TestPostgres { try #require(TestPostgres.current) }

    private func device(_ signer: TestPerson, _ token: String) -> PushDevice {
        PushDevice(signer: signer.publicKey, address: .apns(token: token), lastSeen: Timestamp(seconds: 1))
    }

    @Test("keeps the contract", arguments: PushRegistryContract.rules)
    func keeps(rule: PushRegistryContract.Rule) async throws {
        let address = try await server().freshDatabase()
        try await rule.check { _ in try await TestPostgres.registry(address, connections: 2) }
    }

    @Test("programs that start together set the database up once")
    func migrations() async throws {
        let address = try await server().freshDatabase()
        try await withThrowingTaskGroup(of: PushCounts.self) { group in
            for _ in 0..<6 {
                group.addTask { try await TestPostgres.registry(address, connections: 1).counts() }
            }
            for try await counts in group { #expect(counts == PushCounts(devices: 0, signers: 0, pairings: 0)) }
        }
    }

    @Test("two registries on one database see each other's changes and share claims")
    func shared() async throws {
        let address = try await server().freshDatabase()
        let (a, b) = (try await TestPostgres.registry(address), try await TestPostgres.registry(address))
        let before = try await b.revision()
        try await a.register(device(.alice, "ab"), quota: PushQuota())
        #expect(try await b.revision() != before)
        #expect(try await b.devices(of: [TestPerson.alice.publicKey]).count == 1)
        let ids = (0..<200).map { TestPerson.bob.event("\($0)").id }
        async let first = a.claim(ids, for: .wake, until: Timestamp(seconds: 9))
        async let second = b.claim(ids.reversed(), for: .wake, until: Timestamp(seconds: 9))
        let (won, others) = try await (first, second)
        #expect(won.isDisjoint(with: others) && won.union(others) == Set(ids))
    }

    @Test("what looks like SQL is text, in and out")
    func hostileText() async throws {
        let registry = try await TestPostgres.registry(server().freshDatabase())
        for text in ["'; DROP TABLE push_device; --", "\\x41", "{\"a\",NULL}", "$1", "ä\u{10FFFF}%_"] {
            let subscription = PushSubscription(endpoint: text, publicKey: [0, 1, 255], secret: [])
            let hostile = PushDevice(
                signer: TestPerson.eve.publicKey, address: .webPush(subscription), lastSeen: Timestamp(seconds: 1))
            try await registry.register(hostile, quota: PushQuota())
            let found = try await registry.devices(of: [TestPerson.eve.publicKey])
            #expect(found[TestPerson.eve.publicKey]?.contains(hostile) == true)
        }
    }

    @Test("a server that crashed and came back is used again, and nothing acknowledged is gone")
    func reconnects() async throws {
        let server = try server()
        let registry = try await TestPostgres.registry(server.freshDatabase(), connections: 2)
        try await registry.register(device(.alice, "ab"), quota: PushQuota())
        try await server.stop()
        await #expect(throws: StoreError.self) { _ = try await registry.counts() }
        try await server.start()
        #expect(try await registry.counts() == PushCounts(devices: 1, signers: 1, pairings: 0))
        #expect(try await registry.counts().devices == 1)
    }

    @Test("nobody there, a wrong address and a closed registry are failures in words, without the password")
    func failures() async throws {
        for address in ["postgres://u:topsecret@127.0.0.1:1/x", "postgres://u:topsecret@127.0.0.1:1/x?topsecret=1"] {
            do {
                _ = try await PostgresPushRegistry(address: address, deadline: .seconds(2))
                Issue.record("connected to nobody")
            } catch let error as StoreError {
                #expect([.badAddress, .unreachable].contains(error.code))
                #expect(!"\(error)".contains("topsecret"))
            }
        }
        let registry = try await TestPostgres.registry(server().freshDatabase())
        registry.close()
        await #expect(throws: StoreError.self) { _ = try await registry.counts() }
    }
}
