/// A name that somebody else chose, fit for one line on a screen; nil if nothing is left of it.
///
/// White space is one space, control characters and marks that turn the direction of text around are gone, and it ends
/// after 64 characters or 256 bytes.
func shownName(_ text: String?) -> String? {
    guard let text else { return nil }
    var kept = String.UnicodeScalarView()
    // Four times what is kept in the end: enough for whatever is taken away, and never the whole of a long text.
    for scalar in text.unicodeScalars.prefix(1024) {
        if scalar.properties.isWhitespace {
            if kept.last != " ", !kept.isEmpty { kept.append(" ") }
        } else if scalar.properties.generalCategory != .control, !turnsDirection(scalar) {
            kept.append(scalar)
        }
    }
    var name = ""
    for character in String(kept).prefix(64) {
        guard name.utf8.count + character.utf8.count <= 256 else { break }
        name.append(character)
    }
    if name.last == " " { name.removeLast() }
    return name.isEmpty ? nil : name
}

/// Whether a scalar makes what stands around it run the other way, by which a name can pass for another.
private func turnsDirection(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200E, 0x200F, 0x061C, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
}
