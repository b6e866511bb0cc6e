/// How much a parser takes before it refuses.
public struct ParseLimits: Hashable, Sendable {
    /// The longest text, in bytes.
    public var bytes: Int
    /// The most tags of one event.
    public var tags: Int
    /// The deepest nesting of arrays and objects.
    public var depth: Int
    /// The most filters of one message.
    public var filters: Int
    /// The most values of one condition of a filter.
    public var values: Int

    /// Defaults: 1.5 MiB, 20 000 tags, depth 32, 100 filters of 10 000 values.
    ///
    /// Room for a list of 10 000 follows (NIP-02): 73 bytes for each key, 730 kB in all, and some 80 more for its relay
    /// and its name.
    public init(
        bytes: Int = 3 << 19, tags: Int = 20_000, depth: Int = 32, filters: Int = 100, values: Int = 10_000
    ) {
        self.bytes = bytes
        self.tags = tags
        self.depth = depth
        self.filters = filters
        self.values = values
    }
}

/// Why bytes are not what they should be: what and where.
public struct ParseError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Problem: Hashable, Sendable {
        /// More than a limit of ``ParseLimits``.
        case tooLong(limit: Int), tooDeep(limit: Int), tooManyTags(limit: Int)
        /// The same, of a question: its filters, and the values of one condition.
        case tooManyFilters(limit: Int), tooManyValues(limit: Int)
        /// Not JSON as RFC 8259 has it.
        case unexpectedEnd, unexpectedByte(UInt8), trailingBytes, invalidUTF8, invalidEscape
        /// A whole number outside the range of its key.
        case numberOutOfRange
        /// JSON, but not this object.
        case duplicateKey(String), missingKey(String), wrongType(key: String), hex(HexError)
        /// JSON, but not this message.
        case unknownMessage, wrongCount, invalidSubscriptionID, invalidFilter(String)
    }

    /// What is wrong.
    public let problem: Problem
    /// The offset in bytes.
    public let offset: Int

    /// A problem at an offset in bytes, counted from the beginning of the text.
    public init(_ problem: Problem, at offset: Int) {
        self.problem = problem
        self.offset = offset
    }
}
