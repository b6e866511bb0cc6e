import NostrCore
import NostrNIPs

@testable import Marmot

/// What must hold of a world, while it goes on and when it ends.
extension SessionWorld {
    /// Notes who is in the group that an event was made for; later nobody else may read it.
    mutating func witness(_ who: Int, _ effects: [SessionEffect]) {
        guard let people = members[who].session?.group.roster.people else { return }
        for effect in effects {
            switch effect {
            case .publish(let event):
                commits.insert(event.id)
                audiences[event.id] = audiences[event.id] ?? people
            case .offer(let event): audiences[event.id] = audiences[event.id] ?? people
            default: break
            }
        }
    }

    /// A message is shown once, and only to who was in the group when it was said.
    mutating func shown(_ who: Int, _ message: GroupMessage) {
        if !members[who].shown.insert(message.rumor.id).inserted { violations.append("shown twice") }
        if audiences[message.rumor.id]?.contains(members[who].person) != true {
            violations.append("\(who) read what was not for them, of epoch \(message.epoch)")
        }
    }

    /// Only who is behind somebody is out of step, whatever strangers post.
    mutating func told(_ who: Int, _ notice: GroupNotice) {
        members[who].notices.append(notice)
        guard notice == .outOfStep, let own = members[who].place else { return }
        if members.allSatisfy({ $0.place == nil || $0.place == own }) {
            violations.append("\(who) is told to be out of step, and is where all are")
        }
    }

    /// Nobody can open what was sent while they were no member, by anything they have: neither before they came nor after
    /// they were removed.
    mutating func checkSecrecy() {
        for who in members.indices {
            guard let session = members[who].session else { continue }
            for event in onRelays {
                // That it does not open is what is expected.
                guard (try? GenerationB().open(event, with: session.group.keyring, now: event.createdAt)) != nil else {
                    continue
                }
                if audiences[event.id]?.contains(members[who].person) != true {
                    violations.append("\(who) can open what was not for them")
                }
            }
        }
    }

    /// Relays learn neither what is said nor by whom.
    mutating func checkRelays() {
        var needles = [Array(Self.marker.utf8)]
        for member in members { needles += [member.person.bytes.array, Array(member.person.hex.utf8)] }
        let search = NeedleSearch(needles)
        var authors: Set<PublicKey> = []
        for event in onRelays {
            if event.kind != .groupEvent { violations.append("a relay was sent an event of kind \(event.kind)") }
            if !authors.insert(event.pubkey).inserted { violations.append("one key signed two events") }
            if search.finds(in: event.json) || search.finds(in: Base64.decode(event.content) ?? []) {
                violations.append("a relay can read an event")
            }
        }
    }

    /// Every event that ever was on a relay and that somebody can open, once.
    private var onRelays: [Event] {
        var seen: Set<EventID> = []
        return relays.flatMap(\.events)
            .filter { seen.insert($0.id).inserted && strangers?.junk.contains($0.id) != true }
    }

    // MARK: - The end

    /// Those who are members, by what they think the group is.
    var branches: [WorldPlace: [WorldMember]] {
        Dictionary(grouping: members.filter { $0.place != nil }) {
            $0.place ?? .init(epoch: 0, authenticator: [], exporter: [], people: [])
        }
    }

    /// Where most are; nowhere if there are several such places.
    var mainPlace: WorldPlace? {
        let sizes = branches.mapValues(\.count)
        guard let most = sizes.values.max() else { return nil }
        let largest = sizes.filter { $0.value == most }.keys
        return largest.count == 1 ? largest.first : nil
    }

    /// Who is not where most are.
    var apart: [WorldMember] {
        let main = mainPlace
        return members.filter { $0.place != nil && $0.place != main }
    }

    /// Whether all agree, or those who do not were told by a notice that has a name.
    var isHonest: Bool { apart.allSatisfy { $0.told != nil } }

    /// Those whom most take for members, and who are none: no Welcome came, or they think that they were removed.
    var missing: [WorldMember] {
        guard let main = mainPlace else { return [] }
        return members.filter { main.people.contains($0.person) && !$0.isIn }
    }
}

/// Looks for any of several long byte strings.
struct NeedleSearch {
    private var byBeginning: [UInt64: [[UInt8]]] = [:]

    /// - Parameter needles: each of at least eight bytes.
    init(_ needles: [[UInt8]]) {
        for needle in needles {
            byBeginning[needle.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }, default: []].append(needle)
        }
    }

    func finds(in bytes: [UInt8]) -> Bool {
        var window: UInt64 = 0
        for (index, byte) in bytes.enumerated() {
            window = window << 8 | UInt64(byte)
            guard index >= 7, let needles = byBeginning[window] else { continue }
            if needles.contains(where: { bytes[(index - 7)...].starts(with: $0) }) { return true }
        }
        return false
    }
}
