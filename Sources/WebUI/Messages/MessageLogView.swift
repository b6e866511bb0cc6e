internal import NostrCore
internal import ViewModels

/// A stretch of a conversation or of a circle's chat.
struct MessageLogView {
    let log: MessageLog
    /// Where the conversation or the circle is.
    let path: Path
    /// Whether it is a circle's: its lines have no copies of their own and no receipts per recipient.
    let isCircle: Bool
    let style: NoteStyle
    /// Whether it is a stranger's: nothing is fetched for it until it is asked for.
    var isRequest = false
    /// Files that no media server has taken yet.
    var unsent: [UnsentFileItem] = []
    /// Where the pictures of the account's own emoji lie.
    var ownPictures: Set<String> = []

    /// The messages by day, in a list.
    func list() -> HTML {
        let lastOwn = log.messages.last { $0.isOwn && $0.delivery != nil }?.id
        return """
            <ol class="talk-log" id="talk-log" aria-label="Messages">\(each: log.days, { day in
                """
                \(dayView(day))\(each: day.messages, { message in
                    "\(if: message.id == log.firstUnread, "<li class=\"talk-new\" id=\"unread\"><span>New</span></li>")\(messageView(message, isLastOwn: message.id == lastOwn))"
                })
                """
            })</ol>
            """
    }

    private func dayView(_ day: MessageLog.Day) -> HTML {
        """
        <li class="talk-day"><time datetime="\(utc(day.start).prefix(10))" data-day>\(dayName(day.start, now: style.now))</time></li>
        """
    }

    private func messageView(_ message: MessageItem, isLastOwn: Bool) -> HTML {
        let id = message.id.hex
        if case .news(let sentence) = message.body {
            return """
                <li class="talk-item talk-news" id="m-\(id)" data-id="\(id)" data-at="\(message.createdAt.seconds)" data-by="" data-words="\(message.excerpt)" tabindex="-1"><p>\(sentence)</p></li>
                """
        }
        if case .muted(let sentence) = message.body { return mutedView(message, sentence) }
        return """
            <li class="talk-item\(classes(message, isLastOwn: isLastOwn))" id="m-\(id)" data-id="\(id)" data-at="\(message.createdAt.seconds)" data-by="\(message.author.key.hex.prefix(16))" data-words="\(message.excerpt)" tabindex="-1">\(if: !message.isOwn, avatar(message.author, .small, style, loading: .lazyPicture))<div class="talk-main"><p class="talk-author"><span class="name">\(ConversationWords.author(isOwn: message.isOwn, message.author.name))</span><span class="visually-hidden">:</span></p><div class="bubble">\(some: message.reply, replyView)\(bodyView(message))</div>\(reactionsView(message))\(metaView(message))</div>\(if: style.canSign, menuView(message))</li>
            """
    }

    /// A mark in the place of what is muted, with a way to see it that needs no script.
    private func mutedView(_ message: MessageItem, _ sentence: String) -> HTML {
        let (id, shown) = (message.id.hex, "\(path)/\(message.id)/shown" as Path)
        return """
            <li class="talk-item talk-muted" id="m-\(id)" data-id="\(id)" data-at="\(message.createdAt.seconds)" data-by="" data-words="\(sentence)" tabindex="-1"><p class="talk-veil">\(icon(.mute))<span>\(sentence)</span> <a class="button quiet small" rel="nofollow" href="\(shown)" aria-label="Show what you muted here">Show</a></p></li>
            """
    }

    private func classes(_ message: MessageItem, isLastOwn: Bool) -> HTML {
        """
        \(if: message.isOwn, " is-own")\(if: message.startsGroup, " starts")\(if: isLastOwn, " is-last-own")\(if: message.body == .deleted, " is-deleted")
        """
    }

    private func replyView(_ reply: MessageItem.Reply) -> HTML {
        """
        <a class="talk-reply" href="#m-\(reply.id.hex)"><span class="visually-hidden">Replies to </span>\(some: reply.author, { "<span class=\"name\">\($0)</span> " })<span>\(reply.excerpt.isEmpty ? ConversationWords.earlierMessage : reply.excerpt)</span></a>
        """
    }

    private func bodyView(_ message: MessageItem) -> HTML {
        switch message.body {
        case .text(let parts):
            "\(filesView(message))\(if: !parts.isEmpty, "<div class=\"talk-text note-text\" dir=\"auto\">\(richText(parts, style, drawsEmoji: { loadsEmoji($0, of: message) }))</div>")"
        case .file: filesView(message)
        case .deleted: "<p class=\"talk-gone\">This message was deleted.</p>"
        case .news(let sentence), .muted(let sentence): "<p>\(sentence)</p>"
        }
    }

    /// Whether the picture of an emoji is loaded: as with notes, and nothing for a stranger who asks to write.
    private func loadsEmoji(_ address: String, of message: MessageItem) -> Bool {
        !isRequest && style.loads(address, of: message.author, own: message.isOwn)
    }

    private func filesView(_ message: MessageItem) -> HTML {
        guard !message.files.isEmpty else { return HTML() }
        let isKnown = message.isOwn || message.author.isFollowed || isCircle || style.media == .always
        return SealedFilesView(
            message: message, path: path, isCircle: isCircle,
            loadsByItself: style.media != .never && !isRequest && isKnown
        ).html()
    }

    private func metaView(_ message: MessageItem) -> HTML {
        """
        <p class="talk-meta"><time datetime="\(utc(message.createdAt))" data-clock>\(clockTime(message.createdAt))</time>\(some: message.expiration, { end in
            """
            <span class="talk-ends">\(icon(.timer))<span>disappears \(shortMoment(end, now: style.now))</span></span>
            """
        })\(if: message.isAstray, "<span class=\"talk-astray\">not everybody has this</span>")\(if: !message.doubt.isEmpty, "<span class=\"talk-astray\">\(message.doubt)</span>")\(some: message.delivery, { deliveryView($0, of: message) })</p>
        """
    }

    private func deliveryView(_ delivery: DeliveryItem, of message: MessageItem) -> HTML {
        let words: HTML = "<span class=\"talk-delivery-words\">\(delivery.phrase)</span>"
        let (state, picture) = delivery.standing.look
        if isCircle { return "<span class=\"talk-delivery is-\(state)\">\(icon(picture))\(words)</span>" }
        return """
            <a class="talk-delivery is-\(state)" href="\(path)/\(message.id.hex)" data-receipts-of>\(icon(picture))\(words)</a>
            """
    }
}

