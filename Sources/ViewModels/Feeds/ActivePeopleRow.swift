public import NostrClient

/// Who of the followed wrote in the last minutes, for a row above home.
public struct ActivePeopleRow: Hashable, Sendable {
    /// So many are shown.
    public static let most = 12

    /// The people, who wrote last first.
    public let people: [PersonItem]

    /// Reads who is there; nobody where that cannot be read.
    public static func load(of account: any Account) async -> ActivePeopleRow {
        // Home stands without it.
        let people = (try? await account.timeline.activePeople(limit: most)) ?? []
        return ActivePeopleRow(people: people.map { PersonItem($0) })
    }
}
