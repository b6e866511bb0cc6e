import Circles
import Foundation
import MLS
import Marmot
import NostrClient
import NostrCore
import NostrNIPs

/// A circle of many members, of whom one is the account that is measured and a few others have something to say.
struct CircleTown {
    static let profile = GenerationB()

    let id: CircleID
    let nostrID: Bytes32
    /// What comes to relays when it is founded: the commit that added all, and a Welcome for the newcomer.
    let founding: [Event]
    /// Members who speak, the founder first.
    private(set) var speakers: [MarmotGroup]
    private var random: Draws

    /// Founds a circle and adds all at once.
    ///
    /// - Parameters:
    ///   - newcomer: the event of the key package of the account that is measured; it is added last.
    ///   - moment: when.
    init(
        _ name: String, of size: Int, speaking count: Int, with newcomer: Event, at relay: RelayURL,
        _ moment: Timestamp,
        seed: UInt64
    ) throws {
        random = Draws(state: seed)
        let founder = SecretKey.generate(using: &random)
        nostrID = try Bytes32(randomBytes(32, using: &random).span)
        let data = GroupData(nostrGroupID: nostrID, name: name, admins: [founder.publicKey], relays: [relay])
        let profile = Self.profile
        let policy = MarmotPolicy(profile, clock: { moment })
        var others: [(own: OwnKeyPackage, published: PublishedKeyPackage)] = []
        for _ in 0..<size - 2 {
            let key = SecretKey.generate(using: &random)
            let own = try profile.newKeyPackage(for: key.publicKey, now: moment, using: &random)
            let publication = KeyPackagePublication(slot: Bytes32(), relays: [relay], now: moment)
            let event = Event(signing: try profile.draft(of: own.keyPackage, publication), with: key, using: &random)
            others.append((own, try profile.keyPackage(in: event, now: moment)))
        }
        let last = try profile.keyPackage(in: newcomer, now: moment)
        let invited = others.map(\.published) + [last]
        var group = try MarmotGroup(
            founding: data, with: try profile.newKeyPackage(for: founder.publicKey, now: moment, using: &random),
            invited: invited, profile: profile, policy: policy, using: &random)
        guard let circle = CircleID(group.mls.groupID) else { throw Late(description: "a circle has an id") }
        id = circle
        let commit = try group.commit(group.adding(invited), now: moment, using: &random)
        try group.merge(commit.commit)
        guard let welcome = commit.welcome else { throw Late(description: "there is a Welcome") }
        speakers = [group]
        for other in others.prefix(count - 1) {
            let rumor = try WelcomeRumor.rumor(
                welcome, for: other.published, by: founder.publicKey, relays: [relay], now: moment)
            let gift = UnwrappedGift(wrapID: rumor.id, wrapCreatedAt: moment, rumor: rumor)
            let invitation = try Invitation(
                WelcomeRumor(gift), with: other.own, publishedAs: [other.published.eventID], profile: profile)
            speakers.append(try invitation.join(policy: policy))
        }
        let rumor = try WelcomeRumor.rumor(welcome, for: last, by: founder.publicKey, relays: [relay], now: moment)
        let wrap = try GiftWrap.make(rumor, by: founder, for: last.owner, now: moment, using: &random)
        founding = [commit.event, wrap]
    }

    /// A line of the chat, said by one after the other.
    mutating func say(_ number: Int, _ moment: Timestamp) throws -> Event {
        let text = "the grey heron \(number) stands in the shallow water and waits for what the evening brings"
        return try send(try CircleMessage.chat(text, now: moment), by: number, moment)
    }

    /// Says something in the name of one of those who speak.
    mutating func send(_ draft: EventDraft, by number: Int, _ moment: Timestamp) throws -> Event {
        try speakers[number % speakers.count].send(draft, now: moment, using: &random).event
    }

    /// One of them has fresh keys, and all go on to the next epoch.
    mutating func renew(_ number: Int, _ moment: Timestamp) throws -> Event {
        let place = number % speakers.count
        let commit = try speakers[place].commit(now: moment, using: &random)
        try speakers[place].merge(commit.commit)
        for other in speakers.indices where other != place { try follow(commit.event, other, moment) }
        return commit.event
    }

    /// All who speak take a commit of the account that is measured.
    mutating func follow(_ event: Event, _ moment: Timestamp) throws {
        for speaker in speakers.indices { try follow(event, speaker, moment) }
    }

    private mutating func follow(_ event: Event, _ speaker: Int, _ moment: Timestamp) throws {
        guard case .commit(let commit) = try speakers[speaker].read(event, now: moment) else {
            throw Late(description: "it is a commit")
        }
        try speakers[speaker].merge(commit)
    }
}
