public import NostrClient
public import NostrCore

/// The drafts of an account, and where they go.
public struct DraftsPage: Equatable, Sendable {
    /// Where drafts go, as a person reads it.
    public struct Places: Equatable, Sendable {
        /// Where they are kept, in one true sentence.
        public let sentence: String
        /// Relays to choose from, while it is not decided whether drafts leave this machine.
        public let offered: [RelayURL]
        /// Whether that is still to be decided.
        public let isAsked: Bool
        /// Relays searched for drafts of other programs.
        public let searched: [RelayURL]
        /// Which of them could not be searched, and why, a sentence each.
        public let unreached: [String]

        init(_ relays: DraftRelays) {
            let waits = relays.kept.isEmpty && !relays.isDeclined
            sentence =
                relays.kept.isEmpty ? DraftWords.stayHere(waits) : DraftWords.goTo(relays.kept.map(relayName))
            offered = relays.offered
            isAsked = waits
            searched = relays.searched
            unreached = relays.searched.compactMap { relay in
                relays.unreached[relay]?.words.map {
                    DraftWords.notSearched(shortAddress(relay), oneLine($0, limit: 160))
                }
            }
        }
    }

    /// The drafts, the newest first.
    public let rows: [DraftRow]
    /// Where they go.
    public let places: Places

    /// What the account wrote and did not publish yet, and where it is kept.
    public static func load(of account: any Account) async throws(Trouble) -> DraftsPage {
        try await troubled {
            let drafts = try openDrafts(account)
            return DraftsPage(
                rows: try await drafts.drafts().map(DraftRow.init), places: Places(try await drafts.relays()))
        }
    }

    /// The most relays that can be searched beside the account's own.
    public static let mostSearched = 12

    /// Sends drafts to relays from now on, by their addresses.
    public static func keep(on addresses: [String], of account: any Account) async throws(Trouble) {
        let relays = try self.relays(addresses)
        guard !relays.isEmpty else { throw Trouble(DraftWords.noneChosen) }
        try await troubled { try await openDrafts(account).keep(on: relays) }
    }

    /// Leaves drafts on this machine.
    public static func keepHere(of account: any Account) async throws(Trouble) {
        try await troubled { try await openDrafts(account).keepHere() }
    }

    /// Says which further relays are searched for drafts, an address a line; none is an answer too.
    ///
    /// - Returns: how many they are.
    public static func search(_ text: String, of account: any Account) async throws(Trouble) -> Int {
        let relays = try self.relays(text.split(whereSeparator: \.isWhitespace).map(String.init))
        guard relays.count <= mostSearched else { throw Trouble(DraftWords.tooMany(mostSearched)) }
        try await troubled { try await openDrafts(account).search(relays) }
        return relays.count
    }

    /// Earlier states of a draft, the newest first.
    public static func earlier(of id: String, _ account: any Account) async throws(Trouble) -> [DraftRow] {
        try await troubled { try await openDrafts(account).checkpoints(of: id).map(DraftRow.init) }
    }

    private static func relays(_ addresses: [String]) throws(Trouble) -> [RelayURL] {
        var relays: [RelayURL] = []
        for address in addresses {
            // What is no address is told below.
            guard let relay = try? RelayURL(address) else {
                throw Trouble(DraftWords.notARelay(oneLine(address, limit: 80)))
            }
            relays.append(relay)
        }
        return relays
    }
}

/// A relay as people call it: its host.
private func relayName(_ relay: RelayURL) -> String { relay.host }
