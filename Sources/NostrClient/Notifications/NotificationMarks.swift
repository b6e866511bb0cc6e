internal import NostrCore
internal import NostrNIPs

/// What the account read of its notifications, and which of them it wants to see.
///
/// Shape: JSON in the account's records.
struct NotificationMarks: Hashable, Sendable {
    static let table = "notifications"
    static let key = "marks"
    /// So many late ones are remembered.
    static let mostLate = 500
    /// What is dated longer before the moment of reading than this is history, whenever it comes.
    static let lateness: Duration = .seconds(86_400)

    /// Up to when all is read.
    var readThrough: Timestamp
    /// Whether the person said so, and not the program when it began.
    var isChosen = false
    /// What is dated before that and came after it.
    var late: Set<EventID> = []
    /// What is not shown.
    var hidden: Set<NotificationFilter> = []

    /// Of what browsers are told.
    var waking = NotificationWaking()

    /// What is shown.
    var shown: Set<NotificationFilter> { Set(NotificationFilter.allCases).subtracting(hidden) }
    /// The sorts of events that are shown.
    var sorts: Set<AccountNotification.Sort> { shown.reduce(into: []) { $0.formUnion($1.sorts) } }

    /// Nothing is read; what came before the account was first at work here is no news.
    init(startingAt moment: Timestamp) { readThrough = moment }

    /// Reads a record; `nil` for one that is damaged.
    init?(record: [UInt8]) {
        guard let value = try? JSONValue(record), case .number(let text)? = value["read"],
            let seconds = Int64(text)
        else { return nil }
        readThrough = Timestamp(seconds: seconds)
        if case .bool(let chosen)? = value["chosen"] { isChosen = chosen }
        if case .array(let ids)? = value["late"] {
            // What is no id is dropped.
            late = Set(ids.prefix(Self.mostLate).compactMap { $0.string.flatMap { try? EventID(hex: $0) } })
        }
        if case .array(let names)? = value["hidden"] {
            hidden = Set(names.compactMap { $0.string.flatMap(NotificationFilter.init(rawValue:)) })
        }
        if case .array(let names)? = value["wakes"] {
            waking.filters = Set(names.compactMap { $0.string.flatMap(NotificationFilter.init(rawValue:)) })
        }
        // Records of earlier versions do not say: they were told always.
        if case .bool(false)? = value["requests"] {
            waking.filters.remove(.requests)
        } else {
            waking.filters.insert(.requests)
        }
        if case .array(let minutes)? = value["quiet"], minutes.count == 2 {
            let span = minutes.compactMap { minute -> Int? in
                if case .number(let text) = minute { Int(text) } else { nil }
            }
            if span.count == 2 { waking.quiet = QuietHours(from: span[0], until: span[1]) }
        }
    }

    var record: [UInt8] {
        let quiet = waking.quiet.map { [$0.from, $0.until] } ?? []
        return JSONValue.object([
            JSONMember("read", .number("\(readThrough.seconds)")), JSONMember("chosen", .bool(isChosen)),
            JSONMember("late", .array(late.sorted().map { .string($0.hex) })),
            JSONMember("hidden", .array(hidden.map(\.rawValue).sorted().map { .string($0) })),
            JSONMember("wakes", .array(waking.filters.map(\.rawValue).sorted().map { .string($0) })),
            JSONMember("requests", .bool(waking.filters.contains(.requests))),
            JSONMember("quiet", .array(quiet.map { .number("\($0)") })),
        ]).json
    }

    /// Whether something is still to be read.
    func isUnread(_ notification: AccountNotification) -> Bool {
        notification.moment > readThrough || late.contains(notification.id)
    }

    /// Something came; returns whether that changes anything here.
    mutating func receive(_ id: EventID, at moment: Timestamp) -> Bool {
        guard isChosen, moment <= readThrough, moment + Self.lateness > readThrough, late.count < Self.mostLate
        else { return false }
        return late.insert(id).inserted
    }

    /// All up to a moment is read.
    mutating func read(through moment: Timestamp) {
        readThrough = max(readThrough, moment)
        isChosen = true
        late = []
    }
}
