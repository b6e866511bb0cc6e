internal import NostrCore
internal import ViewModels

/// What somebody is doing now.
///
/// - Parameter drawsEmoji: whether the picture of an emoji is loaded from an address.
func statusLine(_ status: ShowcaseItem.Status, _ style: NoteStyle, drawsEmoji: (String) -> Bool) -> HTML {
    let words: HTML = status.isMusic ? "Listening to" : "Status"
    return """
        <p class="person-status"><span class="visually-hidden">\(words): </span><span aria-hidden="true">\(if: status.isMusic, "♪ ")</span><span dir="auto">\(richText(status.parts, style, drawsEmoji: drawsEmoji))</span>\(some: status.link, { " \(linkOut($0))" })\(some: status.until, { " <span class=\"hint\">until \(untilWords($0, style))</span>" })</p>
        """
}

private func untilWords(_ moment: Timestamp, _ style: NoteStyle) -> HTML {
    "<time datetime=\"\(utc(moment))\">\(dayName(moment, now: style.now)), \(clockTime(moment)) UTC</time>"
}

/// Notes somebody put on top of their page, in small: each stands among the others, too.
func pinnedNotes(_ view: PersonView) -> HTML {
    """
    <section class="pinned" aria-labelledby="pinned-title"><h2 id="pinned-title">\(icon(.pin))Pinned</h2>\(each: view.showcase.pinned, { NoteMarkup(note: $0, style: view.style).card() })</section>
    """
}

/// Lists of somebody's that everybody can read.
func sharedLists(_ lists: [ShowcaseItem.List]) -> HTML {
    """
    <section class="side"><h2>Public lists</h2><ul class="plain shared-lists">\(each: lists, sharedList)</ul></section>
    """
}

private func sharedList(_ list: ShowcaseItem.List) -> HTML {
    let names = list.names.joined(separator: " ")
    let title: HTML =
        if let feed = list.feed {
            "<a class=\"name\" dir=\"auto\" href=\"\(feedPath(feed))\">\(list.title)</a>"
        } else {
            "<span class=\"name\" dir=\"auto\">\(list.title)</span>"
        }
    return """
        <li>\(title) <span class="hint">\(list.sort) · \(list.count)</span>\(if: !list.summary.isEmpty, "<span class=\"hint\" dir=\"auto\">\(list.summary)</span>")\(if: !names.isEmpty, "<span class=\"hint\" dir=\"auto\">\(names)</span>")</li>
        """
}
