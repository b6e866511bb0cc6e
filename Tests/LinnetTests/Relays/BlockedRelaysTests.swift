import AsyncPrimitives
import Circles
import Foundation
import Logging
import NostrClient
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrStore
import NostrTesting
import SQLiteStorage
import Testing

@testable import linnet

@Suite("Relays that an account blocks", .timeLimit(.minutes(10)))
struct BlockedRelaysTests {
    private let alice = TestPerson.alice
    private let bob = TestPerson.bob

    /// On every way that leads to relays there is one that may be dialled, and the blocked one in another spelling.
    @Test("nothing that works for an account dials a relay it blocks, whichever way leads there")
    func neverDialled() async throws {
        let bench = try Bench()
        try await bench.layOut()
        let opened = try bench.open()
        let account = opened.account
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await opened.work.run() }
            defer { group.cancelAll() }
            await account.loadFromDisk()
            let way = SignerElsewhere(
                RemotePairing(
                    signer: bob.publicKey, user: alice.publicKey, client: bob.publicKey,
                    relays: [bench.allowed("remote"), try RelayURL("wss://bad.example/remote")]),
                client: LocalSigner.generate(), transport: bench.transport, blocked: account.blockedRelays)
            group.addTask { await way.run(keeping: { _ in }, returned: {}) }
            await account.keyDidUnlock()
            _ = try await account.circles?.membership.create(
                "Family", about: "", relays: [bench.allowed("circle"), try RelayURL("ws://bad.example/circle")])
            _ = try await account.publishing.publish(Composition(text: "hello nostr:\(bob.publicKey.npub)"))
            try await account.firstRun?.begin(name: "Alice")
            await account.firstRun?.search(.findRelays)
            _ = try await account.timeline.search("words", before: nil, limit: 5)
            for name in Bench.ways { await bench.transport.waitForAttempts(1, at: bench.allowed(name)) }
        }
        let dialled = bench.transport.contacted.map(\.host)
        #expect(!dialled.contains { $0.contains("bad") }, "\(bench.transport.contacted)")
    }

    @Test("a private part of the list holds after a restart while the key is locked, and its names are not on disk")
    func lockedAfterARestart() async throws {
        let bench = try Bench()
        let key = LocalSigner(alice.secretKey)
        let hidden = try await key.encrypt(
            #"[["relay","wss://bad.example"]]"#, for: alice.publicKey, by: .nip44)
        _ = await bench.store.save([alice.event(hidden, kind: .blockedRelays)], from: nil)
        let first = try bench.open()
        try await first.whileAtWork {
            await first.account.keyDidUnlock()
            // Answers once the lists are read, and what they block is in force and kept.
            _ = await first.account.lists?.mutes()
            let kept = try await BlockedRelayRecords(first.records).load()
            #expect(try first.account.blockedRelays.contains(RelayURL("wss://bad.example")) && !kept.isEmpty)
        }
        try first.records.close()

        let again = try bench.open(signer: LockableSigner(alice.publicKey))
        await again.account.loadFromDisk()
        #expect(again.account.blockedRelays.contains(try RelayURL("ws://bad.example/any")))
        #expect(!again.account.blockedRelays.contains(try RelayURL("wss://good.example")))
        try again.records.close()
        for file in try bench.home.files() {
            // A folder holds files, which are looked at themselves.
            guard let bytes = FileManager.default.contents(atPath: "\(bench.home.directory.path)/\(file)") else {
                continue
            }
            #expect(bytes.range(of: Data("bad.example".utf8)) == nil, "\(file)")
        }
    }
}

/// An account with lists in a store, on a network in which nothing answers.
private struct Bench {
    /// What leads to relays; each has one that may be dialled.
    static let ways = [
        "write", "read", "inbox", "private", "followed", "mentioned", "index", "search", "signer", "remote", "circle",
        "probe",
    ]

    let home: AccountHome
    let transport = ScriptedTransport()
    let store = MemoryEventStore(now: { Timestamp(seconds: 1_700_000_000) })
    private let alice = TestPerson.alice
    private let bob = TestPerson.bob

    init() throws {
        home = try AccountHome()
        for name in Self.ways { transport.fail(allowed(name), with: .refused) }
    }

    func allowed(_ name: String) -> RelayURL {
        do { return try RelayURL("wss://\(name).example") } catch { preconditionFailure("no address: \(error)") }
    }

    /// The lists of alice and bob, each with the blocked relay on it.
    func layOut() async throws {
        _ = await store.save(
            [
                alice.event(kind: .blockedRelays, tags: [["relay", "wss://bad.example"]]),
                alice.event(
                    kind: 10_002,
                    tags: [
                        ["r", "wss://write.example", "write"], ["r", "WSS://BAD.example:443/", "write"],
                        ["r", "wss://read.example", "read"], ["r", "ws://bad.example", "read"],
                    ]),
                alice.event(
                    kind: .directMessageRelays,
                    tags: [["relay", "wss://inbox.example"], ["relay", "wss://bad.example/inbox"]]),
                alice.event(
                    kind: .searchRelays, tags: [["relay", "wss://search.example"], ["relay", "ws://bad.example:80"]]),
                alice.event(
                    kind: .privateRelays,
                    tags: [["relay", "wss://private.example"], ["relay", "wss://bad.example./private"]]),
                alice.event(kind: 3, tags: [["p", bob.publicKey.hex, "wss://bad.example/hint"]]),
                bob.event(
                    kind: 10_002,
                    tags: [
                        ["r", "wss://followed.example", "write"], ["r", "ws://bad.example//", "write"],
                        ["r", "wss://mentioned.example", "read"], ["r", "wss://bad.example?x", "read"],
                    ]),
            ], from: nil)
    }

    func open(signer: LockableSigner? = nil) throws -> AccountAtWork {
        let relays = [allowed("signer"), try RelayURL("wss://bad.example/signer")]
        var configuration = AccountConfiguration(
            routing: RoutingPolicy(indexers: [allowed("index"), try RelayURL("wss://bad.example:443/index")]),
            searchRelays: [])
        configuration.firstRun.relayLists = [allowed("probe"), try RelayURL("wss://bad.example/lists")]
        let lock = signer ?? LockableSigner(alice.publicKey)
        if signer == nil { try lock.unlock(with: LocalSigner(alice.secretKey)) }
        return try AccountFactory(
            store: store, transport: transport, configuration: configuration, directory: home.directory,
            log: Logger(label: "test"),
            signing: SignerFactory(home.directory, transport: transport, relays: relays)
        ).open(alice.publicKey, signer: lock)
    }
}

extension AccountAtWork {
    /// Does something while the account is at work.
    fileprivate func whileAtWork(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await work.run() }
            defer { group.cancelAll() }
            try await body()
        }
    }
}
