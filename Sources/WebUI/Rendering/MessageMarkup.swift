internal import NostrCore
internal import ViewModels

/// A stretch of a conversation as HTML, written out for the reason ``NoteMarkup`` is.
struct TalkMarkup {
    private let path: String
    private let days: [ConversationState.Day]
    private let messages: [MessageItem]
    private let firstUnread: EventID?
    private let style: NoteStyle
    /// Whether it is a circle's: its lines have no copies of their own and no receipts per recipient.
    private let isCircle: Bool

    /// A private conversation.
    init(state: ConversationState, style: NoteStyle) {
        (path, isCircle) = ("/messages/" + state.word, false)
        (days, messages, firstUnread, self.style) = (state.days, state.messages, state.firstUnread, style)
    }

    /// The chat of a circle.
    init(state: CircleState, style: NoteStyle) {
        (path, isCircle) = ("/circles/" + state.word, true)
        (days, messages, firstUnread, self.style) = (state.days, state.messages, state.firstUnread, style)
    }

    /// The messages by day, in a list.
    func log() -> HTML {
        let lastOwn = messages.last { $0.isOwn && $0.delivery != nil }?.id
        var html = HTML()
        html.add(markup: "<ol class=\"talk-log\" id=\"talk-log\" aria-label=\"Messages\">")
        for day in days {
            html.add("<li class=\"talk-day\"><time datetime=\"", String(utc(day.start).prefix(10)), "\" data-day>")
            html.add("", dayName(day.start, now: style.now), "</time></li>")
            for message in day.messages {
                if message.id == firstUnread {
                    html.add(markup: "<li class=\"talk-new\" id=\"unread\"><span>New</span></li>")
                }
                add(message, isLastOwn: message.id == lastOwn, to: &html)
            }
        }
        html.add(markup: "</ol>")
        return html
    }

    private func add(_ message: MessageItem, isLastOwn: Bool, to html: inout HTML) {
        let id = message.id.hex
        if case .news(let sentence) = message.body { return add(news: sentence, message, to: &html) }
        html.add("<li class=\"talk-item", classes(message, isLastOwn: isLastOwn), "\" id=\"m-")
        html.add("", id, "\" data-id=\"")
        html.add("", id, "\" data-at=\"")
        html.add("", String(message.createdAt.seconds), "\" data-by=\"")
        html.add("", String(message.author.key.hex.prefix(16)), "\" data-words=\"")
        html.add("", message.excerpt, "\" tabindex=\"-1\">")
        if !message.isOwn { html.add(style.avatar(of: message.author, isOwn: false, side: 32, classes: "small")) }
        html.add(markup: "<div class=\"talk-main\"><p class=\"talk-author\"><span class=\"name\">")
        html.add("", message.isOwn ? "You" : message.author.name, "</span><span class=\"visually-hidden\">:</span></p>")
        html.add(markup: "<div class=\"bubble\">")
        addReply(message, to: &html)
        addBody(message, to: &html)
        html.add(markup: "</div>")
        addReactions(message, to: &html)
        addMeta(message, to: &html)
        html.add(markup: "</div>")
        addMenu(message, to: &html)
        html.add(markup: "</li>")
    }

    /// What changed in a circle: a line that nobody said.
    private func add(news sentence: String, _ message: MessageItem, to html: inout HTML) {
        html.add("<li class=\"talk-item talk-news\" id=\"m-", message.id.hex, "\" data-id=\"")
        html.add("", message.id.hex, "\" data-at=\"")
        html.add("", String(message.createdAt.seconds), "\" data-by=\"\" data-words=\"")
        html.add("", message.excerpt, "\" tabindex=\"-1\"><p>")
        html.add("", sentence, "</p></li>")
    }

    private func classes(_ message: MessageItem, isLastOwn: Bool) -> String {
        var classes = message.isOwn ? " is-own" : ""
        if message.startsGroup { classes += " starts" }
        if isLastOwn { classes += " is-last-own" }
        if case .deleted = message.body { classes += " is-deleted" }
        return classes
    }

    private func addReply(_ message: MessageItem, to html: inout HTML) {
        guard let reply = message.reply else { return }
        html.add(
            "<a class=\"talk-reply\" href=\"#m-", reply.id.hex, "\"><span class=\"visually-hidden\">Answers </span>")
        if let author = reply.author { html.add("<span class=\"name\">", author, "</span> ") }
        html.add("<span>", reply.excerpt.isEmpty ? "an earlier message" : reply.excerpt, "</span></a>")
    }

    private func addBody(_ message: MessageItem, to html: inout HTML) {
        switch message.body {
        case .text(let parts):
            html.add(markup: "<div class=\"talk-text note-text\" dir=\"auto\">")
            html.add(richText(parts, drawsMedia: false))
            html.add(markup: "</div>")
        case .file(let file):
            html.add(markup: "<div class=\"talk-file\">")
            html.add(style.icon("file"))
            html.add("<p><span class=\"name\">Encrypted ", file.sort.lowercased(), "</span><span class=\"hint\">")
            html.add("", [file.type, file.size, file.dimensions].filter { !$0.isEmpty }.joined(separator: " · "), "")
            html.add(markup: "</span><span class=\"hint\">Linnet cannot open files yet.</span></p></div>")
        case .deleted:
            html.add(markup: "<p class=\"talk-gone\">This message was deleted.</p>")
        case .news(let sentence): html.add("<p>", sentence, "</p>")
        }
    }

