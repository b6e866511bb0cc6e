internal import NostrCore
internal import ViewModels

/// A note as HTML.
///
/// Written out here, not as a template: a home page draws thirty, and a template would take most of its time.
struct NoteMarkup {
    let note: NoteItem
    let style: NoteStyle
    var depth = 0
    var isFocus = false
    var isInThread = false

    /// The note with all one can do with it.
    func article() -> HTML {
        var html = HTML()
        html.add("<article class=\"note", isFocus ? " is-focus" : "", " depth-")
        html.add("", String(depth), "\" id=\"n-")
        html.add("", note.cursor.mark, "\" data-id=\"")
        html.add("", note.id.hex, "\" data-place=\"")
        html.add("", note.cursor.mark, "\" data-author=\"")
        html.add("", note.author.key.hex, "\" tabindex=\"-1\">")
        addReposter(to: &html)
        addHead(to: &html)
        html.add(markup: "<div class=\"note-body\">")
        if let answered = note.replyTo, !isInThread, !isFocus {
            html.add("<p class=\"note-to\"><a href=\"/note/", answered.hex, "\">Answers a note</a></p>")
        }
        addBody(to: &html, isLong: isLong)
        html.add(markup: "</div><footer class=\"note-acts\">")
        if style.canSign { addActs(to: &html) } else { addCounts(to: &html) }
        addDelivery(to: &html)
        html.add(markup: "</footer></article>")
        return html
    }

    /// The note in small, inside another or above an answer.
    func card() -> HTML {
        var html = HTML()
        html.add(
            "<div class=\"card\" data-id=\"", note.id.hex, "\"><p class=\"card-head\"><span class=\"avatar tiny\">")
        html.add(pictures(of: note.author, isOwn: note.isOwn, side: "20"))
        html.add("</span><a class=\"name\" href=\"/people/", note.author.key.hex, "\">")
        html.add("", note.author.name, "</a>")
        addWhen(to: &html)
        html.add(markup: "</p>")
        addBody(to: &html, isLong: true, withCards: false)
        html.add(markup: "</div>")
        return html
    }

    private func addReposter(to html: inout HTML) {
        guard let reposter = note.repostedBy else { return }
        html.add(markup: "<p class=\"note-why\">")
        html.add(style.icon("repost"))
        html.add("<a href=\"/people/", reposter.key.hex, "\">")
        html.add("", reposter.name, "</a> reposted</p>")
    }

    private func addHead(to html: inout HTML) {
        let key = note.author.key.hex
        html.add("<a class=\"avatar\" href=\"/people/", key, "\" tabindex=\"-1\" aria-hidden=\"true\">")
        html.add(pictures(of: note.author, isOwn: note.isOwn, side: "44"))
        html.add("</a><header class=\"note-head\"><h2 class=\"name\"><a href=\"/people/", key, "\">")
        html.add("", note.author.name, "</a></h2><span class=\"handle\">")
        html.add("", note.author.handle, "</span>")
        addWhen(to: &html)
        html.add(markup: "</header>")
    }

    private func addWhen(to html: inout HTML) {
        html.add("<a class=\"when\" href=\"/note/", note.id.hex, "\"><time datetime=\"")
        html.add("", utc(note.createdAt), "\">")
        html.add("", spoken(note.createdAt, now: style.now), "</time></a>")
    }

    private func addBody(to html: inout HTML, isLong: Bool, withCards: Bool = true) {
        if let title = note.title { html.add("<p class=\"note-title\">", title, "</p>") }
        if let warning = note.warning {
            html.add(
                "<details class=\"warned\"><summary>Content warning", warning.isEmpty ? "" : ": " + warning,
                "</summary>")
        }
        let cards = withCards ? note.quotedInOrder : []
        html.add("<div class=\"note-text", isLong ? " is-long" : "", "\" dir=\"auto\">")
        html.add(richText(note.parts, cards: Set(cards.map(\.id)), drawsMedia: loads))
        html.add(markup: "</div>")
        let media = mediaHTML(note, loads: loads, style: style)
        if !media.isNull {
            html.add(markup: "<div class=\"media\">")
            html.add(media)
            html.add(markup: "</div>")
        }
        for card in cards { html.add(NoteMarkup(note: card, style: style).card()) }
        if note.warning != nil { html.add(markup: "</details>") }
    }

