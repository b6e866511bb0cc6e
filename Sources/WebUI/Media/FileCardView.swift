internal import ViewModels

/// A file that is an event of its own, under its text: shown where it is a picture, film or sound, else named.
func fileCardView(_ card: FileCard, _ note: NoteItem, _ style: NoteStyle) -> HTML {
    let loads = { (address: String) in style.loads(address, of: note.author, own: note.isOwn) }
    let words: HTML = "\(some: card.summary, { "<p dir=\"auto\">\($0)</p>" })"
    guard let media = card.media else { return "\(words)\(fileLine(card))" }
    let isShown = media.sources.contains { loads($0.address) }
    return """
        \(isShown ? mediaGrid([media], mediaStyle(note, style, loads: loads)) : mediaLinks([media]))\(words)
        """
}

private func fileLine(_ card: FileCard) -> HTML {
    let name: HTML = card.address.map(linkOut) ?? "\(card.sort)"
    return "<p class=\"media-facts\">\(name)\(if: !card.facts.isEmpty, " · \(card.facts)")</p>"
}
