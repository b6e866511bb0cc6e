/// Of what a person is told while no page is open, and when not.
public struct NotificationWaking: Hashable, Sendable {
    /// What there is to choose.
    public static let choices = NotificationFilter.allCases

    /// Of what.
    ///
    /// Requests come from the proxy that sees them, and which knows nothing of this: a browser asks whether it is to show
    /// them.
    public var filters: Set<NotificationFilter>
    /// When nothing is told.
    public var quiet: QuietHours?

    /// A choice; without one, of circles and of requests to the signer, and at any time.
    public init(filters: Set<NotificationFilter> = [.circles, .requests], quiet: QuietHours? = nil) {
        self.filters = filters
        self.quiet = quiet
    }

    /// The sorts of events it is told of.
    public var sorts: Set<AccountNotification.Sort> { filters.reduce(into: []) { $0.formUnion($1.sorts) } }
}

/// A span of every day, which may go over midnight.
public struct QuietHours: Hashable, Sendable {
    /// The minute of the day it begins with, and the first after it; never the same.
    public let from: Int, until: Int

    /// - Returns: `nil` for minutes no day has, and for a span without length.
    public init?(from: Int, until: Int) {
        guard (0..<1440).contains(from), (0..<1440).contains(until), from != until else { return nil }
        self.from = from
        self.until = until
    }

    /// Reads two times of day as forms write them, `22:30`.
    public init?(from: String, until: String) {
        guard let from = Self.minute(from), let until = Self.minute(until) else { return nil }
        self.init(from: from, until: until)
    }

    /// Whether a minute of the day lies in it.
    public func contains(_ minute: Int) -> Bool {
        from < until ? (from..<until).contains(minute) : minute >= from || minute < until
    }

    private static func minute(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count >= 2, let hour = Int(parts[0]), let minute = Int(parts[1]), (0..<24).contains(hour),
            (0..<60).contains(minute)
        else { return nil }
        return hour * 60 + minute
    }
}