    private func addReactions(_ message: MessageItem, to html: inout HTML) {
        guard !message.reactions.isEmpty else { return }
        html.add(markup: "<p class=\"talk-reactions\">")
        for reaction in message.reactions {
            let words = "\(reaction.shown) by \(reaction.names)"
            if reaction.isOwn || !style.canSign {
                html.add("<span class=\"reaction", reaction.isOwn ? " is-own" : "", "\" role=\"img\" aria-label=\"")
                html.add("", words, "\" title=\"")
                html.add("", reaction.names, "\">")
            } else {
                addAct("react", of: message, to: &html)
                html.add(" class=\"reaction\" name=\"content\" value=\"", reaction.shown, "\" aria-label=\"")
                html.add("", words + ". Add yours", "\" title=\"")
                html.add("", reaction.names, "\">")
            }
            html.add("<span aria-hidden=\"true\">", reaction.shown, "</span>")
            if reaction.count > 1 { html.add("<span aria-hidden=\"true\">", String(reaction.count), "</span>") }
            if reaction.isOwn || !style.canSign { html.add(markup: "</span>") } else { html.add(markup: "</button>") }
        }
        html.add(markup: "</p>")
    }

    private func addMeta(_ message: MessageItem, to html: inout HTML) {
        html.add("<p class=\"talk-meta\"><time datetime=\"", utc(message.createdAt), "\" data-clock>")
        html.add("", clockTime(message.createdAt), "</time>")
        if let end = message.expiration {
            html.add(markup: "<span class=\"talk-ends\">")
            html.add(style.icon("timer"))
            html.add("<span>until <time datetime=\"", utc(end), "\" data-end>")
            html.add("", "\(dayName(end, now: style.now)) \(clockTime(end))", "</time></span></span>")
        }
        if message.isAstray {
            html.add(markup: "<span class=\"talk-astray\">not everybody has this</span>")
        }
        if let delivery = message.delivery, isCircle {
            html.add("<span class=\"talk-delivery is-", word(delivery.standing), "\">")
            html.add(style.icon(delivery.standing == .there ? "check" : "timer"))
            html.add("<span class=\"talk-delivery-words\">", delivery.phrase, "</span></span>")
        } else if let delivery = message.delivery {
            html.add("<a class=\"talk-delivery is-", word(delivery.standing), "\" href=\"")
            html.add("", path + "/" + message.id.hex, "\" data-receipts-of>")
            html.add(
                style.icon(delivery.standing == .there ? "check" : (delivery.standing == .failed ? "alert" : "timer")))
            html.add("<span class=\"talk-delivery-words\">", delivery.phrase, "</span></a>")
        }
        html.add(markup: "</p>")
    }

    private func word(_ standing: DeliveryItem.Standing) -> String {
        switch standing {
        case .waiting: "waiting"
        case .partly: "partly"
        case .there: "there"
        case .failed: "failed"
        }
    }

    /// What one can do with a message; the form around the list carries the token.
    private func addMenu(_ message: MessageItem, to html: inout HTML) {
        guard style.canSign else { return }
        html.add(markup: "<details class=\"talk-menu\"><summary aria-label=\"")
        html.add("", "More about: \(message.excerpt)", "\">")
        html.add(style.icon("more"))
        html.add(markup: "</summary><div class=\"talk-acts\">")
        if case .deleted = message.body {
        } else {
            html.add(markup: "<p class=\"talk-offered\">")
            for content in ReactionItem.offered {
                addAct("react", of: message, to: &html)
                html.add(" class=\"react\" name=\"content\" value=\"", content, "\" aria-label=\"React ")
                html.add("", content, "\">")
                html.add("", content, "</button>")
            }
            html.add("</p><a class=\"talk-act\" data-reply-to href=\"", path, "?reply=")
            html.add("", message.id.hex, "#text\">")
            html.add(style.icon("reply"))
            html.add(markup: "Reply</a>")
        }
        if message.isOwn, message.delivery != nil, !isCircle {
            html.add("<a class=\"talk-act\" data-receipts-of href=\"", path + "/" + message.id.hex, "\">")
            html.add(style.icon("check"))
            html.add(markup: "Where it is</a>")
        }
        addDeletion(message, to: &html)
        html.add(markup: "</div></details>")
    }

    private func addDeletion(_ message: MessageItem, to html: inout HTML) {
        if isCircle, !message.isOwn || message.body == .deleted { return }
        html.add(markup: "<details class=\"talk-delete\"><summary class=\"talk-act\">")
        html.add(style.icon("trash"))
        html.add(markup: "Delete…</summary>")
        if !isCircle {
            addAct("delete", of: message, to: &html)
            html.add(markup: " class=\"button quiet small\">My copy only</button>")
        }
        if message.isOwn {
            addAct("delete-everywhere", of: message, to: &html)
            html.add(markup: " class=\"button quiet small\">Ask everyone to delete it</button>")
        }
        html.add(markup: "</details>")
    }

    /// The start of a button that posts an act on a message.
    private func addAct(_ act: String, of message: MessageItem, to html: inout HTML) {
        html.add("<button formaction=\"", "\(path)/\(message.id.hex)/\(act)", "\"")
    }
}

extension NoteStyle {
    /// A person's picture: the one from their key, and theirs on top where settings load it.
    func avatar(of person: PersonItem, isOwn: Bool, side: Int, classes: String) -> HTML {
        var html = HTML()
        html.add("<span class=\"avatar ", classes, "\"><img src=\"/avatar/")
        html.add("", person.key.hex, ".svg\" alt=\"\" width=\"")
        html.add("", String(side), "\" height=\"")
        html.add("", String(side), "\">")
        let remote = person.picture.flatMap { loads($0, of: person, own: isOwn) ? $0 : nil }
        if let picture = shown[person.key] ?? remote {
            html.add("<img src=\"", picture, "\" alt=\"\" loading=\"lazy\" width=\"")
            html.add("", String(side), "\" height=\"")
            html.add("", String(side), "\">")
        }
        html.add(markup: "</span>")
        return html
    }
}
