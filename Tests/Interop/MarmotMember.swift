import Crypto
import Foundation
import MLS
import Marmot
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

/// A member of Marmot groups by our libraries; events are JSON, as peers print and read them.
struct MarmotMember {
    let person: TestPerson
    private let own: OwnKeyPackage
    private let publication: Event
    private let profile = GenerationB()
    private(set) var group: MarmotGroup?

    init(_ person: TestPerson) throws {
        var random = SystemRandomNumberGenerator()
        self.person = person
        own = try profile.newKeyPackage(for: person.publicKey, now: Self.moment, using: &random)
        let draft = try profile.draft(
            of: own.keyPackage,
            KeyPackagePublication(slot: Bytes32(), relays: [RelayURL("wss://relay.example.com")], now: Self.moment))
        publication = Event(signing: draft, with: person.secretKey, using: &random)
    }

    private static var moment: Timestamp { Timestamp(seconds: now()) }
    private var policy: MarmotPolicy { MarmotPolicy(profile, clock: { Self.moment }) }

    /// The key package as kind 30443.
    var keyPackage: String { String(decoding: publication.json, as: UTF8.self) }

    // MARK: - Coming in

    /// A group of our own.
    mutating func create(_ name: String) throws {
        var random = SystemRandomNumberGenerator()
        let id = try Bytes32(randomBytes(32, using: &random).span)
        let data = GroupData(
            nostrGroupID: id, name: name, admins: [person.publicKey],
            relays: [try RelayURL("wss://relay.example.com")])
        group = try MarmotGroup(
            founding: data, with: own, invited: [], profile: profile, policy: policy, using: &random)
    }

    /// Joins by the rumor of kind 444, sealed and wrapped by who invites.
    mutating func join(_ rumor: String, from inviter: TestPerson) throws {
        var random = SystemRandomNumberGenerator()
        let wrap = try GiftWrap.make(
            Rumor(json: rumor), by: inviter.secretKey, for: person.publicKey, now: Self.moment, using: &random)
        let gift = try UnwrappedGift(opening: wrap, with: person.secretKey, authors: ConversationKeyCache())
        let invitation = try Invitation(
            WelcomeRumor(gift), with: own, publishedAs: [publication.id], profile: profile)
        group = try invitation.join(policy: policy)
    }

    /// Adds whoever published a key package.
    mutating func add(_ event: String) throws -> (event: String, invitation: String) {
        let published = try profile.keyPackage(in: Self.event(event), now: Self.moment)
        let changes = try #require(group).adding([published])
        let (event, welcome) = try commit(changes)
        let rumor = try WelcomeRumor.rumor(
            #require(welcome), for: published, by: person.publicKey, relays: #require(group).roster.data.relayURLs,
            now: Self.moment)
        return (event, rumor.json)
    }

    // MARK: - Talking

    mutating func send(_ text: String) throws -> String {
        var random = SystemRandomNumberGenerator()
        let draft = EventDraft(kind: 9, content: text, createdAt: Self.moment)
        let sent = try group?.send(draft, now: Self.moment, using: &random)
        return String(decoding: try #require(sent).event.json, as: UTF8.self)
    }

    mutating func leave() throws -> String {
        var random = SystemRandomNumberGenerator()
        let event = try group?.leave(now: Self.moment, using: &random)
        return String(decoding: try #require(event).json, as: UTF8.self)
    }

    /// Commits, and is in the next epoch at once: nobody else commits in these tests.
    mutating func commit(_ changes: [Proposal] = []) throws -> (event: String, welcome: Welcome?) {
        var random = SystemRandomNumberGenerator()
        let commit = try #require(try group?.commit(changes, now: Self.moment, using: &random))
        try group?.merge(commit.commit)
        return (String(decoding: commit.event.json, as: UTF8.self), commit.welcome)
    }

    /// The text of a message, or nothing for what changes the group, which is merged unless it removes us.
    mutating func receive(_ json: String) throws -> String? {
        switch try group?.read(Self.event(json), now: Self.moment) {
        case .message(let message): return message.rumor.content
        case .proposal(_, _, let handling): #expect(handling == .commit)
        case .commit(let commit) where commit.removesUs: group = nil
        case .commit(let commit): try group?.merge(commit)
        case .unripe: Issue.record("it cannot be read yet")
        case nil: Issue.record("there is no group")
        }
        return nil
    }

    /// Where the group stands, as the peer's own `state` says it: MDK shows a hash of the encoded tree.
    var state: [String] {
        guard let group else { return [] }
        let tree = encodeHex(Array(SHA256.hash(data: group.mls.ratchetTree)))
        return ["\(group.mls.epoch)", tree, "\(group.mls.members.count)", group.roster.data.name]
    }

    private static func event(_ json: String) throws -> Event {
        try Event(verifying: UnverifiedEvent(json: Array(json.utf8)))
    }
}
