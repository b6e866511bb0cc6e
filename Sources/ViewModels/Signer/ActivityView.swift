internal import NostrCore
public import NostrSigner

/// What is looked for in the log of what apps asked.
public struct ActivitySearch: Hashable, Sendable {
    /// Part of a name, a method, a summary or an error; one line.
    public let text: String
    /// An app, by its name in addresses; empty for all.
    public let app: String
    /// An outcome, by its name; empty for all.
    public let outcome: String
    /// A kind, by its number; empty for all.
    public let kind: String
    /// Lines before this one only.
    public var before: Int64?

    /// The fields of a form; without arguments everything is found.
    public init(text: String = "", app: String = "", outcome: String = "", kind: String = "", before: Int64? = nil) {
        self.text = oneLine(text, limit: 200)
        self.app = app
        self.outcome = outcome
        self.kind = kind
        self.before = before
    }

    /// Whether everything is shown.
    public var isEmpty: Bool { text.isEmpty && app.isEmpty && outcome.isEmpty && kind.isEmpty }

    /// The outcomes to choose from: name and words.
    public static let outcomes = ActivityEntry.Outcome.allCases.map { (word: $0.rawValue, title: $0.words) }

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

/// A page of the log of what apps asked and what became of it.
public struct ActivityView: Hashable, Sendable {
    /// What is looked for.
    public let search: ActivitySearch
    /// The lines, newest first.
    public let lines: [ActivityItem]
    /// The apps to choose from.
    public let apps: [AppItem]
    /// Lines before this one are older; `nil` at the end.
    public let next: Int64?

    /// How many lines a page shows.
    public static let pageSize = 50

    /// Reads a page of a signer's log.
    public static func load(
        _ search: ActivitySearch, of signer: any ActivityReading & AppKeeping
    ) async throws(Trouble) -> ActivityView {
        do {
            let entries = try await signer.activityInWords(search.query(limit: pageSize + 1))
            let lines = entries.prefix(pageSize).map(ActivityItem.init)
            return ActivityView(
                search: search, lines: lines, apps: try await signer.clients().map(AppItem.init),
                next: entries.count > pageSize ? lines.last?.id : nil)
        } catch {
            throw Trouble(error)
        }
    }

    /// Reads a part of a signer's log as JSON lines, newest first, for export.
    ///
    /// - Returns: the lines with their ends, and where the next part begins; `nil` at the end.
    public static func export(
        _ search: ActivitySearch, of signer: any ActivityReading
    ) async throws(Trouble) -> (text: String, next: Int64?) {
        let limit = 500
        do {
            let entries = try await signer.activityInWords(search.query(limit: limit))
            return (entries.map { $0.json + "\n" }.joined(), entries.count == limit ? entries.last?.id : nil)
        } catch {
            throw Trouble(error)
        }
    }
}
