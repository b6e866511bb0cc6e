extension ClientMessage {
    /// Parses one frame.
    ///
    /// - Throws: ``ParseError``; more or fewer parts than the message has are ``ParseError/Problem/wrongCount``.
    public init(json: [UInt8], limits: ParseLimits = ParseLimits()) throws(ParseError) {
        self = try JSONReader.read(json.span, limits: limits) { (reader) throws(ParseError) in
            try reader.clientMessage()
        }
    }

    /// The frame.
    public var json: [UInt8] {
        var writer = JSONWriter()
        switch self {
        case .event(let event):
            writer.raw("[\"EVENT\",")
            writer.event(event)
        case .auth(let event):
            writer.raw("[\"AUTH\",")
            writer.event(event)
        case .close(let subscription):
            writer.raw("[\"CLOSE\",")
            writer.string(subscription.text)
        case .req(let subscription, let filters):
            writer.raw("[\"REQ\",")
            writer.question(subscription, filters)
        case .count(let subscription, let filters):
            writer.raw("[\"COUNT\",")
            writer.question(subscription, filters)
        }
        writer.raw("]")
        return writer.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func question(_ subscription: SubscriptionID, _ filters: [Filter]) {
        string(subscription.text)
        for filter in filters {
            raw(",")
            self.filter(filter)
        }
    }
}

extension JSONReader {
    fileprivate mutating func clientMessage() throws(ParseError) -> ClientMessage {
        let label = try messageLabel()
        let message: ClientMessage
        if key(label, is: "EVENT") {
            try nextPart()
            message = .event(try event())
        } else if key(label, is: "AUTH") {
            try nextPart()
            message = .auth(try event())
        } else if key(label, is: "CLOSE") {
            try nextPart()
            message = .close(try subscriptionID())
        } else if key(label, is: "REQ") {
            try nextPart()
            return .req(try subscriptionID(), try filters())
        } else if key(label, is: "COUNT") {
            try nextPart()
            return .count(try subscriptionID(), try filters())
        } else {
            throw ParseError(.unknownMessage, at: label.start)
        }
        guard try !hasNext(isFirst: false, close: UInt8(ascii: "]")) else { throw error(.wrongCount) }
        return message
    }

    /// At least one filter, to the end of the message.
    private mutating func filters() throws(ParseError) -> [Filter] {
        try nextPart()
        var filters = [try filter()]
        while try hasNext(isFirst: false, close: UInt8(ascii: "]")) {
            guard filters.count < limits.filters else { throw error(.tooManyFilters(limit: limits.filters)) }
            filters.append(try filter())
        }
        return filters
    }

    /// Opens a message and reads its label.
    mutating func messageLabel() throws(ParseError) -> RawString {
        guard consume(UInt8(ascii: "[")) else { throw wrongType("message") }
        try descend()
        guard try hasNext(isFirst: true, close: UInt8(ascii: "]")) else { throw error(.wrongCount) }
        guard peek() == UInt8(ascii: "\"") else { throw wrongType("message") }
        return try rawString()
    }

    /// Moves to the next part of a message, which must be there.
    mutating func nextPart() throws(ParseError) {
        guard try hasNext(isFirst: false, close: UInt8(ascii: "]")) else { throw error(.wrongCount) }
    }

    /// Reads a subscription id.
    mutating func subscriptionID() throws(ParseError) -> SubscriptionID {
        let start = position
        guard let id = SubscriptionID(try string("subscription")) else {
            throw ParseError(.invalidSubscriptionID, at: start)
        }
        return id
    }
}
