public import NostrCore

/// What an event does that is signed, as facts: enough to say it in words, little enough for a line of the log.
public enum SigningSummary: Hashable, Sendable {
    /// It replaces nothing.
    case event(Kind, Variant)
    /// It replaces the version in force of a list, a profile or the like.
    case replacement(ReplacementSummary)
    /// It asks relays to delete events, and every version at some addresses.
    case deletion(events: Int, addresses: Int)

    /// What a kind does not tell.
    public enum Variant: String, Hashable, Sendable {
        /// Nothing more.
        case plain
        /// A note that answers another.
        case reply
        /// A reaction that says no.
        case dislike
    }

    /// What an event does that replaces nothing.
    public init(of draft: EventDraft) {
        var variant = Variant.plain
        if draft.kind == 1, draft.tags.contains(where: { $0.name == "e" }) { variant = .reply }
        if draft.kind == 7, draft.content == "-" { variant = .dislike }
        self = .event(draft.kind, variant)
    }

    /// The kinds of events that replace nothing and that a person can be told about.
    public static let plainKinds: Set<Kind> = [
        1, 4, 6, 7, 13, 14, 15, 16, 20, 21, 22, 1059, 1063, 1111, 1984, 9734, 9802, 22_242, 24_242, 27_235, 30_023,
        30_024, 30_315, 31_234,
    ]
}

/// How a version differs from the one in force, in counts and a few names.
public struct ReplacementSummary: Hashable, Sendable {
    /// What is replaced.
    public var kind: Kind
    /// Entries that come and go.
    public var added = 0, dropped = 0
    /// Those of them that are people.
    public var addedPeople = 0, droppedPeople = 0
    /// Entries that come and go whose meaning is unknown.
    public var addedUnknown = 0, droppedUnknown = 0
    /// Fields that change in any way, and those that come, go or get another value.
    public var fields = FieldNames(), fieldsAdded = FieldNames(), fieldsRemoved = FieldNames(),
        fieldsChanged = FieldNames()
    /// What else has to be said.
    public var remarks: Set<Remark> = []

    /// Something about a replacement that counts do not tell.
    public enum Remark: String, Hashable, Sendable, CaseIterable {
        /// No version is known yet.
        case isFirst
        /// The version in force could not be asked for just now.
        case isNotFresh
        /// A private part that cannot be read now would be replaced.
        case replacesUnread
        /// It is dated before the version in force, so relays will not take it.
        case isBackdated
    }

    /// Names of fields: how many, and the first few, each of bounded length.
    public struct FieldNames: Hashable, Sendable {
        /// How many names are kept.
        public static let kept = 4
        /// How many there are.
        public var count: Int
        /// The first ones.
        public var names: [String]

        /// Keeps the first few.
        public init(_ all: [String] = []) {
            self.init(all.prefix(Self.kept).map { String($0.prefix(40).filter { !$0.isNewline }) }, of: all.count)
        }

        /// - Parameter count: of all there are, of which these are the first.
        public init(_ names: [String], of count: Int) {
            self.names = Array(names.prefix(Self.kept))
            self.count = max(count, self.names.count)
        }
    }

    /// A replacement that changes nothing.
    public init(kind: Kind) {
        self.kind = kind
    }
}
