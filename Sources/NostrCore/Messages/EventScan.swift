/// What an EVENT frame says it holds, before it is parsed.
public struct ScannedEvent: Hashable, Sendable {
    /// The subscription it was sent for.
    public let subscription: SubscriptionID
    /// The claimed id.
    public let id: EventID

    /// What was found before parsing; nothing of it is checked.
    public init(subscription: SubscriptionID, id: EventID) {
        self.subscription = subscription
        self.id = id
    }
}

/// Finds the id in an `["EVENT",…]` frame without parsing the rest, so that a duplicate costs almost nothing.
///
/// - Returns: `nil` when the frame is no EVENT or the scan is not sure; then parse.
public func scanEventID(inRelayFrame frame: [UInt8]) -> EventID? {
    scanEvent(inRelayFrame: frame)?.id
}

/// Finds the subscription and the id in an `["EVENT",…]` frame; stops at the id.
///
/// What follows the id is not looked at: it may be no JSON at all.
///
/// - Returns: `nil` when the frame is no EVENT or the scan is not sure; then parse.
public func scanEvent(inRelayFrame frame: [UInt8], limits: ParseLimits = ParseLimits()) -> ScannedEvent? {
    // Any error means "not sure": the parser that follows says what is wrong.
    try? JSONReader.scan(frame.span, limits: limits) { (reader) throws(ParseError) in try reader.scannedEvent() }
}

extension JSONReader {
    fileprivate mutating func scannedEvent() throws(ParseError) -> ScannedEvent {
        let label = try messageLabel()
        guard key(label, is: "EVENT") else { throw error(.unknownMessage) }
        try nextPart()
        let subscription = try subscriptionID()
        try nextPart()
        try expect(UInt8(ascii: "{"))
        try descend()
        var isFirst = true
        while try hasNext(isFirst: isFirst, close: UInt8(ascii: "}")) {
            isFirst = false
            let name = try rawString()
            try colon()
            if key(name, is: "id") {
                return ScannedEvent(subscription: subscription, id: EventID(try hex32("id")))
            }
            try skipValue()
        }
        throw error(.missingKey("id"))
    }
}
