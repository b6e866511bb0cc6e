/// The seven fields of an event while they are being read, in any order.
private struct EventFields {
    var id: Bytes32?
    var pubkey: Bytes32?
    var createdAt: Int64?
    var kind: UInt16?
    var tags: [Tag]?
    var content: String?
    var signature: Bytes64?
    /// Whether a signature, well formed or not, is passed over.
    var skipsSignature = false
}

extension JSONReader {
    /// Reads one event.
    ///
    /// - Throws: ``ParseError``, for a key that is missing with the offset behind the object.
    mutating func event() throws(ParseError) -> UnverifiedEvent {
        var fields = EventFields()
        try self.fields(into: &fields)
        guard let id = fields.id else { throw error(.missingKey("id")) }
        guard let pubkey = fields.pubkey else { throw error(.missingKey("pubkey")) }
        guard let createdAt = fields.createdAt else { throw error(.missingKey("created_at")) }
        guard let kind = fields.kind else { throw error(.missingKey("kind")) }
        guard let tags = fields.tags else { throw error(.missingKey("tags")) }
        guard let content = fields.content else { throw error(.missingKey("content")) }
        guard let signature = fields.signature else { throw error(.missingKey("sig")) }
        return UnverifiedEvent(
            id: EventID(id), pubkey: PublicKey(pubkey), createdAt: Timestamp(seconds: createdAt), kind: Kind(kind),
            tags: tags, content: content, signature: Signature(signature))
    }

    /// Reads one event that nobody signed.
    ///
    /// - Throws: ``ParseError``; the id may be missing.
    mutating func unsignedEvent() throws(ParseError) -> UnsignedEvent {
        var fields = EventFields()
        fields.skipsSignature = true
        try self.fields(into: &fields)
        guard let pubkey = fields.pubkey else { throw error(.missingKey("pubkey")) }
        guard let createdAt = fields.createdAt else { throw error(.missingKey("created_at")) }
        guard let kind = fields.kind else { throw error(.missingKey("kind")) }
        guard let tags = fields.tags else { throw error(.missingKey("tags")) }
        guard let content = fields.content else { throw error(.missingKey("content")) }
        let draft = EventDraft(
            kind: Kind(kind), tags: tags, content: content, createdAt: Timestamp(seconds: createdAt))
        return UnsignedEvent(claimedID: fields.id.map(EventID.init), pubkey: PublicKey(pubkey), draft: draft)
    }

    @inline(__always)
    private mutating func fields(into fields: inout EventFields) throws(ParseError) {
        guard consume(UInt8(ascii: "{")) else { throw wrongType("event") }
        try descend()
        var isFirst = true
        while try hasNext(isFirst: isFirst, close: UInt8(ascii: "}")) {
            isFirst = false
            try field(into: &fields)
        }
    }

    @inline(__always)
    private mutating func field(into fields: inout EventFields) throws(ParseError) {
        let start = position
        let name = try rawString()
        try colon()
        if key(name, is: "id") {
            try once(fields.id == nil, "id", at: start)
            fields.id = try hex32("id")
        } else if key(name, is: "pubkey") {
            try once(fields.pubkey == nil, "pubkey", at: start)
            fields.pubkey = try hex32("pubkey")
        } else if key(name, is: "created_at") {
            try once(fields.createdAt == nil, "created_at", at: start)
            fields.createdAt = try integer("created_at")
        } else if key(name, is: "kind") {
            try once(fields.kind == nil, "kind", at: start)
            fields.kind = UInt16(truncatingIfNeeded: try integer("kind", max: Int64(UInt16.max)))
        } else if key(name, is: "tags") {
            try once(fields.tags == nil, "tags", at: start)
            fields.tags = try tags()
        } else if key(name, is: "content") {
            try once(fields.content == nil, "content", at: start)
            fields.content = try string("content")
        } else if !fields.skipsSignature, key(name, is: "sig") {
            try once(fields.signature == nil, "sig", at: start)
            fields.signature = try hex64("sig")
        } else {
            try skipValue()
        }
    }

    @inline(__always)
    func once(_ isNew: Bool, _ key: StaticString, at offset: Int) throws(ParseError) {
        guard isNew else { throw ParseError(.duplicateKey("\(key)"), at: offset) }
    }

    private mutating func tags() throws(ParseError) -> [Tag] {
        var tags: [Tag] = []
        try array("tags") { (reader, index) throws(ParseError) in
            guard index < reader.limits.tags else { throw reader.error(.tooManyTags(limit: reader.limits.tags)) }
            var elements: [String] = []
            try reader.array("tags") { (reader, index) throws(ParseError) in
                // Most tags have two to four elements: one allocation instead of three.
                if index == 0 { elements.reserveCapacity(4) }
                elements.append(try reader.string("tags"))
            }
            if index == 0 { tags.reserveCapacity(4) }
            tags.append(Tag(elements))
        }
        return tags
    }
}