extension DeliveryItem.Standing {
    /// The class and the picture that show it.
    fileprivate var look: (HTML, Icon) {
        switch self {
        case .waiting: ("waiting", .timer)
        case .partly: ("partly", .timer)
        case .there: ("there", .check)
        case .failed: ("failed", .alert)
        }
    }
}

/// A log that scrolls, inside the form that carries the token of what is done with a message.
///
/// - Parameters:
///   - state: that more may be missing, below the newest message; empty while nothing is, `nil` where that is not known.
///   - start: what stands above the first message.
func logView(
    _ view: MessageLogView, _ token: FormToken, label: HTML, state: String? = nil, start: HTML
) -> HTML {
    """
    <div class="talk-scroll" role="region" aria-label="\(label)" tabindex="0" data-log\(flag: "data-newest", if: view.log.isAtNewest)>
    <form class="talk-inner" method="post" action="\(view.path)">
    \(token.field)
    \(some: view.log.older, { earlier(view.path.with("before", $0.mark)) })\(if: view.log.older == nil, "<p class=\"talk-start\">\(icon(.lock))\(start)</p>")
    \(view.list())
    \(if: view.log.isAtNewest, unsentFilesView(view.unsent, view.path))
    \(some: state, { "<p class=\"talk-state\" role=\"status\" data-talk-state>\($0)</p>" })
    \(if: !view.log.isAtNewest, "<p class=\"talk-older\"><a class=\"button quiet small\" href=\"\(view.path)\">Newest messages</a></p>")
    </form>
    </div>
    """
}

private func earlier(_ path: Path) -> HTML {
    "<p class=\"talk-older\"><a class=\"button quiet small\" data-earlier href=\"\(path)\">Earlier messages</a></p>"
}
