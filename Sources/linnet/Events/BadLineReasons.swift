import NostrCore

extension EventLineError {
    /// What is wrong, for a person; never the content itself.
    var reason: String {
        switch self {
        case .malformed(let error): "\(error.problem.reason) (at byte \(error.offset))"
        case .rejected(.wrongID): "the id is not the hash of the event"
        case .rejected(.badSignature): "the signature does not fit the author and the id"
        }
    }
}

extension ParseError.Problem {
    fileprivate var reason: String {
        switch self {
        case .tooLong(let limit): "longer than \(limit) bytes"
        case .tooDeep(let limit): "nested deeper than \(limit)"
        case .tooManyTags(let limit): "more than \(limit) tags"
        case .tooManyFilters(let limit): "more than \(limit) filters"
        case .tooManyValues(let limit): "more than \(limit) values in a list"
        case .unexpectedEnd: "the text ends too soon"
        case .unexpectedByte: "not the JSON of an event"
        case .trailingBytes: "something follows the event"
        case .invalidUTF8: "not UTF-8"
        case .invalidEscape: "a wrong escape in a text"
        case .numberOutOfRange: "a number out of range"
        case .duplicateKey(let key): "\(key) is there twice"
        case .missingKey(let key): "\(key) is missing"
        case .wrongType("event"): "not the JSON of an event"
        case .wrongType(let key): "\(key) has the wrong type"
        case .hex: "not lowercase hex of the right length"
        case .unknownMessage, .wrongCount, .invalidSubscriptionID, .invalidFilter: "not an event"
        }
    }
}
