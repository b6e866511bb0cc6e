import AsyncPrimitives
import Crypto
import Foundation
import Logging
import MLS
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrStore
import NostrTesting
import Synchronization
import Testing
import WebSocketNIO

@testable import Circles
@testable import Marmot
@testable import NostrClient

/// A person's whole account on real sockets; what it keeps is in memory.
struct OwnAccount {
    /// A watch that can be set wrong.
    private final class Watch: Sendable {
        private let error = Mutex(Duration.zero)

        var now: Timestamp { Timestamp(seconds: Interop.now()) + error.withLock { $0 } }

        func set(_ error: Duration) { self.error.withLock { $0 = error } }
    }

    /// Somebody waited in vain.
    struct Late: Error, CustomStringConvertible {
        let description: String
    }

    let key: PublicKey
    let account: LiveAccount
    /// The account's circles.
    var circles: AccountCircles {
        get throws {
            guard let circles = account.circles else { throw CircleError.locked }
            return circles
        }
    }
    private let watch: Watch

    /// Runs it while `body` runs.
    ///
    /// - Parameters:
    ///   - indexer: where lists of relays are looked for; without one, at the relay.
    ///   - store: where events are kept; without one, in memory.
    ///   - records: where the account's own records are kept; without any, in memory.
    static func run(
        _ person: TestPerson, at relay: RelayURL, indexer: RelayURL? = nil, store: (any EventStore)? = nil,
        records: (any RecordStore)? = nil, blobs: SealedBlobs? = nil, _ body: (OwnAccount) async throws -> Void
    ) async throws {
        let watch = Watch()
        let now: @Sendable () -> Timestamp = { watch.now }
        let signer = LocalSigner(person.secretKey)
        let owner = RelaysOfOwner(signer: signer)
        let pool = RelayPool(
            transport: try WebSocketTransport(), settings: .quick, authenticator: owner, wall: now,
            logger: Logger(label: "interop"))
        var configuration = AccountConfiguration(
            routing: RoutingPolicy(indexers: [indexer ?? relay], fallback: [relay], allowsPrivateRelays: true),
            searchRelays: [])
        configuration.mediaServers = [MediaServer(SealedBlobs.folder)].compactMap(\.self)
        let account = LiveAccount(
            publicKey: person.publicKey, signer: signer, store: store ?? MemoryEventStore(now: now),
            records: records ?? MemoryRecordStore(), network: pool, blobs: blobs, uploads: blobs,
            configuration: configuration,
            time: Time(clock: ContinuousClock(), now: now), log: Logger(label: "interop"),
            unlocked: [AccountCircles.factory()])
        owner.serve(account)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await pool.run() }
            group.addTask { await account.run() }
            defer { group.cancelAll() }
            await account.keyDidUnlock()
            try await body(OwnAccount(key: person.publicKey, account: account, watch: watch))
        }
    }

    /// Sets the watch to a time that is this far from the true one.
    func setWatch(_ error: Duration) { watch.set(error) }

    /// Waits until something holds; looks again whenever the account says that something changed.
    func until(_ what: String, _ holds: () async throws -> Bool) async throws {
        let changes = await account.changes()
        let (rings, bell) = AsyncStream.makeStream(of: Void.self)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in changes { bell.yield() } }
            group.addTask {
                // Cancelled when it holds.
                try? await Task.sleep(for: .seconds(120))
                bell.finish()
            }
            defer { group.cancelAll() }
            if try await holds() { return }
            for await _ in rings {
                if try await holds() { return }
            }
            throw Late(description: "in vain for two minutes: \(what)")
        }
    }

    // MARK: - What it knows of a circle

    /// The texts of a circle, oldest first.
    func lines(_ id: CircleID) async throws -> [String] {
        try await circles.reader.page(of: id, before: nil, limit: 500).lines.compactMap { line in
            if case .text(let text) = line.body { text } else { nil }
        }
    }

    /// Somebody in a circle.
    func member(_ person: TestPerson, of id: CircleID) async throws -> CircleMember? {
        try await circles.reader.page(of: id, before: nil, limit: 1).members.first { $0.id == person.publicKey }
    }

    /// How one stands to a circle.
    func standing(in id: CircleID) async throws -> CircleSummary.Standing? {
        try await circles.reader.overview().circles.first { $0.id == id }?.standing
    }

    /// Where a circle stands, as the peer's own `state` says it: MDK shows a hash of the encoded tree.
    func state(_ id: CircleID) async throws -> [String] {
        let session = try #require(await circles.store.circles[id]?.session)
        let tree = encodeHex(Array(SHA256.hash(data: session.group.mls.ratchetTree)))
        return ["\(session.epoch)", tree, session.roster.data.name] + session.roster.people.map(\.hex).sorted()
    }

    /// Waits until changes of one's own are through and the circle is in an epoch.
    func until(epoch: UInt64, of id: CircleID) async throws {
        try await until("epoch \(epoch)") {
            let health = try await circles.reader.health(of: id)
            return health.epoch == epoch && health.pending == 0
        }
    }
}

/// Lets relays know who is there as an account's consents say.
private final class RelaysOfOwner: RelayAuthenticator {
    private let signer: any EventSigner
    private let account = Mutex<LiveAccount?>(nil)

    init(signer: any EventSigner) { self.signer = signer }

    func serve(_ account: LiveAccount) { self.account.withLock { $0 = account } }

    func consent(for relay: RelayURL) async -> AuthenticationConsent {
        account.withLock { $0 }?.services.gossip.authenticationConsent(for: relay) ?? .never
    }

    func answer(_ draft: EventDraft, for relay: RelayURL) async -> Event? {
        // A refusal of the signer leaves the relay unanswered.
        try? await signer.sign(draft)
    }
}

/// A relay on loopback.
enum RelayProgram: String, CaseIterable {
    case ours, nostrSDK

    /// Runs it while `body` runs.
    func run(_ body: (RelayURL) async throws -> Void) async throws {
        switch self {
        case .nostrSDK: try await Peer.run("sdk_relay.py") { _, address in try await body(try RelayURL(address)) }
        case .ours:
            let relay = try await OwnRelay()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await relay.run() }
                defer { group.cancelAll() }
                try await body(relay.address)
            }
        }
    }
}
