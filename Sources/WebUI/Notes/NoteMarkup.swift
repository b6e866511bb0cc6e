internal import NostrCore
internal import ViewModels

/// A note as HTML.
struct NoteMarkup {
    let note: NoteItem
    let style: NoteStyle
    var depth = 0
    var isFocus = false
    var isInThread = false
    /// Cards of quoted notes that are drawn already.
    var drawnCards: [EventID: HTML] = [:]
    /// So many quoted notes are drawn under one; the others are links in its text.
    private static let mostCards = 8

    /// The note with all that can be done with it.
    func article() -> HTML {
        """
        <article class="note\(if: isFocus, " is-focus") depth-\(depth)" id="n-\(note.cursor.mark)" data-id="\(note.id.hex)" data-place="\(note.cursor.mark)" data-author="\(note.author.key.hex)" tabindex="-1">\(some: note.repostedBy, reposterLine)\(head)<div class="note-body">\(answeredLine)\(body(isLong: isLong))</div><footer class="note-acts">\(if: style.canSign, acts, else: counts)\(some: note.zaps, zapsLink)\(some: note.delivery, deliveryLink)</footer></article>
        """
    }

    /// The note in small, inside another or above an answer.
    func card() -> HTML {
        let path: Path = "/people/\(note.author.key)"
        return """
            <div class="card" data-id="\(note.id.hex)"><p class="card-head"><span class="avatar tiny">\(pictures(side: 20))</span><a class="name" href="\(path)">\(note.author.name)</a>\(when)</p>\(body(isLong: true, withCards: false))</div>
            """
    }

    private func reposterLine(_ reposter: PersonItem) -> HTML {
        let path: Path = "/people/\(reposter.key)"
        return "<p class=\"note-why\">\(icon(.repost))<a href=\"\(path)\">\(reposter.name)</a> reposted</p>"
    }

    private var head: HTML {
        let path: Path = "/people/\(note.author.key)"
        return """
            <a class="avatar" href="\(path)" tabindex="-1" aria-hidden="true">\(pictures(side: 44))</a><header class="note-head"><h2 class="name"><a href="\(path)">\(note.author.name)</a></h2><span class="handle">\(handleView(note.author))</span>\(when)</header>
            """
    }

    private var when: HTML {
        let path: Path = "/note/\(note.id)"
        return """
            <a class="when" href="\(path)"><time datetime="\(utc(note.createdAt))">\(spoken(note.createdAt, now: style.now))</time></a>
            """
    }

    private var answeredLine: HTML {
        if isInThread { return HTML() }
        if let commented = note.commented { return "<p class=\"note-to\">\(commentedWords(commented))</p>" }
        guard let answered = note.replyTo, !isFocus else { return HTML() }
        let path: Path = "/note/\(answered)"
        return "<p class=\"note-to\"><a href=\"\(path)\">Replies to a note</a></p>"
    }

    private func commentedWords(_ thing: CommentedThing) -> HTML {
        switch thing {
        case .article(let code): "<a href=\"\("/article/\(code)" as Path)\">Comments on an article</a>"
        case .page(let address): "Comments on \(linkOut(address))"
        case .named(let name): "Comments on <span dir=\"auto\">\(name)</span>"
        }
    }

    private func body(isLong: Bool, withCards: Bool = true) -> HTML {
        let cards = withCards ? Array(note.quotedInOrder.prefix(Self.mostCards)) : []
        let hidden = withCards ? note.hiddenQuotes : []
        let drawn = Set(cards.map(\.id) + hidden.map(\.id))
        let media = mediaView(note, style, loads: loads)
        let invoices = drawnInvoices(note)
        let parts = isFocus ? note.parts : beginning(of: note.parts)
        let content: HTML = """
            <div class="note-text\(if: isLong, " is-long")" dir="auto"\(flag: "hidden", if: note.parts.isEmpty)>\(richText(parts, style, cards: drawn, drawsInvoices: !invoices.isEmpty, drawsMedia: loads))</div>\(noteContentView(note, style, isCard: !withCards))\(media)\(if: withCards, previewsView(note, style))\(each: invoices, { invoiceCard($0, now: style.now, showsCode: isFocus) })\(each: cards, card(of:))\(each: hidden, hiddenQuoteView)
            """
        return """
            \(some: note.content.replacesWords ? nil : note.title, { "<p class=\"note-title\">\($0)</p>" })\(warned(content))
            """
    }

    private func warned(_ content: HTML) -> HTML {
        guard let warning = note.warning else { return content }
        return """
            <details class="warned"><summary>Content warning\(if: !warning.isEmpty, ": \(warning)")</summary>\(content)</details>
            """
    }

