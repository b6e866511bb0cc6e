internal import NostrCore
internal import ViewModels

/// Draws the parts of a text; every part from outside is escaped.
///
/// - Parameters:
///   - drawsMedia: whether a picture at an address is drawn below the text, and so left out of it.
///   - cards: notes drawn below the text, and so left out of it.
///   - drawsInvoices: whether invoices are drawn below the text, and so left out of it.
///   - style: how emoji are fetched; without it a browser fetches them itself.
func richText(
    _ parts: [ContentPart], _ style: NoteStyle? = nil, cards: Set<EventID> = [], drawsInvoices: Bool = false,
    drawsMedia: (String) -> Bool
) -> HTML {
    let isDrawn = { (part: ContentPart) in isDrawnBelow(part, cards, drawsInvoices, drawsMedia) }
    return "\(each: withoutDrawn(parts, isDrawn), { partView($0, style, drawsMedia) })"
}

func richText(_ parts: [ContentPart], drawsMedia: Bool) -> HTML {
    richText(parts, drawsMedia: { _ in drawsMedia })
}

/// Draws a text whose pictures stay links, and whose emoji are drawn where settings load them.
func richText(_ parts: [ContentPart], _ style: NoteStyle? = nil, drawsEmoji: (String) -> Bool) -> HTML {
    "\(each: parts, { partView($0, style, drawsEmoji) })"
}

private func partView(_ part: ContentPart, _ style: NoteStyle?, _ drawsMedia: (String) -> Bool) -> HTML {
    switch part {
    case .text(let text): return "\(text)"
    case .link(let address), .image(let address), .video(let address): return linkOut(address)
    case .hashtag(let shown, let tag):
        let path: Path = "/tags/\(tag)"
        return "<a class=\"tag\" href=\"\(path)\">\(shown)</a>"
    case .mention(let key, let name):
        let path: Path = "/people/\(key)"
        return "<a class=\"mention\" href=\"\(path)\">@\(name)</a>"
    case .note(let id):
        let path: Path = "/note/\(id)"
        return "<a class=\"mention\" href=\"\(path)\">a note</a>"
    case .article(let code):
        let path: Path = "/article/\(code)"
        return "<a class=\"mention\" href=\"\(path)\">an article</a>"
    case .entity(let text):
        if let stream = StreamWord.pointer(String(text.drop { $0 == "@" })) {
            let path: Path = "/streams/\(StreamWord.word(of: stream))"
            return "<a class=\"mention\" href=\"\(path)\">a live stream</a>"
        }
        if let path = packPath(text) { return "<a class=\"entity\" href=\"\(path)\">a pack of emoji</a>" }
        return "<span class=\"entity\">\(text.prefix(24))…</span>"
    case .invoice(let invoice):
        let path: Path = "/invoices/\(invoice.text)"
        return "<a href=\"\(path)\">\(invoice.title)</a>"
    case .emoji(let code, let picture):
        guard drawsMedia(picture), let url = ForeignURL(picture) else { return ":\(code):" }
        return emojiPicture(code, url, style)
    }
}

/// The parts without the media and notes drawn below; the empty lines they leave close up.
private func withoutDrawn(_ parts: [ContentPart], _ isDrawn: (ContentPart) -> Bool) -> [ContentPart] {
    var kept: [ContentPart] = []
    var follows = false
    for part in parts {
        if isDrawn(part) {
            // Once: in a row of pictures the text before them is as it should be.
            if !follows, case .text(let text) = kept.last { kept[kept.count - 1] = .text(withoutTrailingSpace(text)) }
            follows = true
            continue
        }
        guard follows else {
            kept.append(part)
            continue
        }
        // What follows begins a paragraph of its own; white space alone does not.
        let gap = kept.isEmpty || kept == [.text("")] ? "" : "\n\n"
        if case .text(let text) = part {
            let rest = text.drop(while: \.isWhitespace)
            if rest.isEmpty { continue }
            kept.append(.text(gap + rest))
        } else {
            kept += [.text(gap), part]
        }
        follows = false
    }
    return kept
}

private func isDrawnBelow(
    _ part: ContentPart, _ cards: Set<EventID>, _ drawsInvoices: Bool, _ drawsMedia: (String) -> Bool
) -> Bool {
    switch part {
    case .invoice: drawsInvoices
    case .image(let address), .video(let address): drawsMedia(address)
    case .note(let id): cards.contains(id)
    default: false
    }
}

/// What a note asks to be paid; none where there are so many that they stay links in the text.
func drawnInvoices(_ note: NoteItem) -> [InvoiceItem] {
    let invoices = note.parts.compactMap { part in
        if case .invoice(let item) = part { item } else { nil }
    }
    return invoices.count <= 4 ? invoices : []
}

/// A link out of Linnet: opened apart, with no trace of where it was found; only text where a browser must not follow.
func linkOut(_ address: String) -> HTML {
    guard let url = ForeignURL(address) else { return "\(address)" }
    let rest = address.drop { $0 != ":" }.dropFirst(3)
    // An address has thousands of letters at most; no more are looked at than are shown.
    let beginning = rest.prefix(61)
    let shown = beginning.count > 60 ? beginning.prefix(59) + "…" : rest
    return "<a href=\"\(url: url)\" rel=\"noopener nofollow ugc\" target=\"_blank\">\(shown)</a>"
}
