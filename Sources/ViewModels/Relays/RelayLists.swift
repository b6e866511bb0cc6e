public import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay

/// The account's lists of relays, beside the one that says where it writes and reads.
public struct RelayLists: Equatable, Sendable {
    /// The lists, those that do not exist yet included.
    public let rows: [ListsPage.Row]
    /// What is to be thought of, in sentences.
    public let advice: [String]
    /// Relays that asked who the person is and wait for the answer.
    public let questions: Int

    /// The lists of an account; none for one without a key.
    public static func load(of account: any Account) async throws(Trouble) -> RelayLists {
        try await troubled {
            guard let lists = account.lists else { return RelayLists(rows: [], advice: [], questions: 0) }
            let all = try await lists.lists()
            let inbox = try await lists.list(.directMessageRelays, identifier: "").publicItems.compactMap {
                if case .relay(let relay) = $0 { relay } else { nil }
            }
            let reports = try await account.network.relays()
            let closed = reports.filter { inbox.contains($0.relay) && $0.statistics.restrictsWrites == true }
            let rows = ListsPage(all).sections.filter { $0.category == .relays }.flatMap(\.rows)
            return RelayLists(
                rows: rows.filter { RelayMembership.kinds.contains($0.sort.kind) },
                advice: inbox.isEmpty
                    ? [RelaysWords.noInbox] : closed.map { RelaysWords.closedInbox(shortAddress($0.relay)) },
                questions: await account.network.connection().questions)
        }
    }
}
