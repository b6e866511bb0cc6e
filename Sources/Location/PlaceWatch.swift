public import NostrCore

/// That a member came to a place or left it.
///
/// Equal notices are the same crossing: what shows them can tell one it has shown.
public struct PlaceNotice: Hashable, Sendable {
    /// Who.
    public let member: PublicKey
    /// The ``NamedPlace/id`` of the place.
    public let place: String
    /// Whether they came; else they left.
    public let isArrival: Bool
    /// The moment of the position that decided it.
    public let moment: Timestamp
}

/// Watches who comes to named places and leaves them, from what this reader knows: nobody else learns of the places.
///
/// The first position that decides is where somebody is found, not a crossing. After it there is one notice per
/// crossing, also over a restart when the state is kept together with the notice.
public struct PlaceWatch: Hashable, Sendable {
    /// As many places are watched.
    public static let mostPlaces = 256

    /// What was last known of a member.
    private struct Seen: Hashable {
        var moment: Timestamp
        var inside: [String: Bool] = [:]
    }

    /// The places watched.
    public private(set) var places: [NamedPlace] = []
    private var members: [PublicKey: Seen] = [:]

    /// No places.
    public init() {}

    /// Watches these places, at most ``mostPlaces``; who is inside one that has moved or changed in size is found anew.
    public mutating func watch(_ new: [NamedPlace]) {
        let old = Dictionary(places.map { ($0.id, $0) }) { _, last in last }
        places = Array(new.prefix(Self.mostPlaces))
        let same = Set(
            places.filter { old[$0.id]?.centre == $0.centre && old[$0.id]?.radius == $0.radius }.map(\.id))
        members = members.mapValues { seen in
            Seen(moment: seen.moment, inside: seen.inside.filter { same.contains($0.key) })
        }
    }

    /// Finds a member at a position that was known before a place was watched; no crossing comes of it.
    public mutating func find(_ fix: Fix, of member: PublicKey) {
        var seen = members[member] ?? Seen(moment: fix.moment)
        for place in places where seen.inside[place.id] == nil {
            if let isInside = place.contains(fix) { seen.inside[place.id] = isInside }
        }
        members[member] = seen
    }

    /// Takes a position of a member; one that is not newer than the last is ignored.
    public mutating func receive(_ fix: Fix, of member: PublicKey, now: Timestamp) -> [PlaceNotice] {
        let fix = fix.dated(noLaterThan: now)
        var seen = members[member] ?? Seen(moment: Timestamp(seconds: -1))
        // After the clock was put back, nothing was seen later than now.
        seen.moment = min(seen.moment, now - .seconds(1))
        guard fix.moment > seen.moment else { return [] }
        seen.moment = fix.moment
        var notices: [PlaceNotice] = []
        for place in places {
            guard let isInside = place.contains(fix) else { continue }
            let before = seen.inside.updateValue(isInside, forKey: place.id)
            if let before, before != isInside {
                notices.append(
                    PlaceNotice(member: member, place: place.id, isArrival: isInside, moment: fix.moment))
            }
        }
        members[member] = seen
        return notices
    }

    /// Whether a member was last known inside a place; `nil` when nothing has decided.
    public func isInside(_ member: PublicKey, _ place: NamedPlace) -> Bool? { members[member]?.inside[place.id] }

    /// Forgets who is not a member any more.
    public mutating func keep(_ people: Set<PublicKey>) {
        members = members.filter { people.contains($0.key) }
    }
}

extension PlaceWatch: Codable {
    private enum CodingKeys: String, CodingKey { case places, members }

    private struct Kept: Codable {
        var moment: Int64
        var inside: [String: Bool]
    }

    /// Reads what was kept.
    ///
    /// - Throws: `DecodingError`, and ``/NostrCore/HexError`` for a key that is none.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        places = Array(try values.decode([NamedPlace].self, forKey: .places).prefix(Self.mostPlaces))
        for (key, kept) in try values.decode([String: Kept].self, forKey: .members) {
            members[try PublicKey(hex: key)] = Seen(moment: Timestamp(seconds: kept.moment), inside: kept.inside)
        }
    }

    /// Writes the watch for a record that is sealed before it is kept.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(places, forKey: .places)
        let kept = members.map { ($0.key.hex, Kept(moment: $0.value.moment.seconds, inside: $0.value.inside)) }
        try values.encode(Dictionary(kept) { first, _ in first }, forKey: .members)
    }
}
