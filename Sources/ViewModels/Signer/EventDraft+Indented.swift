internal import NostrCore
internal import NostrNIPs

extension EventDraft {
    /// The event as JSON for people: one member and one tag per line.
    ///
    /// Characters that would be invisible or turn the text around are written as escapes, so that what is read is what
    /// would be signed.
    var indentedJSON: String {
        let written = { (text: String) in shown(JSONValue.string(text).text) }
        var lines = ["{", "  \"kind\": \(kind.rawValue),", "  \"created_at\": \(createdAt.seconds),"]
        if tags.isEmpty {
            lines.append("  \"tags\": [],")
        } else {
            lines.append("  \"tags\": [")
            for (index, tag) in tags.enumerated() {
                let elements = tag.elements.map(written).joined(separator: ", ")
                lines.append("    [\(elements)]" + (index + 1 < tags.count ? "," : ""))
            }
            lines.append("  ],")
        }
        lines.append("  \"content\": \(written(content))")
        lines.append("}")
        return lines.joined(separator: "\n")
    }
}

/// JSON with what cannot be seen as `\u` escapes.
private func shown(_ json: String) -> String {
    guard json.unicodeScalars.contains(where: isHidden) else { return json }
    var out = ""
    for scalar in json.unicodeScalars {
        guard isHidden(scalar) else {
            out.unicodeScalars.append(scalar)
            continue
        }
        for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16)
            out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }
    return out
}

private func isHidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .format, .control, .lineSeparator, .paragraphSeparator, .privateUse: true
    default: false
    }
}

/// Text from a stranger with its lines: no other control characters, no direction overrides.
func manyLines(_ text: String, limit: Int) -> String {
    var lines: [String] = []
    var left = limit
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        guard left > 0, lines.count < 400 else {
            lines.append("…")
            break
        }
        let kept = oneLine(String(line), limit: left)
        left -= kept.count
        lines.append(kept)
    }
    return lines.joined(separator: "\n")
}