    private func card(of quoted: NoteItem) -> HTML {
        drawnCards[quoted.id] ?? NoteMarkup(note: quoted, style: style).card()
    }

    private func loads(_ address: String) -> Bool {
        style.loads(address, of: note.author, own: note.isOwn)
    }

    private func pictures(side: Int) -> HTML {
        portrait(note.author, side: side, style, isOwn: note.isOwn, loading: .lazyPicture)
    }

    private var isLong: Bool {
        !isFocus && note.parts.reduce(0) { $0 + $1.length } > 900
    }
}

extension NoteMarkup {
    /// Answer, repost, like, quote; the form around the list carries the token.
    private var acts: HTML {
        let id = note.id
        let (reply, repost, like, quote, menu): (Path, Path, Path, Path, Path) = (
            "/compose?reply=\(id)", "/note/\(id)/repost", "/note/\(id)/like", "/compose?quote=\(id)", "/note/\(id)/menu"
        )
        return """
            <a class="act" data-key="r" href="\(reply)" aria-label="Reply, \(note.author.name), \(spelled(note.counts.replies))">\(counted(.reply, note.counts.replies))</a><button class="act act-repost" data-key="t" name="off" value="\(if: note.isRepostedByMe, "1")" formaction="\(repost)" aria-pressed="\(truth(note.isRepostedByMe))" aria-label="Repost, \(spelled(note.counts.reposts))">\(counted(.repost, note.counts.reposts))</button><button class="act act-like" data-key="l" name="off" value="\(if: note.ownReaction != nil, "1")" formaction="\(like)" aria-pressed="\(truth(note.ownReaction != nil))" aria-label="Like, \(spelled(note.counts.reactions))">\(counted(.heart, note.counts.reactions))</button><a class="act" data-key="q" href="\(quote)" aria-label="Quote">\(icon(.quote))</a>\(if: style.hasMenus, "<a class=\"act act-more\" data-key=\"m\" href=\"\(menu)\" aria-label=\"More\">\(icon(.more))</a>")
            """
    }

    /// The counts alone, for an account that can only read.
    private var counts: HTML {
        let count = { (icon: Icon, count: Int, words: HTML) -> HTML in
            "<span class=\"act is-still\">\(counted(icon, count))<span class=\"visually-hidden\">\(words)</span></span>"
        }
        return """
            \(count(.reply, note.counts.replies, "replies"))\(count(.repost, note.counts.reposts, "reposts"))\(count(.heart, note.counts.reactions, "likes"))
            """
    }

    private func counted(_ picture: Icon, _ count: Int) -> HTML {
        "\(icon(picture))<span>\(spelled(count))</span>"
    }

    /// A count for people; nothing for none.
    private func spelled(_ count: Int) -> String { count == 0 ? "" : spoken(count: count) }

    private func zapsLink(_ zaps: ZapsItem) -> HTML {
        let path: Path = "/note/\(note.id)#zaps"
        return """
            <a class="act" href="\(path)" aria-label="\(zaps.words)">\(icon(.zap))<span>\(spoken(count: zaps.satoshis))</span></a>
            """
    }

    private func deliveryLink(_ delivery: NoteItem.Delivery) -> HTML {
        let path: Path = "/note/\(note.id)#receipts"
        return """
            <a class="delivery\(if: delivery.accepted > 0, " is-there")" href="\(path)">\(icon(.check))<span>\(delivery.accepted) of \(delivery.asked)<span class="wide"> relays</span></span></a>
            """
    }
}

/// The value of an attribute like `aria-pressed`.
func truth(_ value: Bool) -> HTML { value ? "true" : "false" }

/// Notes one after the other.
func notesHTML(_ notes: [NoteItem], _ style: NoteStyle, isInThread: Bool = false) -> HTML {
    let cards = sharedCards(of: notes, style)
    return
        "\(each: notes, { NoteMarkup(note: $0, style: style, isInThread: isInThread, drawnCards: cards).article() })"
}

/// The cards of notes that more than one of these quotes: all show the same, and it is drawn once.
private func sharedCards(of notes: [NoteItem], _ style: NoteStyle) -> [EventID: HTML] {
    var seen: Set<EventID> = []
    var cards: [EventID: HTML] = [:]
    for note in notes {
        for quoted in note.quoted.values where !seen.insert(quoted.id).inserted && cards[quoted.id] == nil {
            cards[quoted.id] = NoteMarkup(note: quoted, style: style).card()
        }
    }
    return cards
}
