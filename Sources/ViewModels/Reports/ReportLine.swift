public import NostrClient
public import NostrCore

/// What people reported one thing for, and who they are, as a screen shows it.
public struct ReportLine: Hashable, Sendable {
    /// What they say is wrong with it.
    public let reason: String
    /// Some of them, the newest first; the account itself stands in no list, but in ``isOwn``.
    public let people: [PersonItem]
    /// How many more there are.
    public let others: Int
    /// Whether the account is one of them.
    public let isOwn: Bool

    /// So many are named for one reason.
    public static let mostNamed = 5

    /// Reads a group.
    ///
    /// - Parameter own: whose account reads.
    public init(_ group: ReportGroup, own: PublicKey) {
        reason = group.reason.map(ReportWords.reason) ?? ReportWords.noKnownReason
        let all = group.people.filter { $0.key != own }
        people = all.prefix(Self.mostNamed).map(PersonItem.init)
        others = all.count - people.count
        isOwn = group.isOwn
    }
}

extension ReportLine {
    /// What people the account follows reported a note for; nothing where that cannot be read now.
    ///
    /// - Parameter author: who wrote the note.
    public static func load(
        about note: EventID, by author: PublicKey, of account: any Account
    ) async -> [ReportLine] {
        // A page without them is better than none.
        let groups = (try? await account.reports?.reports(about: note, by: author)) ?? []
        return groups.map { ReportLine($0, own: account.publicKey) }
    }

    /// What people the account follows reported a person for; nothing where that cannot be read now.
    public static func load(about person: PublicKey, of account: any Account) async -> [ReportLine] {
        // A page without them is better than none.
        let groups = (try? await account.reports?.reports(about: person)) ?? []
        return groups.map { ReportLine($0, own: account.publicKey) }
    }
}
