/// What an event is, and so how it is kept.
///
/// Shape: 0–65535. Source: NIP-01, "Kinds".
public struct Kind: Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral {
    /// The number on the wire.
    public let rawValue: UInt16

    /// A kind by its number, also one that nobody knows.
    public init(_ rawValue: UInt16) {
        self.rawValue = rawValue
    }

    public init(integerLiteral value: UInt16) {
        rawValue = value
    }

    public static func < (a: Kind, b: Kind) -> Bool { a.rawValue < b.rawValue }

    /// How events of a kind are kept.
    public enum Retention: Hashable, Sendable {
        /// Every event is kept.
        case regular
        /// The newest per author and kind is kept.
        case replaceable
        /// The newest per author, kind and `d` tag is kept.
        case addressable
        /// Passed on, never stored.
        case ephemeral
    }

    /// How events of this kind are kept.
    public var retention: Retention {
        switch rawValue {
        case 0, 3, 10_000..<20_000: .replaceable
        case 20_000..<30_000: .ephemeral
        case 30_000..<40_000: .addressable
        default: .regular
        }
    }
}