    private func loads(_ address: String) -> Bool {
        style.loads(address, of: note.author, own: note.isOwn)
    }

    private func pictures(of person: PersonItem, isOwn: Bool, side: String) -> HTML {
        var html = HTML()
        html.add("<img src=\"/avatar/", person.key.hex, ".svg\" alt=\"\" width=\"")
        html.add("", side, "\" height=\"")
        html.add("", side, "\">")
        guard let picture = person.picture, style.loads(picture, of: person, own: isOwn) else { return html }
        html.add("<img src=\"", picture, "\" alt=\"\" loading=\"lazy\" width=\"")
        html.add("", side, "\" height=\"")
        html.add("", side, "\">")
        return html
    }

    private var isLong: Bool {
        !isFocus && note.parts.reduce(0) { $0 + $1.length } > 900
    }
}

extension NoteMarkup {
    /// Answer, repost, like, quote; the form around the list carries the token.
    private func addActs(to html: inout HTML) {
        let id = note.id.hex
        html.add("<a class=\"act\" data-key=\"r\" href=\"/compose?reply=", id, "\" aria-label=\"Answer, ")
        html.add("", note.author.name + ", " + told(note.replies), "\">")
        addIcon("reply", count: note.replies, to: &html)
        html.add(
            "</a><button class=\"act act-repost\" data-key=\"t\" formaction=\"/note/", id, "/repost\" aria-pressed=\"")
        html.add("", String(note.isRepostedByMe), "\" aria-label=\"Repost, ")
        html.add("", told(note.reposts), "\">")
        addIcon("repost", count: note.reposts, to: &html)
        html.add(
            "</button><button class=\"act act-like\" data-key=\"l\" formaction=\"/note/", id, "/like\" aria-pressed=\"")
        html.add("", String(note.ownReaction != nil), "\" aria-label=\"Like, ")
        html.add("", told(note.reactions), "\">")
        addIcon("heart", count: note.reactions, to: &html)
        html.add("</button><a class=\"act\" data-key=\"q\" href=\"/compose?quote=", id, "\" aria-label=\"Quote\">")
        html.add(style.icon("quote"))
        html.add(markup: "</a>")
        guard style.hasMenus else { return }
        html.add("<a class=\"act act-more\" data-key=\"m\" href=\"/note/", id, "/menu\" aria-label=\"More\">")
        html.add(style.icon("more"))
        html.add(markup: "</a>")
    }

    /// The counts alone, for those who can only read.
    private func addCounts(to html: inout HTML) {
        for (icon, count, words) in [
            ("reply", note.replies, "answers"), ("repost", note.reposts, "reposts"), ("heart", note.reactions, "likes"),
        ] {
            html.add(markup: "<span class=\"act is-still\">")
            addIcon(icon, count: count, to: &html)
            html.add("<span class=\"visually-hidden\">", words, "</span></span>")
        }
    }

    private func addIcon(_ icon: String, count: Int, to html: inout HTML) {
        html.add(style.icon(icon))
        html.add("<span>", told(count), "</span>")
    }

    /// A count for people; nothing for none.
    private func told(_ count: Int) -> String { count == 0 ? "" : spoken(count: count) }

    private func addDelivery(to html: inout HTML) {
        guard let delivery = note.delivery else { return }
        html.add("<a class=\"delivery", delivery.accepted > 0 ? " is-there" : "", "\" href=\"/note/")
        html.add("", note.id.hex, "#receipts\">")
        html.add(style.icon("check"))
        html.add(
            "<span>", "\(delivery.accepted) of \(delivery.asked)", "<span class=\"wide\"> relays</span></span></a>")
    }
}

extension NoteStyle {
    /// One of our icons.
    func icon(_ name: String) -> HTML {
        var html = HTML()
        html.add("<svg aria-hidden=\"true\"><use href=\"", assets + "/icons.svg#" + name, "\"/></svg>")
        return html
    }
}

/// Notes one after the other.
func notesHTML(_ notes: [NoteItem], _ style: NoteStyle, isInThread: Bool = false) -> HTML {
    var html = HTML()
    for note in notes { html.add(NoteMarkup(note: note, style: style, isInThread: isInThread).article()) }
    return html
}
