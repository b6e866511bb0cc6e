internal import NostrClient
internal import NostrCore
internal import NostrNIPs

/// Text from a stranger as one short line: no control characters, no direction overrides, single spaces.
///
/// Of a text far longer than the line only the beginning is looked at, though nothing of it may be visible.
func oneLine(_ text: String, limit: Int) -> String {
    if let line = plainLine(text, limit: limit) { return line }
    let most = 1024 + 64 * max(limit, 0)
    let text = text.utf8.count <= most ? text : String(text.unicodeScalars.prefix(most))
    var line = ""
    var count = 0
    var pendingSpace = false
    for character in text {
        if character.isWhitespace || character.isNewline {
            pendingSpace = !line.isEmpty
            continue
        }
        let kept = visible(character)
        if kept.isEmpty { continue }
        if count >= limit {
            line += "…"
            break
        }
        if pendingSpace { line.append(" ") }
        pendingSpace = false
        line.unicodeScalars.append(contentsOf: kept)
        count += 1
    }
    return line
}

/// The same for a text of which nothing beyond ASCII is shown, as of most names: byte by byte, since nearly everything on
/// a page goes through here; `nil` for any other.
private func plainLine(_ text: String, limit: Int) -> String? {
    var line: [UInt8] = []
    var count = 0
    var pendingSpace = false
    for byte in text.utf8 {
        switch byte {
        case 0x80...: return nil
        case 0x20, 0x09...0x0D: pendingSpace = count > 0
        case ..<0x20, 0x7F: break
        default:
            guard count < limit else { return String(decoding: line, as: UTF8.self) + "…" }
            if pendingSpace { line.append(0x20) }
            pendingSpace = false
            line.append(byte)
            count += 1
        }
    }
    return String(decoding: line, as: UTF8.self)
}

/// The scalars of a character that may be shown: controls and direction overrides go, stacked marks end at four.
private func visible(_ character: Character) -> [Unicode.Scalar] {
    let shown = character.unicodeScalars.filter { scalar in
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0xFEFF: false
        default: true
        }
    }
    let onlyJoins = shown.allSatisfy { $0.properties.generalCategory == .format }
    return onlyJoins ? [] : Array(shown.prefix(12))
}

/// The host of a web address, to name it by: without the name and password that may stand before it, which anybody can
/// make look like a host.
func webHost(of address: String) -> String {
    let authority = address.drop { $0 != ":" }.dropFirst(3).prefix { !"/?#".contains($0) }
    let host = authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] } ?? authority
    return oneLine(host.lowercased(), limit: 80)
}

/// The address, when it is `http` or `https`, has a host and no white space; else `nil`.
func webAddress(_ text: String) -> String? {
    guard text.utf8.count <= 2048 else { return nil }
    let isPlain = text.utf8.allSatisfy { 0x20 < $0 && $0 < 0x7F }
    let trimmed = isPlain ? text : text.filter { !$0.isNewline }
    guard let start = ["https://", "http://"].first(where: { begins(trimmed.utf8, as: $0) }) else { return nil }
    let rest = trimmed.utf8.dropFirst(start.utf8.count)
    guard let first = rest.first, isLegalInAddress(first), rest.allSatisfy(isLegalInAddress) else { return nil }
    // As nearly every address is written: nothing to change, and nothing to copy.
    if isPlain, isASCIILetterOrDigit(first) || first == UInt8(ascii: "["), text.hasPrefix(start) { return text }
    let shown = String(decoding: rest, as: UTF8.self)
    let hasHost =
        first < 0x80
        ? isASCIILetterOrDigit(first) || first == UInt8(ascii: "[")
        : shown.first.map { $0.isLetter || $0.isNumber } == true
    return hasHost ? start + shown : nil
}

/// Whether bytes begin as a lowercase ASCII word does, in any case.
private func begins(_ bytes: String.UTF8View, as word: String) -> Bool {
    bytes.prefix(word.utf8.count).elementsEqual(word.utf8) { byte, expected in
        ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == expected
    }
}

/// Whether a byte is neither white space, nor a control character, nor one of those that RFC 3986 has no place for, or
/// that would end an attribute.
private func isLegalInAddress(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, 0x7F, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"),
        UInt8(ascii: "`"), UInt8(ascii: "\\"), UInt8(ascii: "^"), UInt8(ascii: "{"), UInt8(ascii: "|"),
        UInt8(ascii: "}"):
        false
    default: true
    }
}

/// What to call a person: display name, name, or the start of the key; one line without control characters.
func shownName(of person: Person) -> String {
    let names = ["display_name", "name"].compactMap { person.fields[$0] }.map { oneLine($0, limit: 50) }
    return names.first { !$0.isEmpty } ?? shortened(person.key)
}

/// The start of a key, for people who gave no name.
func shortened(_ key: PublicKey) -> String {
    let npub = key.npub
    return npub.prefix(10) + "…" + npub.suffix(4)
}
