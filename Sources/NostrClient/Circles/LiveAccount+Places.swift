public import Location
internal import Marmot
public import NostrCore
internal import NostrStore

/// Others' places as screens see them: trails, named places, and what was noticed.
extension LiveAccount {
    /// The longest name of a place; unit: bytes.
    private static let longestPlaceName = 200

    public func keepTrails(days: Int?, in id: CircleID) async throws {
        _ = try await member(of: id)
        let days = days.map { Trail(days: $0).days }
        if days == nil {
            try await circleKeeper.changeWatch(
                id, further: { [$0.removeAll(in: CircleTable.trails, group: id.hex)] }
            ) { watched, _ in watched.trailDays = nil }
        } else {
            try await circleKeeper.changeWatch(id) { watched, _ in watched.trailDays = days }
            try await circleKeeper.forgetOldTrails()
        }
        feed.send(.circle(id))
    }

    public func trailDays(in id: CircleID) async throws -> Int? {
        _ = try await openedCircles()
        return try await circleKeeper.watch(of: id).trailDays
    }

    public func trail(of person: PublicKey, in id: CircleID) async throws -> Trail? {
        _ = try await openedCircles()
        return try await circleKeeper.trail(of: person, in: id)
    }

    public func namedPlaces(in id: CircleID) async throws -> [NamedPlace] {
        _ = try await openedCircles()
        return try await circleKeeper.watch(of: id).watch.places.sorted { ($0.name, $0.id) < ($1.name, $1.id) }
    }

    @discardableResult
    public func namePlace(
        _ name: String, centre: Coordinate, radius: Double, in id: CircleID
    ) async throws -> NamedPlace {
        _ = try await member(of: id)
        let name = name.trimmingWhiteSpace()
        guard !name.isEmpty else { throw CircleError(.empty, "Give the place a name.") }
        guard name.utf8.count <= Self.longestPlaceName else {
            throw CircleError(.tooLong, "This name is too long for a place.")
        }
        let place = NamedPlace(id: encodeHex(drawBytes(16)), name: name, centre: centre, radius: radius)
        try await circleKeeper.changeWatch(id) { watched, seat in
            guard watched.watch.places.count < PlaceWatch.mostPlaces else { throw CircleError.tooManyPlaces }
            watched.watch.watch(watched.watch.places + [place])
            for (person, known) in seat.knownPlaces {
                if let fix = known.fix { watched.watch.find(fix, of: person) }
            }
        }
        feed.send(.circle(id))
        return place
    }

    public func forgetPlace(_ place: String, in id: CircleID) async throws {
        _ = try await openedCircles()
        try await circleKeeper.changeWatch(id) { watched, _ in
            watched.watch.watch(watched.watch.places.filter { $0.id != place })
        }
        feed.send(.circle(id))
    }

    public func notices(in id: CircleID) async throws -> [CircleNotice] {
        let opened = try await openedCircles()
        let oldest = time.now() - WatchRecord.noticesKept
        let kept = try await circleKeeper.watch(of: id).notices.filter { $0.at >= oldest.seconds }
        // What was kept by us reads.
        let people = try await persons(Set(kept.compactMap { try? PublicKey(hex: $0.person) }))
        return kept.reversed().compactMap { notice in
            guard let key = try? PublicKey(hex: notice.person), let body = notice.body else { return nil }
            return CircleNotice(
                person: people[key] ?? Person(key: key), nickname: opened.seats[id]?.record.nicknames[notice.person],
                body: body, at: Timestamp(seconds: notice.at))
        }
        .enumerated().sorted { ($1.element.at, $0.offset) < ($0.element.at, $1.offset) }.map(\.element)
    }

    /// Why a member's place is old, or why there is none.
    ///
    /// - Parameter conditions: what keeps this program from hearing.
    func whyOld(
        _ known: MemberPlace, of person: PublicKey, in seat: CircleKeeper.Seat, _ conditions: ReadingConditions
    ) -> StaleReason? {
        let entry = sharingDesk.entries[seat.id]
        let why = known.staleness(now: time.now(), local: ownInterval(in: seat.id), conditions: conditions)
        // Of oneself more is known than the circle was told.
        guard person == publicKey, let entry, entry.record.isOn else { return why }
        if let paused = entry.record.sharing.pausedReason, case .paused(let until) = paused {
            return .paused(until: until)
        }
        guard let why else { return nil }
        if case .here = why { return why }
        return entry.record.sharing.failure.map { .here($0.trouble) } ?? why
    }

    /// The reader's own interval, for members who announce none.
    func ownInterval(in id: CircleID) -> SharingInterval {
        sharingDesk.entries[id]?.record.sharing.settings.interval ?? .hour
    }
}

extension CircleError {
    static let tooManyPlaces = CircleError(.refused, "There are too many places already; forget one first.")
}

extension CircleKeeper.Seat {
    /// What members last told of where they are.
    var knownPlaces: [PublicKey: MemberPlace] {
        var known: [PublicKey: MemberPlace] = [:]
        for word in Set(record.places.keys).union(record.sharing.keys) {
            // What was kept by us reads.
            guard let person = try? PublicKey(hex: word) else { continue }
            known[person] = MemberPlace(record.places[word], record.sharing[word])
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
