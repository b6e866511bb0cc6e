internal import NostrCore
internal import ViewModels

/// Draws the parts of a text; every part from outside is escaped.
///
/// - Parameters:
///   - drawsMedia: whether a picture at an address is drawn below the text, and so left out of it.
///   - cards: notes drawn below the text, and so left out of it.
///   - drawsInvoices: whether invoices are drawn below the text, and so left out of it.
func richText(
    _ parts: [ContentPart], cards: Set<EventID> = [], drawsInvoices: Bool = false, drawsMedia: (String) -> Bool
) -> HTML {
    let isDrawn = { (part: ContentPart) in isDrawnBelow(part, cards, drawsInvoices, drawsMedia) }
    return "\(each: withoutDrawn(parts, isDrawn), { partView($0, drawsMedia) })"
}

func richText(_ parts: [ContentPart], drawsMedia: Bool) -> HTML {
    richText(parts, drawsMedia: { _ in drawsMedia })
}

private func partView(_ part: ContentPart, _ drawsMedia: (String) -> Bool) -> HTML {
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
    case .entity(let text): return "<span class=\"entity\">\(text.prefix(24))…</span>"
    case .invoice(let invoice):
        let path: Path = "/invoices/\(invoice.text)"
        return "<a href=\"\(path)\">\(invoice.title)</a>"
    case .emoji(let code, let picture):
        guard drawsMedia(picture), let url = ForeignURL(picture) else { return ":\(code):" }
        return "<img class=\"emoji\" loading=\"lazy\" src=\"\(url: url)\" alt=\":\(code):\">"
    }
}

/// The parts without the media and notes drawn below; the empty lines they leave close up.
private func withoutDrawn(_ parts: [ContentPart], _ isDrawn: (ContentPart) -> Bool) -> [ContentPart] {
    var kept: [ContentPart] = []
    var follows = false
    for part in parts {
        if isDrawn(part) {
            if case .text(let text) = kept.last { kept[kept.count - 1] = .text(withoutTrailingSpace(text)) }
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

private func withoutTrailingSpace(_ text: String) -> String {
    guard let last = text.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(text[...last])
}

/// What a note asks to be paid; none where there are so many that they stay links in the text.
func drawnInvoices(_ note: NoteItem) -> [InvoiceItem] {
    let invoices = note.parts.compactMap { part in
        if case .invoice(let item) = part { item } else { nil }
    }
    return invoices.count <= 4 ? invoices : []
}

/// The pictures and films of a note, as far as settings load them; so many at most.
func mediaView(_ note: NoteItem, loads: (String) -> Bool) -> HTML {
    let views = note.parts.compactMap { part -> HTML? in
        switch part {
        case .image(let address) where loads(address): pictureView(address, by: note.author.name)
        case .video(let address) where loads(address): filmView(address, by: note.author.name)
        default: nil
        }
    }
    return "\(Array(views.prefix(8)))"
}

private func pictureView(_ address: String, by name: String) -> HTML? {
    guard let url = ForeignURL(address) else { return nil }
    return """
        <a class="picture" href="\(url: url)" rel="noopener nofollow ugc" target="_blank"><img loading="lazy" decoding="async" src="\(url: url)" alt="Picture by \(name)"></a>
        """
}

private func filmView(_ address: String, by name: String) -> HTML? {
    guard let url = ForeignURL(address) else { return nil }
    return "<video controls preload=\"none\" src=\"\(url: url)\" aria-label=\"Recording by \(name)\"></video>"
}

/// A link out of Linnet: opened apart, with no trace of where it was found; only text where a browser must not follow.
func linkOut(_ address: String) -> HTML {
    guard let url = ForeignURL(address) else { return "\(address)" }
    let rest = address.drop { $0 != ":" }.dropFirst(3)
    let shown = rest.count > 60 ? rest.prefix(59) + "…" : rest
    return "<a href=\"\(url: url)\" rel=\"noopener nofollow ugc\" target=\"_blank\">\(shown)</a>"
}
