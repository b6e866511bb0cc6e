internal import NostrCore
internal import NostrNIPs
internal import NostrStore

extension EventRejection {
    /// What a client hears.
    var reason: Reason {
        switch self {
        case .wrongID: Reason(.invalid, "the id is not the hash of the event")
        case .badSignature: Reason(.invalid, "the signature does not fit")
        }
    }
}

extension RelayAuthentication.Refusal {
    /// What a client hears.
    var words: String {
        switch self {
        case .wrongKind: "authentication is kind 22242"
        case .wrongMoment: "created_at is too far from now"
        case .wrongChallenge: "not this connection's challenge"
        case .wrongRelay: "meant for another relay"
        }
    }
}

extension SaveOutcome {
    /// What a client hears of an event handed to the store.
    func answer(to id: EventID) -> RelayMessage {
        switch self {
        case .stored, .ephemeral: .ok(id, accepted: true, Reason(nil, ""))
        case .duplicate: .ok(id, accepted: true, Reason(.duplicate, "already have this event"))
        case .superseded: .ok(id, accepted: true, Reason(.duplicate, "a newer version of this event is here"))
        case .deleted: .ok(id, accepted: false, Reason(.blocked, "its author asked to delete this event"))
        case .expired: .ok(id, accepted: false, Reason(.invalid, "this event has expired"))
        }
    }
}

extension ConnectionState {
    /// A parser's complaint in words; the bytes complained about are not repeated.
    static func words(for problem: ParseError.Problem) -> String {
        switch problem {
        case .tooLong(let limit): "longer than \(limit) bytes"
        case .tooDeep(let limit): "nested deeper than \(limit)"
        case .tooManyTags(let limit): "more than \(limit) tags"
        case .tooManyFilters(let limit): "more than \(limit) filters"
        case .tooManyValues(let limit): "more than \(limit) values in a list"
        case .unexpectedEnd: "the message ends too early"
        case .unexpectedByte: "unexpected byte"
        case .trailingBytes: "bytes after the message"
        case .invalidUTF8: "not UTF-8"
        case .invalidEscape: "invalid escape"
        case .numberOutOfRange: "number out of range"
        case .duplicateKey: "a key stands twice"
        case .missingKey: "a key is missing"
        case .wrongType: "a value has the wrong type"
        case .hex: "not the hex expected"
        case .unknownMessage: "unknown message"
        case .wrongCount: "wrong number of elements"
        case .invalidSubscriptionID: "a subscription id has 1 to 64 characters"
        case .invalidFilter: "unknown or unusable filter"
        }
    }
}

extension Event {
    /// Whether this is a repost with a protected event inside.
    ///
    /// Source: NIP-70.
    var carriesProtectedEvent: Bool {
        guard kind == Repost.noteKind || kind == Repost.genericKind, content.utf8.first == UInt8(ascii: "{") else {
            return false
        }
        // What is no event protects nothing.
        return (try? UnverifiedEvent(json: Array(content.utf8)))?.tags.isProtected == true
    }
}
