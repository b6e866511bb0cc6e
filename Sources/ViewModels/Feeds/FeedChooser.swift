public import NostrClient
internal import NostrCore
internal import NostrNIPs

/// The feeds a person can go to from where they are.
public struct FeedChooser: Hashable, Sendable {
    /// One feed.
    public struct Entry: Hashable, Sendable {
        /// The choice.
        public let choice: FeedChoice
        /// What it is called.
        public let title: String
        /// Whether it is the one that is open.
        public let isCurrent: Bool
    }

    /// Feeds of one sort.
    public struct Group: Hashable, Sendable {
        /// What they are; `nil` for those that need no heading.
        public let title: String?
        /// The feeds; at least one.
        public let entries: [Entry]
    }

    /// What the open one is called.
    public let current: String
    /// The feeds.
    public let groups: [Group]

    /// What is said where somebody wrote no feed.
    public static let notWritten = FeedWords.notWritten

    /// So many lists of one sort are offered; the page of all lists leads to the others.
    static let mostOfOneSort = 30

    /// What an account can choose.
    ///
    /// Only what lists are called is read; no list is opened, and the store is asked after a change alone.
    public static func load(
        at open: FeedChoice, called title: String? = nil, of account: any Account
    ) async -> FeedChooser {
        // A page is not to fail because its lists cannot be read.
        let headings = (try? await account.lists?.headings(of: Set(FeedChoice.offered))) ?? []
        return FeedChooser(at: open, called: title, headings)
    }

    /// Whether a feed that was chosen once is still there: a list may be gone.
    public static func isThere(_ choice: FeedChoice, of account: any Account) async -> Bool {
        if case .shared(let address) = choice { return await Feed.isShared(address, account) }
        guard case .list(let kind, let identifier) = choice else { return true }
        // What cannot be read now is not led to.
        let headings = (try? await account.lists?.headings(of: [kind])) ?? []
        return headings.contains { $0.address.kind == kind && $0.address.identifier == identifier }
    }

    init(at open: FeedChoice, called title: String?, _ headings: [ListHeading]) {
        func entry(_ choice: FeedChoice, _ title: String) -> Entry {
            Entry(choice: choice, title: title, isCurrent: choice == open)
        }
        var first = [entry(.following, FeedWords.following), entry(.trending, FeedWords.trending)]
        // A list of somebody else's can be chosen, too, where it is open.
        if case .shared = open, let title { first.append(entry(open, title)) }
        var groups = [Group(title: nil, entries: first)]
        for content in [FeedChoice.ListContent.people, .topics, .notes, .relays] {
            let kinds = FeedChoice.offered.filter { FeedChoice.content(of: $0) == content }
            let found = kinds.flatMap { kind in headings.filter { $0.address.kind == kind } }
            let entries = found.prefix(Self.mostOfOneSort).map { heading in
                entry(.list(heading.address.kind, identifier: heading.address.identifier), Self.title(of: heading))
            }
            if !entries.isEmpty { groups.append(Group(title: FeedWords.heading(of: content), entries: entries)) }
        }
        self.groups = groups
        let known = groups.flatMap(\.entries).first { $0.isCurrent }
        current = known?.title ?? title ?? FeedWords.following
    }

    private static func title(of heading: ListHeading) -> String {
        let title = oneLine(heading.title, limit: 60)
        if !title.isEmpty { return title }
        let sort = ListSort.of(heading.address.kind)
        return sort.isSet ? oneLine(heading.address.identifier, limit: 60) : sort.title
    }
}
