internal import Marmot
internal import NostrCore
internal import NostrNIPs

/// What is known of circles, for whoever asks relays about them.
extension CircleKeeper {
    /// The circles by id; none while locked.
    var seats: [CircleID: Seat] { opened?.seats ?? [:] }

    /// Whether others were told once that one can be let into a circle.
    var isInvitable: Bool { opened?.keyPackages.isEmpty == false }

    /// Whether one is in a circle, asked to be, or wants to be found by others.
    var isInUse: Bool {
        guard let opened else { return false }
        return isInvitable || !opened.asked.isEmpty || opened.seats.values.contains { $0.session != nil }
    }

    /// The relays of a circle.
    ///
    /// - Parameter everKnown: those it named before, too.
    func relays(of id: CircleID, everKnown: Bool = false) -> [RelayURL] {
        guard let seat = seats[id] else { return [] }
        let current = seat.session?.roster.data.relayURLs ?? []
        guard everKnown else { return current }
        // A relay that has no address any more cannot be asked.
        let former = seat.record.relays.compactMap { try? RelayURL($0) }
        return current + former.filter { !current.contains($0) }
    }

    /// What to ask each relay for.
    var requests: [RelayURL: [Filter]] {
        var byRelay: [RelayURL: Set<String>] = [:]
        for seat in seats.values {
            guard let session = seat.session, session.isMember else { continue }
            let ids = session.nostrGroupIDs.map(\.hex)
            for relay in session.roster.data.relayURLs { byRelay[relay, default: []].formUnion(ids) }
        }
        // What was missed is asked for page by page; here it is what comes from now on, and a little before.
        return byRelay.mapValues { [Filter(kinds: [.groupEvent], tags: ["h": $0], limit: Self.recent)] }
    }

    private static let recent = 20

    /// The circles that use a relay.
    func circles(at relay: RelayURL) -> [CircleID] { seats.keys.filter { relays(of: $0).contains(relay) } }

    /// The circle that an event is for, if it is one of ours.
    func circle(of event: Event) -> CircleID? {
        guard let word = event.tags.first(where: { $0.name == "h" })?.value else { return nil }
        return seats.values.first { seat in
            seat.session?.nostrGroupIDs.contains { $0.hex == word } ?? false
        }?.id
    }

    /// What to ask for when a circle is to be read again.
    func filter(of id: CircleID) -> Filter? { seats[id]?.session?.filter }

    /// From when on it may lack something.
    func since(_ id: CircleID) -> Timestamp { seats[id]?.session?.filter.since ?? now() }

    /// The admins of a circle.
    func admins(of id: CircleID) -> Set<PublicKey> { seats[id]?.session?.roster.presentAdmins ?? [] }

    /// The lines of a circle, in no order.
    ///
    /// - Throws: ``CircleError/locked``, and what the store throws.
    func lines(of id: CircleID) async throws -> [OpenCircle.Line] {
        let records = try current().records
        if let known = shelf.lines(of: id) { return known }
        let revision = shelf.revision
        // A line that is damaged must not hide the others.
        let found = try await records.values(in: CircleTable.lines, group: id.hex) { bytes in
            CircleLineRecord.record(bytes).flatMap { OpenCircle.Line($0) }
        }.compactMap(\.self)
        shelf.fill(id, with: found, readAt: revision)
        return found
    }

    /// Circles that are to be told that time passed.
    var due: [CircleID] {
        let now = self.now()
        return seats.values.filter { seat in
            (seat.session?.isDue(now: now) ?? false) || isBurningDue(seat, now: now)
        }.map(\.id)
    }
}
