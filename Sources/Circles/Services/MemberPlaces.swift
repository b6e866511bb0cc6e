internal import AsyncPrimitives
public import Location
internal import Marmot
public import NostrClient
public import NostrCore
internal import NostrStore

/// Others' places: trails, named places, and what was noticed; nobody else learns of any of it.
public final class MemberPlaces: Sendable {
    /// The longest name of a place; unit: bytes.
    private static let longestName = 200

    private let context: UnlockedContext
    private let store: CircleStore

    private var account: AccountContext { context.account }

    init(_ context: UnlockedContext, store: CircleStore) { (self.context, self.store) = (context, store) }

    /// Keeps where members have been, this many days; nil wipes what was kept.
    ///
    /// - Parameter days: held in `Trail.days`.
    public func keepTrails(days: Int?, in id: CircleID) async throws {
        _ = try await store.member(of: id)
        let days = days.map { Trail(days: $0).days }
        if days == nil {
            try await store.changeWatch(
                id, further: { [$0.removeAll(in: CircleTable.trails, group: id.hex)] }
            ) { watched, _ in watched.trailDays = nil }
        } else {
            try await store.changeWatch(id) { watched, _ in watched.trailDays = days }
            try await store.forgetOldTrails()
        }
        account.changes.send(.circle(id))
    }

    /// Notes that our own battery is low.
    func noteBattery(_ percent: Int, in id: CircleID) async {
        let (own, now) = (account.publicKey, account.time.now())
        do {
            try await store.changeWatch(id) { watched, _ in watched.noteOwnBattery(percent, of: own, now: now) }
            account.changes.send(.circle(id))
        } catch {
            if !(error is CircleError) { account.report("a notice could not be kept", error) }
        }
    }

    /// How many days of trails are kept; nil for none.
    public func trailDays(in id: CircleID) async throws -> Int? { try await store.watch(of: id).trailDays }

    /// Where a member has been; nil where no trails are kept.
    public func trail(of person: PublicKey, in id: CircleID) async throws -> Trail? {
        try await store.trail(of: person, in: id)
    }

    /// The named places we watch in a circle, by name.
    public func named(in id: CircleID) async throws -> [NamedPlace] {
        try await store.watch(of: id).watch.places.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    /// Names a place and watches who comes and leaves.
    ///
    /// - Parameters:
    ///   - centre: its middle.
    ///   - radius: metres, held in `NamedPlace.radii`.
    /// - Throws: ``CircleError`` for an empty name or too many places.
    @discardableResult
    public func name(
        _ name: String, centre: Coordinate, radius: Double, in id: CircleID
    ) async throws -> NamedPlace {
        _ = try await store.member(of: id)
        let name = name.trimmingWhiteSpace()
        guard !name.isEmpty else { throw CircleError(.noPlaceName) }
        guard name.utf8.count <= Self.longestName else { throw CircleError(.placeNameTooLong) }
        let place = NamedPlace(
            id: encodeHex(account.random.bytes(16)), name: name, centre: centre, radius: radius)
        try await store.changeWatch(id) { watched, circle in
            guard watched.watch.places.count < PlaceWatch.mostPlaces else { throw CircleError(.tooManyPlaces) }
            watched.watch.watch(watched.watch.places + [place])
            for (person, known) in circle.knownPlaces {
                if let fix = known.fix { watched.watch.find(fix, of: person) }
            }
        }
        account.changes.send(.circle(id))
        return place
    }

    /// Forgets a place by its `NamedPlace.id`.
    public func forget(_ place: String, in id: CircleID) async throws {
        try await store.changeWatch(id) { watched, _ in
            watched.watch.watch(watched.watch.places.filter { $0.id != place })
        }
        account.changes.send(.circle(id))
    }

    /// Who came to named places and left them, and whose battery runs low, newest first; the last 100 of 30 days.
    ///
    /// Nothing is told of who is muted.
    public func notices(in id: CircleID) async throws -> [CircleNotice] {
        let mutes = await context.mutes.upToDate()
        let state = try await store.current()
        let oldest = account.time.now() - WatchRecord.noticesKept
        let kept = try await store.watch(of: id).notices.filter {
            $0.at >= oldest.seconds && !mutes.hides(person: $0.person)
        }
        // What was kept by us reads.
        let people = try await context.people.persons(Set(kept.compactMap { try? PublicKey(hex: $0.person) }))
        return kept.reversed().compactMap { notice in
            guard let key = try? PublicKey(hex: notice.person), let body = notice.body else { return nil }
            return CircleNotice(
                person: people[key] ?? Person(key: key),
                nickname: state.circles[id]?.record.members.nicknames[notice.person],
                body: body, at: Timestamp(seconds: notice.at))
        }
        .enumerated().sorted { ($1.element.at, $0.offset) < ($0.element.at, $1.offset) }.map(\.element)
    }
}
extension Circle {
    /// What members last told of where they are.
    var knownPlaces: [PublicKey: MemberPlace] {
        var known: [PublicKey: MemberPlace] = [:]
        for word in Set(record.members.places.keys).union(record.members.sharing.keys) {
            // What was kept by us reads.
            guard let person = try? PublicKey(hex: word) else { continue }
            known[person] = MemberPlace(record.members.places[word], record.members.sharing[word])
        }
        return known
    }
}

extension MemberPlace {
    /// What a member last told; a word about the sharing of the same second comes after the place it was told with.
    init(_ place: LatestRecord?, _ word: LatestRecord?) {
        self.init()
        if let place, case .location(let payload)? = place.message?.body, let fix = payload.fix {
            let shared = SharedPlace(
                fix: fix, sentAt: Timestamp(seconds: place.sentAt), interval: payload.interval,
                isStationary: payload.isStationary)
            receive(shared, now: Timestamp(seconds: place.arrivedAt))
        }
        if let word, word.sentAt >= place?.sentAt ?? .min, case .sharing(let notice)? = word.message?.body {
            receive(notice.why, at: Timestamp(seconds: word.sentAt), now: Timestamp(seconds: word.arrivedAt))
        }
    }
}

extension WatchRecord.Notice {
    fileprivate var body: CircleNotice.Body? {
        switch what {
        case .arrived: place.map { .arrived($0) }
        case .left: place.map { .left($0) }
        case .batteryLow: battery.map { .batteryLow($0) }
        }
    }
}
