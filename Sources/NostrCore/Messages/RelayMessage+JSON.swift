extension RelayMessage {
    /// Parses one frame.
    ///
    /// Relays differ: a missing reason is an empty one, and parts behind the known ones are skipped.
    ///
    /// - Throws: ``ParseError``.
    public init(json: [UInt8], limits: ParseLimits = ParseLimits()) throws(ParseError) {
        self = try JSONReader.read(json.span, limits: limits) { (reader) throws(ParseError) in
            try reader.relayMessage()
        }
    }

    /// The frame.
    public var json: [UInt8] {
        var writer = JSONWriter()
        switch self {
        case .event(let subscription, let event):
            writer.raw("[\"EVENT\",")
            writer.string(subscription.text)
            writer.raw(",")
            writer.event(event)
        case .ok(let id, let accepted, let reason):
            writer.raw("[\"OK\",")
            writer.hex(id.bytes)
            writer.raw(accepted ? ",true," : ",false,")
            writer.string(reason.description)
        case .eose(let subscription):
            writer.raw("[\"EOSE\",")
            writer.string(subscription.text)
        case .closed(let subscription, let reason):
            writer.raw("[\"CLOSED\",")
            writer.string(subscription.text)
            writer.raw(",")
            writer.string(reason.description)
        case .notice(let text):
            writer.raw("[\"NOTICE\",")
            writer.string(text)
        case .auth(let challenge):
            writer.raw("[\"AUTH\",")
            writer.string(challenge)
        case .count(let subscription, let number, let approximate):
            writer.raw("[\"COUNT\",")
            writer.string(subscription.text)
            writer.raw(",{\"count\":")
            writer.integer(max(number, 0))
            writer.raw(approximate ? ",\"approximate\":true}" : "}")
        }
        writer.raw("]")
        return writer.bytes
    }
}

extension JSONReader {
    fileprivate mutating func relayMessage() throws(ParseError) -> RelayMessage {
        let label = try messageLabel()
        let message = try relayMessage(label)
        // A reason that was looked for and not found has closed the message already.
        while depth > 0, try hasNext(isFirst: false, close: UInt8(ascii: "]")) { try skipValue() }
        return message
    }

    private mutating func relayMessage(_ label: RawString) throws(ParseError) -> RelayMessage {
        guard label.count <= 6, !label.hasEscapes else { throw ParseError(.unknownMessage, at: label.start) }
        let name = text(of: label)
        guard ["EVENT", "OK", "EOSE", "CLOSED", "NOTICE", "AUTH", "COUNT"].contains(name) else {
            throw ParseError(.unknownMessage, at: label.start)
        }
        try nextPart()
        switch name {
        case "EVENT":
            let subscription = try subscriptionID()
            try nextPart()
            return .event(subscription, try event())
        case "OK":
            let id = EventID(try hex32("id"))
            try nextPart()
            return .ok(id, accepted: try boolean("accepted"), try reason())
        case "EOSE": return .eose(try subscriptionID())
        case "CLOSED": return .closed(try subscriptionID(), try reason())
        case "NOTICE": return .notice(try string("notice"))
        case "AUTH": return .auth(challenge: try string("challenge"))
        default:
            let subscription = try subscriptionID()
            try nextPart()
            return try count(subscription)
        }
    }

    private mutating func reason() throws(ParseError) -> Reason {
        guard try hasNext(isFirst: false, close: UInt8(ascii: "]")) else { return Reason(nil, "") }
        return Reason(wire: try string("reason"))
    }

    private mutating func count(_ subscription: SubscriptionID) throws(ParseError) -> RelayMessage {
        guard consume(UInt8(ascii: "{")) else { throw wrongType("count") }
        try descend()
        var number: Int64?
        var approximate: Bool?
        var isFirst = true
        while try hasNext(isFirst: isFirst, close: UInt8(ascii: "}")) {
            isFirst = false
            let start = position
            let name = try rawString()
            try colon()
            if key(name, is: "count") {
                try once(number == nil, "count", at: start)
                number = try integer("count")
            } else if key(name, is: "approximate") {
                try once(approximate == nil, "approximate", at: start)
                approximate = try boolean("approximate")
            } else {
                try skipValue()
            }
        }
        guard let number else { throw error(.missingKey("count")) }
        return .count(subscription, Int(clamping: number), approximate: approximate ?? false)
    }
}
