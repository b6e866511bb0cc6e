import NostrCore
import NostrNIPs
import NostrTesting

@testable import Marmot

/// Those who see what relays have of a group, and post under its id whatever they like.
struct WorldStrangers: Sendable {
    /// How much a relay lets through.
    let perSecond: Int
    /// How long they post at that rate, of any while.
    static let burst: Int64 = 10

    /// Their own, so that members do in a world what they do in it without them.
    var random: SeededRandom
    /// Events of members, as relays have them.
    var seen: [Event] = []
    /// What they posted that nobody can open.
    var junk: Set<EventID> = []
    /// How many events they posted.
    var posted = 0

    init(seed: UInt64, perSecond: Int) {
        (random, self.perSecond) = (SeededRandom(seed: seed &+ 77), perSecond)
    }

    /// What they post besides what they copy.
    mutating func junk(under id: Bytes32, at moment: Timestamp) -> Event {
        var bytes: [UInt8] = []
        let model = seen.isEmpty ? nil : Base64.decode(seen[Int.random(in: seen.indices, using: &random)].content)
        switch Int.random(in: 0..<6, using: &random) {
        case 0..<2: bytes = noise(model?.count ?? 120)
        case 2: bytes = noise(Int.random(in: 0..<28, using: &random))
        case 3: bytes = noise(Int.random(in: 28...4000, using: &random))
        case 4: bytes = model.map { Array($0.prefix(Int.random(in: 0..<$0.count, using: &random))) } ?? []
        default:
            bytes = model ?? noise(120)
            bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        let event = post(Base64.encode(bytes.span), under: id, at: moment)
        junk.insert(event.id)
        return event
    }

    /// Something of a member in an event of their own.
    mutating func copy(of event: Event, under id: Bytes32, at moment: Timestamp) -> Event {
        post(event.content, under: id, at: moment)
    }

    private mutating func noise(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private mutating func post(_ content: String, under id: Bytes32, at moment: Timestamp) -> Event {
        posted += 1
        let draft = EventDraft(
            kind: .groupEvent, tags: [["h", id.hex], ["encoding", "base64"]], content: content, createdAt: moment)
        return Event(signing: draft, with: .generate(using: &random), using: &random)
    }
}

extension SessionWorld {
    /// What strangers post in a while, and who hears it.
    mutating func postJunk(during time: Duration) {
        guard var strangers, let id = members.lazy.compactMap({ $0.session?.nostrGroupIDs.min() }).first else { return }
        let count = Int(min(time.components.seconds, WorldStrangers.burst)) * strangers.perSecond
        var events: [Event] = []
        for _ in 0..<count {
            let moment = now + .seconds(Int64.random(in: -300...300, using: &strangers.random))
            guard let model = strangers.seen.suffix(32).randomElement(using: &strangers.random) else {
                events.append(strangers.junk(under: id, at: moment))
                continue
            }
            switch Int.random(in: 0..<10, using: &strangers.random) {
            // As it is, once more.
            case 0: events.append(model)
            case 1:
                let copy = strangers.copy(of: model, under: id, at: moment)
                audiences[copy.id] = audiences[model.id]
                events.append(copy)
            default: events.append(strangers.junk(under: id, at: moment))
            }
        }
        self.strangers = strangers
        for index in relays.indices where relays[index].isUp { for event in events { relays[index].store(event) } }
        guard relays.contains(where: \.isUp) else { return }
        for who in members.indices where members[who].isOnline && members[who].session != nil {
            heard(who, events.filter { _ in !fault(25) }, false)
        }
    }
}
