internal import NostrCore

// Frames that do not parse still deserve an answer where their sender waits for it: `OK` for an EVENT, `CLOSED` for a
// REQ. These look for the name of what was meant, in the first bytes only, and believe nothing else.

/// The id an EVENT frame that does not parse claims.
func eventID(inBroken frame: [UInt8]) -> EventID? {
    guard verb(of: frame, is: ["EVENT", "AUTH"]) else { return nil }
    let key = Array("\"id\"".utf8)
    var at = 0
    while at + key.count + 66 < frame.count {
        defer { at += 1 }
        guard frame[at] == key[0], Array(frame[at..<at + key.count]) == key else { continue }
        guard let text = string(in: frame, from: at + key.count, most: 64) else { continue }
        // Anything but 64 lowercase hex characters is not an id.
        if let id = try? EventID(hex: text) { return id }
    }
    return nil
}

/// The subscription a REQ or COUNT frame that does not parse names.
func subscriptionID(inBroken frame: [UInt8]) -> SubscriptionID? {
    guard verb(of: frame, is: ["REQ", "COUNT"]), let comma = frame.firstIndex(of: UInt8(ascii: ",")) else {
        return nil
    }
    return string(in: frame, from: comma, most: 64).flatMap(SubscriptionID.init)
}

/// Whether the first string of an array is one of these words.
private func verb(of frame: [UInt8], is words: [String]) -> Bool {
    guard let bracket = frame.firstIndex(of: UInt8(ascii: "[")), bracket < 16 else { return false }
    return string(in: frame, from: bracket, most: 8).map(words.contains) == true
}

/// The first string without escapes within a few bytes after an offset.
private func string(in frame: [UInt8], from start: Int, most: Int) -> String? {
    let quote = UInt8(ascii: "\"")
    guard start >= 0, start < frame.count,
        let open = frame[start..<min(start + 16, frame.count)].firstIndex(of: quote)
    else { return nil }
    let rest = frame[(open + 1)..<min(open + 2 + most, frame.count)]
    guard let close = rest.firstIndex(of: quote), !rest[..<close].contains(UInt8(ascii: "\\")) else { return nil }
    return String(validating: rest[..<close], as: UTF8.self)
}
