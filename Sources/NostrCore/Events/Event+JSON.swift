extension UnverifiedEvent {
    /// Parses one event of strict JSON.
    ///
    /// Keys come in any order, unknown keys are skipped, none of the seven comes twice. Source: NIP-01, RFC 8259.
    ///
    /// - Throws: ``ParseError`` with the offset of what is wrong.
    public init(json: [UInt8], limits: ParseLimits = ParseLimits()) throws(ParseError) {
        try self.init(json: json.span, limits: limits)
    }

    /// Parses one event of strict JSON where it lies, for example one line of a file, without copying the text.
    ///
    /// - Throws: ``ParseError`` with the offset in the span.
    public init(json: Span<UInt8>, limits: ParseLimits = ParseLimits()) throws(ParseError) {
        self = try JSONReader.read(json, limits: limits) { (reader) throws(ParseError) in try reader.event() }
    }

    /// The event as JSON on one line, keys in the order of NIP-01.
    public var json: [UInt8] {
        var writer = JSONWriter(capacity: 420 + content.utf8.count + tags.count * 80)
        writer.event(self)
        return writer.bytes
    }
}

extension Event {
    /// The event as JSON on one line, keys in the order of NIP-01.
    public var json: [UInt8] { unverified.json }
}

extension JSONWriter {
    /// Appends an event.
    mutating func event(_ event: UnverifiedEvent) {
        raw("{\"id\":")
        hex(event.id.bytes)
        raw(",\"pubkey\":")
        hex(event.pubkey.bytes)
        raw(",\"created_at\":")
        integer(event.createdAt.seconds)
        raw(",\"kind\":")
        integer(event.kind.rawValue)
        raw(",\"tags\":")
        tags(event.tags)
        raw(",\"content\":")
        string(event.content)
        raw(",\"sig\":")
        hex(event.signature.bytes)
        raw("}")
    }
}
