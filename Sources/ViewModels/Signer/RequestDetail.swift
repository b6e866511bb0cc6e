internal import NostrClient
public import NostrCore
internal import NostrNIPs
public import NostrSigner

/// One request with the people and things it is about.
public struct RequestDetail: Hashable, Sendable {
    /// The request.
    public let item: RequestItem
    /// For whom something would be encrypted, or from whom it came.
    public var peer: PersonItem?
    /// What would go, and what would come, in order; at most ``most`` each.
    public var lost: [ListEntry] = [], won: [ListEntry] = []
    /// Entries beyond those, and ones Linnet does not know.
    public let moreLost: Int, moreWon: Int
    /// What would be asked to be deleted, as far as it is here.
    public var deleted: [DeletedItem] = []

    /// How many entries are listed.
    public static let most = 2000

    /// Something a deletion is about.
    public struct DeletedItem: Hashable, Sendable, Identifiable {
        /// The event.
        public let id: EventID
        /// What it is: "a note".
        public let sort: String
        /// The start of it, in one line.
        public let excerpt: String
        /// When it was made.
        public let moment: Timestamp
    }

    /// Reads a request; people are shown by their keys until they are looked up.
    ///
    /// - Parameter protected: the kinds nobody signs by the way.
    public init(_ request: WaitingRequest, protected: Set<Kind> = SignerSettings.defaultProtectedKinds) {
        item = RequestItem(request, protected: protected)
        guard case .sign(_, let report) = request.content else {
            peer = item.peer.map { PersonItem(Person(key: $0)) }
            (moreLost, moreWon) = (0, 0)
            return
        }
        let entries = { (items: [ListItem]) in items.prefix(Self.most).map { ListEntry($0, isPrivate: false) } }
        lost = entries(report.change?.dropped ?? [])
        won = entries(report.change?.added ?? [])
        moreLost = item.change.lostCount - lost.count
        moreWon = item.change.wonCount - won.count
        deleted = report.deleted.prefix(100).map { event in
            DeletedItem(
                id: event.id, sort: kindWords(event.kind), excerpt: oneLine(event.content, limit: 140),
                moment: event.createdAt)
        }
    }
}

/// How many people and notes are looked up for one page.
private let mostLookedUp = 60

/// Reads a request and looks up whom and what it is about, as far as a page needs it.
func requestDetail(
    _ request: WaitingRequest, protected: Set<Kind>, of account: any Account
) async -> RequestDetail {
    var detail = RequestDetail(request, protected: protected)
    if let key = detail.item.peer {
        // Somebody of whom nothing is known is shown by their key.
        detail.peer = PersonItem((try? await account.people.person(key)) ?? Person(key: key))
    }
    let lost = await listEntries(detail.lost.prefix(mostLookedUp).map(\.item), isPrivate: false, of: account)
    let won = await listEntries(detail.won.prefix(mostLookedUp).map(\.item), isPrivate: false, of: account)
    detail.lost.replaceSubrange(..<lost.count, with: lost)
    detail.won.replaceSubrange(..<won.count, with: won)
    return detail
}
