internal import NostrCore

/// The id of a circle's MLS group as links and requests write it: hex of 1 to 64 bytes, which Whistle writes in lower
/// case; nil for anything else.
func circleID(hex text: String?) -> [UInt8]? {
    guard let text, (2...128).contains(text.utf8.count), text.utf8.count.isMultiple(of: 2) else { return nil }
    // What is no hex is no id; callers have no use for the place of the wrong digit.
    return try? decodeHex(text.lowercased(), byteCount: text.utf8.count / 2)
}
