public import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Reads reports from the store; they come with what is gathered around notes, and with what is known of people.
public struct ReportReader: ReportReading {
    /// So many of them are looked at, the newest.
    private static let mostReports = 500

    private let context: AccountContext
    private let gossip: Gossip
    private let people: People
    private let mutes: MutesInForce

    init(_ context: AccountContext, gossip: Gossip, people: People, mutes: MutesInForce) {
        self.context = context
        self.gossip = gossip
        self.people = people
        self.mutes = mutes
    }

    public func reports(about id: EventID, by author: PublicKey) async throws -> [ReportGroup] {
        // Reports may name any version by its address.
        let address = try await context.store.query([Filter(ids: [id])]).first?.address
        let place = address.map { ["a": [$0.description]] as [Character: Set<String>] }
        return try await groups(
            .event(id, by: author, at: address), naming: [["e": [id.hex]], place].compactMap(\.self))
    }

    public func reports(about person: PublicKey) async throws -> [ReportGroup] {
        try await groups(.person(person), naming: [["p": [person.hex]]])
    }

    private func groups(
        _ target: ReportTally.Target, naming tags: [[Character: Set<String>]]
    ) async throws -> [ReportGroup] {
        try await gossip.load()
        let trusted = gossip.followed.union([context.publicKey]).subtracting(await mutes.upToDate().people)
        let filters = tags.map { Filter(authors: trusted, kinds: [Report.kind], tags: $0, limit: Self.mostReports) }
        let lines = ReportTally(try await context.store.query(filters), of: target).ranked
        guard !lines.isEmpty else { return [] }
        let persons = try await people.persons(Set(lines.flatMap(\.people)))
        return lines.map { line in
            ReportGroup(
                reason: line.reason, people: line.people.map { persons[$0] ?? Person(key: $0) },
                isOwn: line.people.contains(context.publicKey))
        }
    }
}

/// Counts reports about one thing by their reasons: each person once, by what they said last.
struct ReportTally: Sendable {
    /// What is reported.
    enum Target: Hashable, Sendable {
        /// An event, or any version of what stands at its address; a report that names another author for it is about
        /// something else.
        case event(EventID, by: PublicKey, at: EventAddress? = nil)
        /// A person, whatever they wrote.
        case person(PublicKey)
    }

    /// One reason, and who gave it.
    struct Line: Hashable, Sendable {
        let reason: Report.Reason?
        var people: [PublicKey]
    }

    private var lines: [Line] = []

    /// Counts those of some events, newest first, that report this.
    init(_ events: [Event], of target: Target) {
        var seen: Set<PublicKey> = []
        for event in events {
            guard let report = Report(event), report.isAbout(target), seen.insert(event.pubkey).inserted else {
                continue
            }
            if let place = lines.firstIndex(where: { $0.reason == report.reason }) {
                lines[place].people.append(event.pubkey)
            } else {
                lines.append(Line(reason: report.reason, people: [event.pubkey]))
            }
        }
    }

    /// The reason that most people gave first; of equal ones that of the newest report.
    var ranked: [Line] {
        lines.enumerated().sorted { a, b in
            (b.element.people.count, a.offset) < (a.element.people.count, b.offset)
        }.map(\.element)
    }
}

extension Report {
    fileprivate func isAbout(_ target: ReportTally.Target) -> Bool {
        switch target {
        case .event(let id, let author, let place):
            person == author && (event == id || place != nil && address == place)
        case .person(let key): event == nil && address == nil && person == key
        }
    }
}
