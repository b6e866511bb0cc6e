internal import NostrCore
internal import ViewModels

/// Where a script puts what completes the word under the caret.
let completionList: HTML = """
    <div id="completions" class="completions" role="listbox" aria-label="Suggestions" hidden></div>
    """

/// What completes the word under the caret.
func completionsView(_ found: [Completion], _ style: NoteStyle) -> HTML {
    "\(each: found.enumerated(), { completion($0.element, index: $0.offset, style) })"
}

private func completion(_ completion: Completion, index: Int, _ style: NoteStyle) -> HTML {
    let (insert, name, key, label): (String, String, String, String) =
        switch completion {
        case .person(let person): ("@" + person.name, person.name, person.key.hex, person.handle)
        case .emoji(let emoji, let name): (emoji, name, "", ":\(name):")
        case .customEmoji(let emoji): (emoji.content, emoji.name, "", emoji.content)
        }
    let picture: HTML =
        switch completion {
        case .person(let person): "\(avatar(person, .small, style))<span class=\"name\">\(person.name)</span>"
        case .emoji(let emoji, _): "<span class=\"completion-emoji\">\(emoji)</span>"
        case .customEmoji(let emoji):
            "<span class=\"completion-emoji\">\(emojiView(emoji, style, loads: style.loadsOwn))</span>"
        }
    return """
        <div class="completion" role="option" id="completion-\(index)" aria-selected="false" data-insert="\(insert)" data-name="\(name)" data-key="\(key)">\(picture)<span class="handle">\(label)</span></div>
        """
}

/// The people picked while writing, by the name written after `@`, as a page's script keeps them in a form.
func mentionFields(_ form: Form) -> [String: PublicKey] {
    var mentions: [String: PublicKey] = [:]
    for line in form["mentions"].split(separator: "\n").prefix(100) {
        let halves = line.split(separator: "\t")
        // A line that holds no key was not written by our script; leave it out.
        guard halves.count == 2, let key = try? PublicKey(hex: String(halves[1])) else { continue }
        mentions[String(halves[0])] = key
    }
    return mentions
}
