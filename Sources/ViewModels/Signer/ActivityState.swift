public import NostrCore
internal import NostrNIPs
public import NostrSigner

/// A line of the signer's log, as screens show it.
public struct ActivityItem: Hashable, Sendable, Identifiable {
    /// Counts up; gives the order.
    public let id: Int64
    /// When.
    public let time: Timestamp
    /// The app in addresses.
    public let app: String
    /// What the app was called then.
    public let title: String
    /// What it asked for, as the end of "asked to …".
    public let what: String
    /// Whether nothing was asked: the app came or went, or its owner changed what it may.
    ///
    /// Then ``summary`` says what.
    public let isAct: Bool
    /// What the event did, in a few words.
    public let summary: String
    /// What became of it: `done`, `refused`, `failed`, `waiting`, `repeated`.
    public let outcome: String
    /// The same for a person.
    public let outcomeTitle: String
    /// Why, in one sentence.
    public let reason: String
    /// The error the app was given.
    public let error: String?
    /// The signed event.
    public let result: EventID?

    /// Reads a line.
    public init(_ entry: ActivityEntry) {
        id = entry.id
        time = entry.time
        app = entry.app.text
        title = oneLine(entry.title, limit: 60)
        let permission = RemoteMethod(rawValue: entry.method).map { RemotePermission($0, kind: entry.kind) }
        let method = oneLine(entry.method, limit: 40)
        let unknown = method.isEmpty ? "do what could not be read" : "“\(method)”, which no signer knows"
        what = permission?.words ?? unknown
        summary = oneLine(entry.summary, limit: 200)
        isAct = ["connect", "logout", "trust"].contains(entry.method) && !summary.isEmpty
        outcome = entry.outcome.rawValue
        outcomeTitle = entry.outcome.words
        reason = entry.rule.sentence
        error = entry.error.map { oneLine($0, limit: 200) }
        result = entry.result
    }
}

/// The log of what apps asked and what became of it.
public struct ActivityState: Screen {
    /// What is looked for.
    public struct Search: Equatable, Sendable {
        /// Part of a name, a method, a summary or an error.
        public var text: String
        /// An app, by its name in addresses; empty for all.
        public var app: String
        /// An outcome, by its name; empty for all.
        public var outcome: String
        /// A kind, by its number; empty for all.
        public var kind: String
        /// Lines before this one only.
        public var before: Int64?

        /// Takes all.
        public init(
            text: String = "", app: String = "", outcome: String = "", kind: String = "", before: Int64? = nil
        ) {
            self.text = text
            self.app = app
            self.outcome = outcome
            self.kind = kind
            self.before = before
        }

        /// Whether everything is shown.
        public var isEmpty: Bool { text.isEmpty && app.isEmpty && outcome.isEmpty && kind.isEmpty }

        /// What the log is asked.
        func query(limit: Int) -> ActivityQuery {
            var query = ActivityQuery(limit: limit)
            query.text = text
            query.app = RequestingApp(app)
            query.outcome = ActivityEntry.Outcome(rawValue: outcome)
            query.kind = UInt16(kind).map { Kind($0) }
            query.before = before
            return query
        }
    }

    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// What is looked for.
    public let search: Search
    /// The lines, newest first.
    public private(set) var lines: [ActivityItem] = []
    /// The apps one can choose.
    public private(set) var apps: [AppItem] = []
    /// Lines before this one are older; `nil` at the end.
    public private(set) var next: Int64?

    /// How many lines a page shows.
    public static let pageSize = 50

    /// The outcomes one can choose: name and words.
    public static let outcomes = ActivityEntry.Outcome.allCases.map { (word: $0.rawValue, title: $0.words) }

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened, or something changed.
        case opened
        /// Lines, one more than shown where there are older ones.
        case read([ActivityEntry], [SignerClient])
        /// It did not work.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        case read(ActivityQuery)
    }

    /// A page not opened yet.
    public init(_ search: Search) {
        self.search = Search(
            text: oneLine(search.text, limit: 200), app: search.app, outcome: search.outcome, kind: search.kind,
            before: search.before)
    }

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened: return [.read(search.query(limit: Self.pageSize + 1))]
        case .read(let entries, let clients):
            phase = .ready
            lines = entries.prefix(Self.pageSize).map(ActivityItem.init)
            next = entries.count > Self.pageSize ? lines.last?.id : nil
            apps = clients.map(AppItem.init)
        case .failed(let trouble): phase = .failed(trouble)
        }
        return []
    }
}

extension ScreenModel where S == ActivityState {
    init(activity search: ActivityState.Search, of service: any SigningService) {
        self.init(ActivityState(search)) { effect in
            do {
                switch effect {
                case .read(let query):
                    return .read(try await service.activityInWords(query), try await service.clients())
                }
            } catch {
                return .failed(Trouble(error))
            }
        }
    }
}

extension ActivityEntry {
    /// The line as one JSON object, for export.
    ///
    /// Members: `id`, `time` (seconds since 1970), `account`, `app`, `title`, `method`, `kind`, `peer`, `outcome`,
    /// `rule`, `result`, `summary`, `error`; what is not known is left out.
    var json: String {
        let members: [(String, JSONValue?)] = [
            ("id", .number(String(id))), ("time", .number(String(time.seconds))), ("account", .string(account.hex)),
            ("app", .string(app.text)), ("title", .string(title)), ("method", .string(method)),
            ("kind", kind.map { .number(String($0.rawValue)) }), ("peer", peer.map { .string($0.hex) }),
            ("outcome", .string(outcome.rawValue)), ("rule", .string(rule.rawValue)),
            ("result", result.map { .string($0.hex) }), ("summary", summary.isEmpty ? nil : .string(summary)),
            ("error", error.map { .string($0) }),
        ]
        return JSONValue.object(members.compactMap { name, value in value.map { JSONMember(name, $0) } }).text
    }
}
