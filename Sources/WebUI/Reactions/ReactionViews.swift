internal import NostrClient
internal import NostrCore
internal import ViewModels

/// An emoji: a character, or its picture where settings load it, else its name.
///
/// - Parameter style: how the picture is fetched; without it a browser fetches it itself.
func emojiView(_ emoji: EmojiItem, _ style: NoteStyle? = nil, loads: (String) -> Bool) -> HTML {
    switch emoji {
    case .like: return "<span aria-hidden=\"true\">❤️</span><span class=\"visually-hidden\">\(emoji.name)</span>"
    case .dislike: return "<span aria-hidden=\"true\">👎</span><span class=\"visually-hidden\">\(emoji.name)</span>"
    case .character(let text): return "\(text)"
    case .picture(let code, let address):
        guard loads(address), let url = ForeignURL(address) else { return ":\(code):" }
        return emojiPicture(code, url, style)
    }
}

extension NoteStyle {
    /// Whether the picture of a reaction may be loaded: the account reacted so, or somebody whose pictures are loaded.
    func loads(of line: ReactionLine) -> (String) -> Bool {
        { address in line.isOwn ? loadsOwn(address) : line.people.contains { loads(address, of: $0, own: false) } }
    }
}

/// The picture of an emoji, within a line.
func emojiPicture(_ code: String, _ url: ForeignURL, _ style: NoteStyle?) -> HTML {
    let source: HTML
    if let style { source = style.source(url, .emoji) } else { source = "\(url: url)" }
    return "<img class=\"emoji\" loading=\"lazy\" src=\"\(source)\" alt=\":\(code):\">"
}

/// How people reacted to a note, by what they mean; it stands inside a form that carries the token.
func reactionsView(_ lines: [ReactionLine], to note: NoteItem, _ style: NoteStyle) -> HTML {
    let path: Path = "/note/\(note.id)/react?back=\(("/note/\(note.id)" as Path).text)"
    return """
        <section class="reactions" data-reactions="\(note.id.hex)" aria-labelledby="reactions-title">
        <h2 id="reactions-title"\(if: lines.isEmpty, " class=\"visually-hidden\"")>Reactions</h2>
        \(if: !lines.isEmpty, "<ul class=\"reaction-list\">\(each: lines, { reactionLine($0, to: note, style) })</ul>")
        \(if: style.canSign, "<p class=\"reaction-more\"><a class=\"button quiet small\" href=\"\(path)\">React with an emoji…</a></p>")
        </section>
        """
}

private func reactionLine(_ line: ReactionLine, to note: NoteItem, _ style: NoteStyle) -> HTML {
    """
    <li class="reaction\(if: line.isOwn, " is-own")">\(reactionButton(line, to: note, style))<details class="reaction-people"><summary>\(line.words)</summary><ul class="rows is-inner">\(each: line.people, { reactor($0, style) })</ul>\(if: line.count > line.people.count, "<p class=\"hint\">and \(line.count - line.people.count) more</p>")</details></li>
    """
}

private func reactor(_ person: PersonItem, _ style: NoteStyle) -> HTML {
    let path: Path = "/people/\(person.key)"
    return """
        <li>\(avatar(person, .small, style, loading: .lazy))<a class="name" href="\(path)">\(person.name)</a></li>
        """
}

/// The emoji with its count: a button that joins in or takes the account's own back, where that is possible.
private func reactionButton(_ line: ReactionLine, to note: NoteItem, _ style: NoteStyle) -> HTML {
    let shown: HTML = """
        <span class="reaction-emoji">\(emojiView(line.emoji, style, loads: style.loads(of: line)))</span><span>\(spoken(count: line.count))</span>
        """
    guard style.canSign, line.isOwn || line.canBeJoined else {
        return "<span class=\"reaction-chip\">\(shown)</span>"
    }
    let action: Path = line.isOwn ? "/note/\(note.id)/unreact" : "/note/\(note.id)/react"
    let words = line.isOwn ? "Take back \(line.emoji.name)" : "React with \(line.emoji.name)"
    return """
        <button class="reaction-chip" name="content" value="\(line.content)" formaction="\(action)" aria-pressed="\(truth(line.isOwn))" aria-label="\(words), \(spoken(count: line.count))">\(shown)</button>
        """
}

/// The page on which one picks an emoji for a note.
func reactPage(
    _ picker: EmojiPicker, back: String, problem: String?, _ token: FormToken, _ style: NoteStyle
) -> HTML {
    let path: Path = "/note/\(picker.note.id)"
    return """
        <div class="head"><a class="back" href="\(path)" aria-label="Back to the note">\(icon(.back))</a><h1>React with an emoji</h1></div>
        <div class="sheet">\(NoteMarkup(note: picker.note, style: style).card())
        \(pickerView(picker, back: back, problem: problem, token, style))</div>
        """
}

/// The emoji to pick from, as one form.
func pickerView(
    _ picker: EmojiPicker, back: String, problem: String?, _ token: FormToken, _ style: NoteStyle
) -> HTML {
    let action: Path = "/note/\(picker.note.id)/react"
    return """
        <form class="picker" method="post" action="\(action)" data-picker="\(picker.note.id.hex)">\(token.field)\(hidden("back", back))
        \(problemLine(problem))
        \(emojiParts(picker.choices, style))
        </form>
        <form method="post" action="\(action)" data-picker="\(picker.note.id.hex)">\(token.field)\(hidden("back", back))
        <div class="field"><label for="reaction-content">Another one</label><input id="reaction-content" name="content" maxlength="80" autocomplete="off" required aria-describedby="reaction-hint"><p class="hint" id="reaction-hint">One emoji, or the :name: of one of yours. Reactions are public.</p></div>
        <p class="sheet-end"><button class="button">React</button><a class="button quiet" href="/emoji">Your emoji</a></p></form>
        """
}

/// Buttons for all that there is to react with.
func emojiParts(_ choices: EmojiChoices, _ style: NoteStyle) -> HTML {
    """
    \(pickerPart("Used before", choices.recent, style))
    \(pickerPart("Your own", choices.own, style))
    \(pickerPart("Common", choices.common, style))
    """
}

private func pickerPart(_ title: HTML, _ emoji: [EmojiItem], _ style: NoteStyle) -> HTML {
    guard !emoji.isEmpty else { return HTML() }
    return """
        <fieldset class="picker-part"><legend>\(title)</legend><div class="picker-grid">\(each: emoji, { pickerButton($0, style) })</div></fieldset>
        """
}

private func pickerButton(_ emoji: EmojiItem, _ style: NoteStyle) -> HTML {
    """
    <button class="picker-emoji" name="content" value="\(emoji.content)" aria-label="\(emoji.name)" title="\(emoji.name)">\(emojiView(emoji, style, loads: style.loadsOwn))</button>
    """
}
