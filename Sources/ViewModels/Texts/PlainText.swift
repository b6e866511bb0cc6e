internal import NostrClient
internal import NostrCore
internal import NostrNIPs

/// Text from a stranger as one short line: no control characters, no direction overrides, single spaces.
func oneLine(_ text: String, limit: Int) -> String {
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

/// The address, when it is `http` or `https`, has a host and no white space; else `nil`.
func webAddress(_ text: String) -> String? {
    let trimmed = text.utf8.count <= 2048 ? text.filter { !$0.isNewline } : ""
    let lower = trimmed.prefix(8).lowercased()
    guard let start = ["https://", "http://"].first(where: lower.hasPrefix) else { return nil }
    let rest = trimmed.dropFirst(start.count)
    let legal = rest.unicodeScalars.allSatisfy {
        $0.value > 0x20 && $0.value != 0x7F && !"<>\"'`\\^{|}".unicodeScalars.contains($0)
    }
    guard legal, let first = rest.first, first.isLetter || first.isNumber || first == "[" else { return nil }
    return start + rest
}

/// What to call a person: display name, name, or the start of the key; one line without control characters.
func shownName(of person: Person) -> String {
    let names = ["display_name", "name"].compactMap { person.fields[$0] }.map { oneLine($0, limit: 50) }
    return names.first { !$0.isEmpty } ?? shortened(person.key)
}

/// The start of a key, for people who gave no name.
func shortened(_ key: PublicKey) -> String {
    key.npub.prefix(10) + "…" + key.npub.suffix(4)
}
