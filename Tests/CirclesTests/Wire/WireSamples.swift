import MLS
import Marmot
import NostrCore
import NostrNIPs
import NostrTesting

@testable import Circles

/// When these tests are.
let noon = Timestamp(seconds: 1_800_000_000)

extension TestPerson {
    /// What this person says, as it comes out of a circle.
    func says(_ content: String, kind: Kind = 9, tags: [Tag] = [], isAdmin: Bool = false) -> CircleMessage {
        says(EventDraft(kind: kind, tags: tags, content: content, createdAt: noon), isAdmin: isAdmin)
    }

    func says(_ draft: EventDraft, isAdmin: Bool = false) -> CircleMessage {
        CircleMessage(Rumor(draft, author: publicKey), isFromAdmin: isAdmin)
    }

    /// A key package of this person, in the event that publishes it.
    func keyPackageEvent(slot: Bytes32 = Bytes32(), at now: Timestamp = noon) throws -> Event {
        try keyPackage(slot: slot, at: now).event
    }

    /// A key package of this person, and the event that publishes it.
    func keyPackage(
        slot: Bytes32 = Bytes32(), at now: Timestamp = noon
    ) throws -> (own: OwnKeyPackage, event: Event) {
        var random = SeededRandom(seed: UInt64(rawValue))
        let own = try GenerationB().newKeyPackage(for: publicKey, now: now, using: &random)
        let draft = try GenerationB().draft(
            of: own.keyPackage,
            KeyPackagePublication(slot: slot, relays: [RelayURL("wss://relay.example.com")], now: now))
        return (own, Event(signing: draft, with: secretKey, using: &random))
    }
}

/// A group of Alice, who is its admin, and Bob.
enum GroupOfTwo {
    static func open() throws -> (alice: MarmotGroup, bob: MarmotGroup) {
        var random = SeededRandom(seed: 4)
        let (own, event) = try TestPerson.bob.keyPackage()
        let invited = try GenerationB().keyPackage(in: event, now: noon)
        let relay = try RelayURL("wss://relay.example.com")
        let policy = MarmotPolicy(GenerationB(), clock: { noon })
        var alice = try MarmotGroup(
            founding: GroupData(
                nostrGroupID: TestPerson.alice.event("Family").id.bytes, name: "Family",
                admins: [TestPerson.alice.publicKey],
                relays: [relay]),
            with: TestPerson.alice.keyPackage().own, invited: [invited], profile: GenerationB(), policy: policy,
            using: &random)
        let commit = try alice.commit(alice.adding([invited]), now: noon, using: &random)
        try alice.merge(commit.commit)
        guard let welcome = commit.welcome else { throw GiftRejection.notARumor }
        let rumor = try WelcomeRumor.rumor(
            welcome, for: invited, by: TestPerson.alice.publicKey, relays: [relay], now: noon)
        let gift = UnwrappedGift(wrapID: rumor.id, wrapCreatedAt: noon, rumor: rumor)
        let bob = try Invitation(
            WelcomeRumor(gift), with: own, publishedAs: [invited.eventID], profile: GenerationB()
        ).join(policy: policy)
        return (alice, bob)
    }
}

/// A file with the segments of a JPEG, of exactly so many bytes; what stands for the picture is noise.
func jpeg(_ count: Int, width: UInt16 = 128, height: UInt16 = 96, seed: UInt64 = 1) -> [UInt8] {
    var random = SeededRandom(seed: seed)
    let sides = [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let head: [UInt8] =
        [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8] + sides + [1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
    let coded = (0..<max(0, count - head.count - 2)).map { _ in UInt8.random(in: 0...254, using: &random) }
    return head + coded + [0xFF, 0xD9]
}
