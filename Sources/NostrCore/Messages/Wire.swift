// The JSON of events, filters and messages. CONTRACT: the core helper fills these bodies.

/// How much a parser takes before it refuses.
public struct ParseLimits: Hashable, Sendable {
    /// The longest text, in bytes.
    public var bytes: Int
    /// The most tags of one event.
    public var tags: Int
    /// The deepest nesting of arrays and objects.
    public var depth: Int

    /// Defaults: 512 KiB, 10 000 tags, depth 32.
    public init(bytes: Int = 512 * 1024, tags: Int = 10_000, depth: Int = 32) {
        self.bytes = bytes
        self.tags = tags
        self.depth = depth
    }
}

/// Why bytes are not what they should be: what and where.
public struct ParseError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Problem: Hashable, Sendable {
        case tooLong(limit: Int), tooDeep(limit: Int), tooManyTags(limit: Int)
        case unexpectedEnd, unexpectedByte(UInt8), trailingBytes, invalidUTF8, invalidEscape, numberOutOfRange
        case duplicateKey(String), missingKey(String), wrongType(key: String), hex(HexError)
        case unknownMessage, wrongCount, invalidSubscriptionID, invalidFilter(String)
    }

    /// What is wrong.
    public let problem: Problem
    /// The offset in bytes.
    public let offset: Int

    /// Takes both.
    public init(_ problem: Problem, at offset: Int) {
        self.problem = problem
        self.offset = offset
    }
}

extension UnverifiedEvent {
    /// Parses one event of strict JSON.
    public init(json: [UInt8], limits: ParseLimits = ParseLimits()) throws(ParseError) {
        fatalError("the core helper fills this")
    }

    /// The event as JSON on one line, keys in the order of NIP-01.
    public var json: [UInt8] { fatalError("the core helper fills this") }
}

extension Filter {
    /// Parses one filter of strict JSON; unknown keys other than `#…` are skipped.
    public init(json: [UInt8], limits: ParseLimits = ParseLimits()) throws(ParseError) {
        fatalError("the core helper fills this")
    }

    /// The filter as JSON; values in sorted order, so equal filters have equal bytes.
    public var json: [UInt8] { fatalError("the core helper fills this") }
}

extension ClientMessage {
    /// Parses one frame.
    public init(json: [UInt8], limits: ParseLimits = ParseLimits()) throws(ParseError) {
        fatalError("the core helper fills this")
    }

    /// The frame.
    public var json: [UInt8] { fatalError("the core helper fills this") }
}

extension RelayMessage {
    /// Parses one frame.
    public init(json: [UInt8], limits: ParseLimits = ParseLimits()) throws(ParseError) {
        fatalError("the core helper fills this")
    }

    /// The frame.
    public var json: [UInt8] { fatalError("the core helper fills this") }
}

/// Finds the id in an `["EVENT",…]` frame without parsing the rest, so that a duplicate costs almost nothing.
///
/// - Returns: `nil` when the frame is no EVENT or the scan is not sure; then parse.
public func scanEventID(inRelayFrame frame: [UInt8]) -> EventID? {
    fatalError("the core helper fills this")
}

/// Checks many events on all cores; results in the order of the input.
public func verify(_ batch: [UnverifiedEvent]) async -> [Result<Event, EventRejection>] {
    fatalError("the core helper fills this")
}
