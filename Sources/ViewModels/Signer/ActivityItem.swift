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
        what = permission?.words ?? SignerWords.unknownMethod(method)
        summary = oneLine(entry.summary, limit: 200)
        isAct = ["connect", "logout", "trust"].contains(entry.method) && !summary.isEmpty
        outcome = entry.outcome.rawValue
        outcomeTitle = entry.outcome.words
        reason = entry.rule.sentence
        error = entry.error.map { oneLine($0, limit: 200) }
        result = entry.result
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
