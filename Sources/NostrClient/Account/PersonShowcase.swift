public import NostrCore
public import NostrNIPs

/// What a person shows on their page beside their notes.
public struct PersonShowcase: Hashable, Sendable {
    /// What they are doing now (NIP-38), the general status first.
    public var statuses: [UserStatus]
    /// Notes they pinned (NIP-51, kind 10001), the one pinned last first.
    public var pinned: [Note]
    /// Their lists that everybody can read.
    public var lists: [SharedList]

    /// A list of somebody's that everybody can read, without what is private on it.
    public struct SharedList: Hashable, Sendable {
        /// Where it is found.
        public var address: EventAddress
        /// What its owner calls it; empty for nothing.
        public var title: String
        /// What it is about; empty for nothing.
        public var summary: String
        /// What is on it, in order.
        public var items: [ListItem]

        /// A list whose parts are known.
        public init(address: EventAddress, title: String, summary: String = "", items: [ListItem]) {
            self.address = address
            self.title = title
            self.summary = summary
            self.items = items
        }
    }

    /// What is known of it; nothing at first.
    public init(statuses: [UserStatus] = [], pinned: [Note] = [], lists: [SharedList] = []) {
        self.statuses = statuses
        self.pinned = pinned
        self.lists = lists
    }

    /// The kinds it is made of.
    static let kinds: Set<Kind> = listKinds.union([UserStatus.kind, .pinnedNotes])
    /// Lists that are made to be shown to others.
    static let listKinds: Set<Kind> = [
        .followSets, .relaySets, .bookmarkSets, .articleCurationSets, .videoCurationSets, .pictureCurationSets,
        .interestSets, .emojiSets, .starterPacks, .mediaStarterPacks,
    ]
}

/// What people show on their pages beside their notes; implemented by ``Timeline``.
public protocol ShowcaseReading: Sendable {
    /// What a person shows, as it is known here; nothing of one who is muted, unless their reader asked for exactly them.
    func showcase(of key: PublicKey, evenMuted: Bool) async throws -> PersonShowcase
}
