internal import Marmot
internal import NostrClient
internal import NostrCore
internal import NostrNIPs

/// What is known of circles, for whoever asks relays about them.
extension CircleStore {
    /// The circles by id; none while locked.
    var circles: [CircleID: Circle] { state?.circles ?? [:] }

    /// Whether others were told once that the account can be let into a circle.
    var isInvitable: Bool { state?.keyPackages.isEmpty == false }

    /// Whether the account is in a circle, asked to be, or wants to be found by others.
    var isInUse: Bool {
        guard let state else { return false }
        return isInvitable || !state.asked.isEmpty || state.circles.values.contains { $0.session != nil }
    }

    /// The relays of a circle.
    ///
    /// - Parameter everKnown: those it named before, too.
    func relays(of id: CircleID, everKnown: Bool = false) -> [RelayURL] {
        guard let circle = circles[id] else { return [] }
        let current = circle.session?.roster.relayURLs ?? []
        guard everKnown else { return current }
        // A relay that has no address any more cannot be asked.
        let former = circle.record.relays.compactMap { try? RelayURL($0) }
        return current + former.filter { !current.contains($0) }
    }

    /// The relays that the person gave circles of their own founding: those may be in a private network.
    var typedRelays: Set<RelayURL> {
        Set(circles.values.flatMap(\.record.typedRelays).compactMap { try? RelayURL($0) })
    }

    /// What to ask each relay for.
    var requests: [RelayURL: [Filter]] {
        var byRelay: [RelayURL: Set<String>] = [:]
        for circle in circles.values {
            guard let session = circle.session, session.isMember else { continue }
            let ids = session.nostrGroupIDs.map(\.hex)
            for relay in session.roster.relayURLs { byRelay[relay, default: []].formUnion(ids) }
        }
        // What was missed is asked for page by page; here it is what comes from now on, and a little before.
        return byRelay.mapValues { [Filter(kinds: [.groupEvent], tags: ["h": $0], limit: Self.recent)] }
    }

    private static let recent = 20

    /// The circles that use a relay.
    func circles(at relay: RelayURL) -> [CircleID] { circles.keys.filter { relays(of: $0).contains(relay) } }

    /// The circle that an event is for, if it is one of ours.
    func circle(of event: Event) -> CircleID? {
        guard let word = event.tags.first(where: { $0.name == "h" })?.value else { return nil }
        return circles.values.first { circle in
            circle.session?.nostrGroupIDs.contains { $0.hex == word } ?? false
        }?.id
    }

    /// What to ask for when a circle is to be read again.
    func filter(of id: CircleID) -> Filter? { circles[id]?.session?.filter }

    /// From when on it may lack something.
    func since(_ id: CircleID) -> Timestamp { circles[id]?.session?.filter.since ?? now() }

    /// The admins of a circle.
    func admins(of id: CircleID) -> Set<PublicKey> { circles[id]?.session?.roster.presentAdmins ?? [] }

    /// Circles that are to be told that time passed.
    var due: [CircleID] {
        let now = self.now()
        return circles.values.filter { circle in
            (circle.session?.isDue(now: now) ?? false) || isEndingDue(circle, now: now)
        }.map(\.id)
    }
}
