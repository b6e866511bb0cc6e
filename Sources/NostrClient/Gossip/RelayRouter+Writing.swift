public import NostrCore
internal import NostrNIPs

/// One relay an event goes to, and why.
public struct Destination: Hashable, Sendable {
    /// Where the event is offered.
    public var relay: RelayURL
    /// Why it was chosen.
    public var purpose: PublishReceipt.Purpose

    /// A relay that is to get an event; it is not asked whether it may.
    public init(relay: RelayURL, purpose: PublishReceipt.Purpose) {
        self.relay = relay
        self.purpose = purpose
    }
}

extension RelayRouter {
    /// Kinds that everybody looks for on indexers.
    static let announcements: Set<Kind> = [0, 3, 10_002, 10_050, 10_051]

    /// Where an event of the account's own goes: its write relays, the read relays of everyone it mentions, for profile,
    /// follows and relay lists also the indexers, for a deletion also every relay known to hold its target.
    ///
    /// - Parameters:
    ///   - event: the event, signed; protected ones (NIP-70) go to own relays alone.
    ///   - holders: relays that are known to hold what a deletion names.
    public func destinations(
        for event: Event, holders: Set<RelayURL> = [], now: Timestamp
    ) -> [Destination] {
        var found = Destinations()
        let write = Array(ownWrite.prefix(policy.ownWriteRelays))
        found.add(write, for: .ownWrite)
        if event.tags.isProtected { return found.list }
        // Whoever looks at a new place finds the list there, and at the old ones where to go.
        if let list = RelayList(event) { found.add(list.writeRelays.filter(trusts), for: .ownWrite) }
        if event.kind == 5 { found.add(holders.filter(trusts).sorted(), for: .ownWrite) }
        if Self.announcements.contains(event.kind) { found.add(indexers, for: .indexer) }
        if event.kind.notifiesMentions {
            let mentioned = event.mentionedPeople.filter { $0 != account }
            for destination in inboxes(of: mentioned, now: now) {
                found.add([destination.relay], for: destination.purpose)
            }
        }
        return found.list
    }

    /// The read relays of mentioned people: first one for everyone, then a second, up to the caps, so that a long
    /// list of mentions leaves nobody out as long as there is room.
    public func inboxes(of people: [PublicKey], now: Timestamp) -> [Destination] {
        let open = people.map { ($0, inbox(of: $0, now: now)) }
        var found = Destinations()
        for round in 0..<policy.inboxRelaysPerPerson {
            for (person, relays) in open where relays.indices.contains(round) {
                if found.list.count >= policy.inboxRelays { return found.list }
                found.add([relays[round]], for: .readOf(person))
            }
        }
        return found.list
    }

    /// People an event mentions whose relay list is not known.
    public func strangers(in event: Event) -> Set<PublicKey> {
        guard event.kind.notifiesMentions, !event.tags.isProtected else { return [] }
        return Set(event.mentionedPeople.filter { $0 != account && lists[$0] == nil })
    }

    private func inbox(of person: PublicKey, now: Timestamp) -> [RelayURL] {
        let listed = (lists[person]?.read ?? []).filter(trusts)
        let living = listed.filter { !health.isDown($0, now: now) }
        if !living.isEmpty { return living }
        return listed.isEmpty ? Array(hints.relays(of: person).filter(trusts).prefix(2)) : listed
    }
}

/// Destinations in order, each relay once; the first reason stands.
private struct Destinations {
    private(set) var list: [Destination] = []
    private var seen: Set<RelayURL> = []

    mutating func add(_ relays: [RelayURL], for purpose: PublishReceipt.Purpose) {
        for relay in relays where seen.insert(relay).inserted {
            list.append(Destination(relay: relay, purpose: purpose))
        }
    }
}

extension Kind {
    /// Whether people named in `p` tags are meant to hear of it; the `p` tags of lists are entries, not mentions.
    var notifiesMentions: Bool {
        switch rawValue {
        case 1, 6, 7, 16, 20, 21, 22, 1068, 1111, 30_023, 34_235, 34_236: true
        default: false
        }
    }
}

extension Event {
    /// The people in its `p` tags, each once, in order.
    var mentionedPeople: [PublicKey] {
        var seen: Set<PublicKey> = []
        return tags.named("p").compactMap { tag in
            // A `p` tag that holds no key mentions nobody.
            guard let hex = tag.value, let key = try? PublicKey(hex: hex), seen.insert(key).inserted else { return nil }
            return key
        }
    }
}
