internal import NostrCore
internal import ViewModels

/// Draws the parts of a text; every part from outside is escaped.
///
/// - Parameters:
///   - drawsMedia: whether a picture at an address is drawn below the text, and so left out of it.
///   - cards: notes drawn below the text, and so left out of it.
func richText(_ parts: [ContentPart], cards: Set<EventID> = [], drawsMedia: (String) -> Bool) -> HTML {
    var html = HTML()
    for part in withoutDrawn(parts, cards, drawsMedia) {
        switch part {
        case .text(let text): html.add(text: text)
        case .link(let address): html.addLink(address)
        case .image(let address), .video(let address): html.addLink(address)
        case .hashtag(let shown, let tag):
            html.add(markup: "<a class=\"tag\" href=\"/tags/")
            html.add(text: encodePercent(tag))
            html.add(markup: "\">")
            html.add(text: shown)
            html.add(markup: "</a>")
        case .mention(let key, let name):
            html.add(markup: "<a class=\"mention\" href=\"/people/")
            html.add(text: key.hex)
            html.add(markup: "\">@")
            html.add(text: name)
            html.add(markup: "</a>")
        case .note(let id):
            html.add(markup: "<a class=\"mention\" href=\"/note/")
            html.add(text: id.hex)
            html.add(markup: "\">a note</a>")
        case .entity(let text):
            html.add(markup: "<span class=\"entity\">")
            html.add(text: text.prefix(24))
            html.add(markup: "…</span>")
        case .emoji(let code, let picture):
            if drawsMedia(picture) {
                html.add(markup: "<img class=\"emoji\" loading=\"lazy\" src=\"")
                html.add(text: picture)
                html.add(markup: "\" alt=\":")
                html.add(text: code)
                html.add(markup: ":\">")
            } else {
                html.add(text: ":\(code):")
            }
        }
    }
    return html
}

func richText(_ parts: [ContentPart], drawsMedia: Bool) -> HTML {
    richText(parts, drawsMedia: { _ in drawsMedia })
}

/// The parts without the media and notes drawn below; the empty lines they leave close up.
private func withoutDrawn(
    _ parts: [ContentPart], _ cards: Set<EventID>, _ drawsMedia: (String) -> Bool
) -> [ContentPart] {
    var kept: [ContentPart] = []
    var follows = false
    for part in parts {
        if isDrawn(part, cards, drawsMedia) {
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

private func isDrawn(_ part: ContentPart, _ cards: Set<EventID>, _ drawsMedia: (String) -> Bool) -> Bool {
    switch part {
    case .image(let address), .video(let address): drawsMedia(address)
    case .note(let id): cards.contains(id)
    default: false
    }
}

private func withoutTrailingSpace(_ text: String) -> String {
    guard let last = text.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(text[...last])
}

/// The pictures and films of a note, as far as settings load them.
func mediaHTML(_ note: NoteItem, loads: (String) -> Bool, style: NoteStyle) -> HTML {
    var html = HTML()
    var drawn = 0
    for part in note.parts where drawn < 8 {
        switch part {
        case .image(let address) where loads(address):
            html.add(markup: "<a class=\"picture\" href=\"")
            html.add(text: address)
            html.add(
                markup:
                    "\" rel=\"noopener nofollow ugc\" target=\"_blank\"><img loading=\"lazy\" decoding=\"async\" src=\""
            )
            html.add(text: address)
            html.add(markup: "\" alt=\"Picture by ")
            html.add(text: note.author.name)
            html.add(markup: "\"></a>")
            drawn += 1
        case .video(let address) where loads(address):
            html.add(markup: "<video controls preload=\"none\" src=\"")
            html.add(text: address)
            html.add(markup: "\" aria-label=\"Recording by ")
            html.add(text: note.author.name)
            html.add(markup: "\"></video>")
            drawn += 1
        default: break
        }
    }
    return html
}

extension HTML {
    /// A link out of Linnet: opened apart, with no trace of where it was found.
    mutating func addLink(_ address: String) {
        add(markup: "<a href=\"")
        add(text: address)
        add(markup: "\" rel=\"noopener nofollow ugc\" target=\"_blank\">")
        let shown = address.drop { $0 != ":" }.dropFirst(3)
        add(text: shown.count > 60 ? shown.prefix(59) + "…" : shown)
        add(markup: "</a>")
    }
}
