internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Somebody who began to follow the account.
struct Follower: Hashable, Sendable {
    let person: PublicKey
    /// The list by which that was noticed; they may have replaced it since.
    let id: EventID
    /// When, as that list said; never later than it came.
    let moment: Timestamp

    /// Where it stands among other notifications.
    var cursor: TimelineCursor { TimelineCursor(createdAt: moment, id: id) }
}

/// What a list of follows says about one of those it names.
struct FollowSighting: Hashable, Sendable {
    let person: PublicKey
    let id: EventID
    let createdAt: Timestamp
    /// How many people stand on the list after the one it is about.
    let after: Int

    /// Reads a list; `nil` unless it names the account, and is another's.
    init?(_ event: Event, naming account: PublicKey) {
        guard event.kind == FollowList.kind, event.pubkey != account else { return nil }
        let own = account.hex
        let people = event.tags.lazy.filter { $0.name == "p" }
        guard let place = people.reversed().enumerated().first(where: { $0.element.value == own })?.offset else {
            return nil
        }
        (person, id, createdAt, after) = (event.pubkey, event.id, event.createdAt, place)
    }
}

/// Who follows the account, as far as that was noticed here: each person is news once, however often their list changes.
///
/// Shape: a record for each person, and two moments.
struct FollowerHistory: Sendable {
    static let table = "followers"
    /// More are not remembered, and not told of: anybody can make keys.
    static let mostKept = 50_000
    /// Lists that name so many others after the account are only known, not news.
    ///
    /// Whoever follows somebody new puts them last (NIP-02). Such a list, seen for the first time, was most likely
    /// only changed: its author followed the account before anybody looked.
    static let mostAfter = 20
    private static let beganKey = "began", heardKey = "heard"

    /// Since when it is noticed; `nil` before the account was at work here.
    ///
    /// Lists from before are no news.
    private(set) var began: Timestamp?
    /// Until when relays told what lists name the account.
    private(set) var heard: Timestamp?
    /// Who was told of, the newest first.
    private(set) var told: [Follower] = []
    private var known: Set<PublicKey> = []

    /// Reads what was kept; what cannot be read is as if it were not there.
    init(records: [Record]) {
        for record in records {
            guard let value = try? JSONValue(record.value) else { continue }
            switch record.key {
            case Self.beganKey: began = Self.moment(value)
            case Self.heardKey: heard = Self.moment(value)
            default:
                guard let person = try? PublicKey(hex: record.key) else { continue }
                known.insert(person)
                guard let moment = Self.moment(value), let id = value["id"]?.string.flatMap({ try? EventID(hex: $0) })
                else { continue }
                told.append(Follower(person: person, id: id, moment: moment))
            }
        }
        told.sort { $0.cursor.isAbove($1.cursor) }
    }

    /// From now on it is noticed.
    mutating func begin(at now: Timestamp) -> [RecordChange] {
        guard began == nil else { return [] }
        (began, heard) = (now, now)
        return [Self.change(Self.beganKey, at: now), Self.change(Self.heardKey, at: now)]
    }

    /// Relays told everything until now.
    mutating func markHeard(until now: Timestamp) -> [RecordChange] {
        guard let before = heard, before < now else { return [] }
        heard = now
        return [Self.change(Self.heardKey, at: now)]
    }

    /// Somebody's list names the account.
    ///
    /// - Returns: what is to be written down, and the follower where that is news.
    mutating func receive(_ sighting: FollowSighting, now: Timestamp) -> (changes: [RecordChange], new: Follower?) {
        guard let began, known.count < Self.mostKept, known.insert(sighting.person).inserted else { return ([], nil) }
        let key = sighting.person.hex
        guard sighting.createdAt > began, sighting.after < Self.mostAfter else {
            return ([.put(table: Self.table, key: key, value: JSONValue.object([]).json)], nil)
        }
        let new = Follower(person: sighting.person, id: sighting.id, moment: min(sighting.createdAt, now))
        let place = told.firstIndex { new.cursor.isAbove($0.cursor) } ?? told.endIndex
        told.insert(new, at: place)
        return ([Self.change(key, at: new.moment, id: new.id)], new)
    }

    private static func change(_ key: String, at moment: Timestamp, id: EventID? = nil) -> RecordChange {
        var members = [JSONMember("at", .number("\(moment.seconds)"))]
        if let id { members.append(JSONMember("id", .string(id.hex))) }
        return .put(table: table, key: key, value: JSONValue.object(members).json)
    }

    private static func moment(_ value: JSONValue) -> Timestamp? {
        guard case .number(let text)? = value["at"] else { return nil }
        return Int64(text).map(Timestamp.init(seconds:))
    }
}
