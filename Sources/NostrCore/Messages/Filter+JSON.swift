extension Filter {
    /// Parses one filter of strict JSON; unknown keys other than `#…` are skipped.
    ///
    /// - Throws: ``ParseError``; a `#…` that is not one letter is ``ParseError/Problem/invalidFilter(_:)``, since
    ///   skipping it would match more than was asked.
    public init(json: [UInt8], limits: ParseLimits = ParseLimits()) throws(ParseError) {
        self = try JSONReader.read(json.span, limits: limits) { (reader) throws(ParseError) in try reader.filter() }
    }

    /// The filter as JSON; values in sorted order, so equal filters have equal bytes.
    public var json: [UInt8] {
        var writer = JSONWriter()
        writer.filter(self)
        return writer.bytes
    }
}

extension JSONReader {
    /// Reads one filter.
    mutating func filter() throws(ParseError) -> Filter {
        guard consume(UInt8(ascii: "{")) else { throw wrongType("filter") }
        try descend()
        var filter = Filter()
        var isFirst = true
        while try hasNext(isFirst: isFirst, close: UInt8(ascii: "}")) {
            isFirst = false
            try condition(into: &filter)
        }
        return filter
    }

    private mutating func condition(into filter: inout Filter) throws(ParseError) {
        let start = position
        let name = text(of: try rawString())
        try colon()
        switch name {
        case "ids":
            try once(filter.ids == nil, "ids", at: start)
            filter.ids = try values("ids") { (reader) throws(ParseError) in EventID(try reader.hex32("ids")) }
        case "authors":
            try once(filter.authors == nil, "authors", at: start)
            filter.authors = try values("authors") { (reader) throws(ParseError) in
                PublicKey(try reader.hex32("authors"))
            }
        case "kinds":
            try once(filter.kinds == nil, "kinds", at: start)
            filter.kinds = try values("kinds") { (reader) throws(ParseError) in
                Kind(UInt16(truncatingIfNeeded: try reader.integer("kinds", max: Int64(UInt16.max))))
            }
        case "since":
            try once(filter.since == nil, "since", at: start)
            filter.since = Timestamp(seconds: try integer("since"))
        case "until":
            try once(filter.until == nil, "until", at: start)
            filter.until = Timestamp(seconds: try integer("until"))
        case "limit":
            try once(filter.limit == nil, "limit", at: start)
            filter.limit = Int(clamping: try integer("limit"))
        case "search":
            try once(filter.search == nil, "search", at: start)
            filter.search = try string("search")
        default:
            try tagCondition(name, at: start, into: &filter)
        }
    }

    private mutating func tagCondition(
        _ name: String, at start: Int, into filter: inout Filter
    ) throws(ParseError) {
        guard name.utf8.first == UInt8(ascii: "#") else { return try skipValue() }
        guard name.utf8.count == 2, let letter = name.last, letter.isASCII, letter.isLetter else {
            throw ParseError(.invalidFilter(name), at: start)
        }
        guard filter.tags[letter] == nil else { throw ParseError(.duplicateKey(name), at: start) }
        filter.tags[letter] = try values("#") { (reader) throws(ParseError) in try reader.string("#") }
    }

    private mutating func values<Value: Hashable>(
        _ key: StaticString, _ value: (inout JSONReader) throws(ParseError) -> Value
    ) throws(ParseError) -> Set<Value> {
        var values: Set<Value> = []
        try array(key) { (reader, index) throws(ParseError) in
            guard index < reader.limits.values else { throw reader.error(.tooManyValues(limit: reader.limits.values)) }
            values.insert(try value(&reader))
        }
        return values
    }
}

extension JSONWriter {
    /// Appends a filter.
    mutating func filter(_ filter: Filter) {
        var isFirst = true
        func key(_ name: String, _ writer: inout JSONWriter) {
            writer.raw(isFirst ? "{" : ",")
            isFirst = false
            writer.string(name)
            writer.raw(":")
        }
        if let ids = filter.ids {
            key("ids", &self)
            list(ids.sorted()) { $0.hex($1.bytes) }
        }
        if let authors = filter.authors {
            key("authors", &self)
            list(authors.sorted()) { $0.hex($1.bytes) }
        }
        if let kinds = filter.kinds {
            key("kinds", &self)
            list(kinds.sorted()) { $0.integer($1.rawValue) }
        }
        for (letter, values) in filter.tags.sorted(by: { $0.key < $1.key }) {
            key("#\(letter)", &self)
            list(values.sorted()) { $0.string($1) }
        }
        // Moments before 1970 are no JSON of NIP-01; no event is older, so nothing is lost.
        let numbers: [(String, Int64?)] = [
            ("since", filter.since.map { max($0.seconds, 0) }), ("until", filter.until.map { max($0.seconds, 0) }),
            ("limit", filter.limit.map { max(Int64($0), 0) }),
        ]
        for case (let name, let value?) in numbers {
            key(name, &self)
            integer(value)
        }
        if let search = filter.search {
            key("search", &self)
            string(search)
        }
        raw(isFirst ? "{}" : "}")
    }
}
