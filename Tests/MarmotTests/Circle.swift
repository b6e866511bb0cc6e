import MLS
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import Marmot

/// When the tests are.
let noon = Timestamp(seconds: 1_800_000_000)

extension TestPerson {
    /// Signs a draft.
    func event(_ draft: EventDraft) -> Event {
        event(draft.content, kind: draft.kind, tags: draft.tags, at: draft.createdAt.seconds)
    }

    /// A key package of this person, and the event that publishes it.
    func keyPackage(
        slot: Bytes32 = Bytes32(), at now: Timestamp = noon
    ) throws -> (own: OwnKeyPackage, event: Event, published: PublishedKeyPackage) {
        var random = SeededRandom(seed: UInt64(rawValue))
        let own = try GenerationB().newKeyPackage(for: publicKey, now: now, using: &random)
        let relay = try RelayURL("wss://relay.example.com")
        let draft = try GenerationB().draft(
            of: own.keyPackage, KeyPackagePublication(slot: slot, relays: [relay], now: now))
        let event = Event(signing: draft, with: secretKey, using: &random)
        return (own, event, try GenerationB().keyPackage(in: event, now: now))
    }
}

/// A group of Alice, who is its admin, Bob and Carol.
struct Circle: Sendable {
    var alice: MarmotGroup
    var bob: MarmotGroup
    var carol: MarmotGroup

    private static let made = Result { try Circle() }

    /// The circle, made once.
    static func open() throws -> Circle { try made.get() }

    static func data(
        _ name: String = "Family", admins: Set<PublicKey> = [TestPerson.alice.publicKey]
    ) throws -> GroupData {
        var random = SeededRandom(seed: 3)
        return GroupData(
            nostrGroupID: .random(using: &random), name: name, admins: admins,
            relays: [try RelayURL("wss://relay.example.com")])
    }

    init() throws {
        var random = SeededRandom(seed: 4)
        let (bob, carol) = (try TestPerson.bob.keyPackage(), try TestPerson.carol.keyPackage())
        let invited = [bob.published, carol.published]
        var alice = try MarmotGroup(
            founding: Self.data(), with: TestPerson.alice.keyPackage().own, invited: invited, profile: GenerationB(),
            policy: MarmotPolicy.at(noon), using: &random)
        let commit = try alice.commit(alice.adding(invited), now: noon, using: &random)
        try alice.merge(commit.commit)
        let welcome = try #require(commit.welcome)
        (self.bob, self.carol) = (
            try Self.join(welcome, bob.own, bob.published), try Self.join(welcome, carol.own, carol.published)
        )
        self.alice = alice
    }

    static func rumor(
        _ welcome: Welcome, _ published: PublishedKeyPackage, by inviter: PublicKey = TestPerson.alice.publicKey
    ) throws -> Rumor {
        try WelcomeRumor.rumor(
            welcome, for: published, by: inviter, relays: [RelayURL("wss://relay.example.com")], now: noon)
    }

    static func join(_ welcome: Welcome, _ own: OwnKeyPackage, _ published: PublishedKeyPackage) throws -> MarmotGroup {
        try Invitation(
            WelcomeRumor(rumor(welcome, published)), with: own, publishedAs: [published.eventID],
            profile: GenerationB()
        ).join(policy: MarmotPolicy.at(noon))
    }
}

extension MarmotGroup {
    /// Reads an event that must be a commit, and merges it.
    mutating func follow(_ event: Event) throws {
        guard case .commit(let commit) = try read(event, now: noon) else {
            throw MarmotError(.malformed, "no commit")
        }
        try merge(commit)
    }

    /// The words of an event that must be a message.
    mutating func readText(_ event: Event) throws -> String {
        guard case .message(let message) = try read(event, now: noon) else {
            throw MarmotError(.malformed, "no message")
        }
        return message.rumor.content
    }

    mutating func sendText(_ text: String) throws -> Event {
        var random = SystemRandomNumberGenerator()
        return try send(EventDraft(kind: 9, content: text, createdAt: noon), now: noon, using: &random).event
    }

    mutating func change(_ changes: [Proposal] = [], withLeaving: Bool = true) throws -> OwnGroupCommit {
        var random = SystemRandomNumberGenerator()
        return try commit(changes, withLeaving: withLeaving, now: noon, using: &random)
    }

    /// Puts a message of MLS into an event without asking whether we may send it.
    func envelope(_ message: MLSMessage) throws -> Event {
        var random = SystemRandomNumberGenerator()
        return try profile.seal(
            message, under: #require(keyring.current), now: noon, expiration: nil, using: &random)
    }
}

/// Expects an error of one kind.
func refuses(
    _ code: MarmotError.Code, _ what: String = "", sourceLocation: SourceLocation = #_sourceLocation,
    _ attempt: () throws -> Void
) {
    do {
        try attempt()
        Issue.record("accepted: \(what)", sourceLocation: sourceLocation)
    } catch let error as MarmotError {
        #expect(error.code == code, "\(what): \(error)", sourceLocation: sourceLocation)
        #expect(error.reason.hasSuffix("."), "\(error)", sourceLocation: sourceLocation)
    } catch {
        Issue.record(error, "\(what)", sourceLocation: sourceLocation)
    }
}
