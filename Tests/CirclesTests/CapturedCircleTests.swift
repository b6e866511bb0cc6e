import AccountTesting
import AsyncPrimitives
import Foundation
import MLS
import Marmot
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import NostrTesting
import Testing

@testable import Circles
@testable import NostrClient

/// What MDK 0.8.0 put on relays in one conversation, and the keys of Bob, to whom it was said.
private struct CapturedCircle {
    struct Step {
        let name: String
        let sender: String
        let event: Event
        let epochAfter: UInt64
    }

    static let path = "marmot/mdk-0.8.0-capture.json"
    static let reason: Testing.Comment = "the conversation of MDK has no public home; set LINNET_VECTORS"

    let alice, bob: PublicKey
    let id: CircleID
    let keyPackage: KeptKeyPackage
    let welcome: Rumor
    let steps: [Step]
    private let aliceSecret, bobSecret: String

    init() throws {
        let root = try Self.object(JSONSerialization.jsonObject(with: Vectors.data(Self.path)))
        let people = try Self.object(root["identities"])
        func secret(_ name: String) throws -> String { try Self.text(try Self.object(people[name])["sk"]) }
        (aliceSecret, bobSecret) = (try secret("alice"), try secret("bob"))
        (alice, bob) = (try SecretKey(hex: aliceSecret).publicKey, try SecretKey(hex: bobSecret).publicKey)
        id = try #require(CircleID(hex: Self.text(root["mls_group_id"])))
        let keys = try Self.object(root["bob_key_package_private"])
        func key(_ name: String) throws -> [UInt8] { try decodeHex(Self.text(keys[name]), byteCount: 32) }
        let published = try Self.event(root["bob_key_package_event"])
        let own = try OwnKeyPackage(
            keyPackage: KeyPackage(bytes: #require(Base64.decode(published.content))), initKey: key("init_priv"),
            leafKey: key("encryption_priv"),
            signer: SignaturePrivateKey(bytes: key("signature_priv"), for: .x25519AES128))
        keyPackage = KeptKeyPackage(own: own, event: published)
        welcome = try Rumor(json: Self.json(root["welcome_rumor"]))
        let all = try #require(root["steps"] as? [[String: Any]])
        steps = try all.map { step in
            Step(
                name: try Self.text(step["name"]), sender: try Self.text(step["sender"]),
                event: try Self.event(step["event"]),
                epochAfter: UInt64(try #require(step["epoch_after"] as? Int)))
        }
    }

    /// What Bob signs with.
    func bobKey() throws -> SecretKey { try SecretKey(hex: bobSecret) }

    /// The Welcome as Alice wraps it; of the wrap itself nothing was kept.
    func wrap() throws -> Event {
        var random = SeededRandom(seed: 1)
        return try GiftWrap.make(
            welcome, by: SecretKey(hex: aliceSecret), for: bob, now: welcome.createdAt, using: &random)
    }

    private static func event(_ any: Any?) throws -> Event {
        try Event(verifying: UnverifiedEvent(json: Array(json(any).utf8)))
    }

    private static func json(_ any: Any?) throws -> String {
        String(decoding: try JSONSerialization.data(withJSONObject: object(any)), as: UTF8.self)
    }

    private static func text(_ any: Any?) throws -> String { try #require(any as? String) }
    private static func object(_ any: Any?) throws -> [String: Any] { try #require(any as? [String: Any]) }
}

/// Bob's account, with the keys he had, before the relays of that conversation.
private struct CapturedBob {
    let capture: CapturedCircle
    let network: ScriptedNetwork
    let account: LiveAccount
    /// One of the two relays of the circle.
    let home: RelayURL
    var circles: AccountCircles {
        get throws {
            guard let circles = account.circles else { throw CircleError.locked }
            return circles
        }
    }

    init(_ capture: CapturedCircle) throws {
        let clock = ManualClock()
        let start = try #require(capture.steps.last).event.createdAt
        let now: @Sendable () -> Timestamp = { start + clock.now.offset }
        self.capture = capture
        network = ScriptedNetwork(clock: clock)
        home = try RelayURL("wss://relay.example.com")
        var configuration = AccountConfiguration(
            routing: RoutingPolicy(indexers: [relay("index")], fallback: [relay("fallback")]), searchRelays: [])
        configuration.coalescing = .zero
        account = LiveAccount(
            publicKey: capture.bob, signer: try LocalSigner(capture.bobKey()), store: MemoryEventStore(now: now),
            records: MemoryRecordStore(), network: network, configuration: configuration,
            time: Time(clock: clock, now: now), randomness: SeededRandom(seed: 2),
            unlocked: [AccountCircles.factory()])
        var random = SeededRandom(seed: 3)
        let inbox = EventDraft(
            kind: 10_050, tags: [["relay", "wss://bob.example"]], content: "", createdAt: start - .seconds(60))
        network.put([try Event(signing: inbox, with: capture.bobKey(), using: &random)], on: relay("index"))
    }

    /// Lets the account work, with its key package in the vault, until it has been asked whether to join.
    func invited(_ body: () async throws -> Void) async throws {
        await account.keyDidUnlock()
        try await circles.store.save(capture.keyPackage)
        network.put([try capture.wrap()], on: relay("bob"))
        try await withThrowingTaskGroup { group in
            group.addTask { await account.run() }
            defer { group.cancelAll() }
            try await eventually("he is asked") { try await !circles.reader.overview().invitations.isEmpty }
            try await body()
        }
    }

    func eventually(_ what: Testing.Comment, _ holds: () async throws -> Bool) async throws {
        try await MailBench.withCircles().eventually(what, holds)
    }

    var standing: CircleSummary.Standing? {
        get async throws { try await circles.reader.overview().circles.first { $0.id == capture.id }?.standing }
    }

    /// What the chat shows, oldest first.
    func lines() async throws -> [String] {
        try await circles.reader.page(of: capture.id, before: nil, limit: 100).lines.map { line in
            switch line.body {
            case .text(let text): text
            case .deleted: "deleted"
            case .muted: "muted"
            case .change(let change):
                "+\(change.added.count) -\(change.removed.count) left \(change.left.count) "
                    + "admins \(change.promoted.count) \(change.name ?? "")"
            }
        }
    }
}

/// As Bob through a conversation that MDK had, with a whole account before relays.
@Suite(
    .timeLimit(.minutes(10)), .enabled(if: Vectors.hold(CapturedCircle.path), CapturedCircle.reason))
struct CapturedCircleTests {
    /// What he said himself is among it: these keys have not sent it yet, so they open it once.
    private static let history = [
        "+0 -0 left 0 admins 1 Renamed", "+0 -0 left 1 admins 0 ", "+0 -1 left 0 admins 0 ",
        "+1 -0 left 0 admins 0 ", "hello bob", "hi alice", "unicode \u{2705} \u{1F9AB}",
    ]

    @Test("is asked, joins, and follows event by event until he is removed")
    func follows() async throws {
        let bob = try CapturedBob(CapturedCircle())
        let capture = bob.capture
        try await bob.invited {
            let invitation = try #require(try await bob.circles.reader.overview().invitations.first)
            #expect(invitation.id == capture.id && invitation.name == "Test group")
            #expect(invitation.inviter.key == capture.alice)
            #expect(try await bob.standing == nil)
            try await bob.circles.membership.acceptInvitation(to: capture.id)
            try await bob.eventually("he listens") { bob.network.standing[bob.home] != nil }
            for step in capture.steps {
                bob.network.arrive(step.event, on: bob.home)
                guard step.event.id != capture.steps.last?.event.id else { continue }
                try await bob.eventually("epoch \(step.epochAfter): \(step.name)") {
                    try await bob.circles.reader.health(of: capture.id).epoch == step.epochAfter
                }
            }
            try await bob.eventually("he is out") { try await bob.standing == .removed }
            let lines = try await bob.lines().sorted()
            #expect(lines == Self.history)
            #expect(try await bob.circles.reader.overview().circles.first?.name == "Renamed")
        }
    }

    @Test("is asked, and everything is on the relay already when he joins")
    func catchesUp() async throws {
        let bob = try CapturedBob(CapturedCircle())
        let capture = bob.capture
        bob.network.put(capture.steps.map(\.event), on: bob.home)
        try await bob.invited {
            try await bob.circles.membership.acceptInvitation(to: capture.id)
            try await bob.eventually("he is out") { try await bob.standing == .removed }
            let lines = try await bob.lines().sorted()
            #expect(lines == Self.history)
            await #expect(throws: CircleError.notMember) {
                try await bob.circles.messaging.send("me too", replyTo: nil, in: capture.id)
            }
        }
        // He answered nothing, and changed nothing, in a group that went on without him.
        #expect(!bob.network.offers.contains { $0.event.kind == .groupEvent })
    }
}
