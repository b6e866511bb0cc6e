internal import ViewModels

/// So much of a note that stands among others is sent, in bytes: more than the lines that are shown of it.
private let longestBeginning = 8_000

/// The parts of a note that stand among others; a far longer one ends in an ellipsis, and is whole on its own page.
func beginning(of parts: [ContentPart]) -> [ContentPart] {
    var left = longestBeginning
    for (index, part) in parts.enumerated() {
        let weight = part.weight
        if weight <= left {
            left -= weight
            continue
        }
        guard case .text(let text) = part else { return Array(parts[..<index]) + [.text("…")] }
        let scalars = text.unicodeScalars.prefix(left / 4)
        return Array(parts[..<index]) + [.text(String(scalars) + "…")]
    }
    return parts
}

extension ContentPart {
    /// How many bytes of foreign text it holds, roughly.
    fileprivate var weight: Int {
        switch self {
        case .text(let text), .link(let text), .image(let text), .video(let text), .entity(let text): text.utf8.count
        case .emoji(let code, let picture): code.utf8.count + picture.utf8.count
        case .hashtag(let shown, let tag): shown.utf8.count + tag.utf8.count
        case .mention(_, let name): 64 + name.utf8.count
        case .note: 64
        case .article(let code): code.utf8.count
        case .invoice(let invoice): invoice.text.utf8.count
        }
    }
}
