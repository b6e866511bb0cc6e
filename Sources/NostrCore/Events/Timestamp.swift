/// A moment, as Nostr counts it.
///
/// Unit: whole seconds since 1970-01-01 UTC. Shape: a non-negative JSON integer on the wire. Source: NIP-01.
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Seconds since 1970-01-01 UTC.
    public let seconds: Int64

    /// A moment before 1970 can be made; no event from the wire has one.
    public init(seconds: Int64) {
        self.seconds = seconds
    }

    public static func < (a: Timestamp, b: Timestamp) -> Bool { a.seconds < b.seconds }

    /// A later moment (earlier for a negative duration), saturating, to the whole second.
    public static func + (moment: Timestamp, span: Duration) -> Timestamp {
        let (sum, overflow) = moment.seconds.addingReportingOverflow(span.components.seconds)
        return Timestamp(seconds: overflow ? (span.components.seconds < 0 ? .min : .max) : sum)
    }

    /// An earlier moment, saturating, to the whole second.
    public static func - (moment: Timestamp, span: Duration) -> Timestamp {
        let (difference, overflow) = moment.seconds.subtractingReportingOverflow(span.components.seconds)
        return Timestamp(seconds: overflow ? (span.components.seconds > 0 ? .min : .max) : difference)
    }
}
