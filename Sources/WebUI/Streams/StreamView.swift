internal import NostrClient
internal import NostrCore
internal import ViewModels

/// The page of one live stream.
struct StreamView {
    let room: StreamRoom
    let pen: StreamPen
    let token: FormToken
    let style: NoteStyle

    private var path: Path { "/streams/\(room.word)" }

    /// The whole main column.
    func page() -> HTML {
        """
        <div class="head"><a class="back" href="/streams" aria-label="All live streams">\(icon(.back))</a><h1 dir="auto">\(if: room.stream == nil, "Live stream", else: "\(room.stream?.title ?? "")")</h1></div>
        \(if: room.isMuted, emptyState(title: "You have muted this person", "<p>What they stream is not shown. <a href=\"/lists\">Your lists</a> say whom you have muted.</p>"), else: content())
        """
    }

    private func content() -> HTML {
        """
        <div class="stream">
        <div class="stream-show">\(some: room.stream, show)</div>
        <section class="stream-chat" aria-labelledby="stream-chat-title"><h2 id="stream-chat-title">Chat</h2>
        \(parts())
        \(penView())</section>
        </div>
        """
    }

    /// What changes while somebody watches: the chat, and what is known of the stream.
    func parts() -> HTML {
        """
        <div class="stream-parts" data-stream="\(room.news)" data-path="\(path)"\(flag: "data-known", if: room.stream != nil)>
        \(missing())
        \(if: !room.pinned.isEmpty, "<section class=\"stream-pinned\" aria-label=\"Pinned\">\(icon(.pin))<ol>\(each: room.pinned, { lineView($0, isPinned: true) })</ol></section>")
        <div class="stream-scroll" tabindex="0" role="log" aria-label="Messages" data-stream-scroll><form method="post" action="\(path)">\(token.field)<ol class="stream-log" data-stream-log>\(each: room.lines, { lineView($0) })</ol></form></div>
        <div class="stream-state" data-stream-state>\(if: room.lines.isEmpty && !room.isLoading, "<p class=\"hint\">No messages yet.</p>")\(some: nonEmpty(room.paid), { "<p class=\"stream-paid\">\(icon(.zap))\($0)</p>" })\(some: nonEmpty([room.reactions, room.repeats].filter { !$0.isEmpty }.joined(separator: " · ")), { "<p class=\"hint\">\($0)</p>" })</div>
        </div>
        """
    }

    private func missing() -> HTML {
        if room.isLoading { return "<p class=\"hint\" role=\"status\">Asking relays…</p>" }
        guard room.stream == nil else { return HTML() }
        return "<p class=\"strip\">No relay that was asked knows this stream. <a href=\"\(path)\">Ask again</a></p>"
    }

    // MARK: - The stream itself

    private func show(_ stream: StreamItem) -> HTML {
        """
        \(some: stream.film, { filmView($0, stream) })
        <div class="stream-about"><p>\(streamStanding(stream, style))\(if: !stream.attendance.isEmpty, " · \(stream.attendance)")</p>
        <p class="stream-host">\(avatar(stream.host, .small, style, loading: .lazyPicture))<span>\(hostWords(stream))</span></p>
        \(if: !stream.summary.isEmpty, "<p class=\"stream-summary\" dir=\"auto\">\(stream.summary)</p>")
        \(if: !stream.hashtags.isEmpty, "<p>\(each: stream.hashtags, { "<a class=\"tag\" href=\"\("/tags/\($0)" as Path)\">#\($0)</a> " })</p>")
        \(some: stream.service, { "<p class=\"hint\">Carried by \(linkOut($0))</p>" })
        \(participantsView())</div>
        """
    }

    /// Where this program hands on what was recorded of a stream; `nil` for what comes from its own server: what is live
    /// has no end, and of a list of pieces each would have to be asked for.
    func path(of film: StreamFilm) -> Path? {
        guard film.isRecording, !film.isPlaylist else { return nil }
        return ForeignURL(film.address).flatMap { style.recordingPath(of: $0) }
    }

    private func filmView(_ film: StreamFilm, _ stream: StreamItem) -> HTML {
        guard let url = ForeignURL(film.address) else { return HTML() }
        let poster = streamPicture(stream, style)
        let here = path(of: film)
        let source: HTML = if let here { "\(here)" } else { "\(url: url)" }
        return """
            <div class="stream-film"><video controls playsinline autopictureinpicture preload="none" src="\(source)"\(some: poster, { " poster=\"\(style.source($0, .wide))\"" }) aria-label="\(if: film.isRecording, "Recording of", else: "Live:") \(stream.title)" data-film\(flag: "data-list", if: film.isPlaylist)></video></div>
            <p class="problem" role="status" data-film-unplayable hidden>This browser cannot play the stream: it comes in pieces (HLS) of a kind that neither the browser nor Linnet’s player takes. <a href="\(url: url)" rel="noopener nofollow ugc" target="_blank">Open it in a player</a></p>
            <p class="problem" role="status" data-film-failed hidden>The video could not be loaded. Its server may not answer, or the stream is over. <a href="\(url: url)" rel="noopener nofollow ugc" target="_blank">Try it in a player</a></p>
            <p class="hint" data-film-hint>The video is not loaded until you press play; then \(film.whoSees(isHandedOn: here != nil)). \(if: film.isPlaylist, "Not every browser plays this kind. ")<a href="\(url: url)" rel="noopener nofollow ugc" target="_blank">Open it in a player</a></p>
            """
    }

    private func participantsView() -> HTML {
        guard !room.participants.isEmpty else { return HTML() }
        return """
            <details class="stream-people"><summary>Who takes part</summary><ul>\(each: room.participants, participantView)</ul>\(if: room.unlisted > 0, "<p class=\"hint\">And \(room.unlisted) more.</p>")</details>
            """
    }

    private func participantView(_ participant: StreamRoom.Participant) -> HTML {
        let person: Path = "/people/\(participant.person.key)"
        return """
            <li>\(avatar(participant.person, .tiny, style, loading: .lazy))<a class="name" href="\(person)">\(participant.person.name)</a> <span class="hint">\(participant.role)\(if: !participant.hasAgreed, " (invited)")</span></li>
            """
    }

    // MARK: - The chat

    private func lineView(_ line: StreamLine, isPinned: Bool = false) -> HTML {
        let id = line.id.hex
        return """
            <li class="stream-line\(if: line.isOwn, " is-own")\(if: line.amount != nil, " is-zap")"\(attribute: "id", isPinned ? nil : "line-\(id)")\(attribute: "data-line", isPinned ? nil : id)><div class="stream-said">\(authorView(line)) \(moment(line.createdAt, now: style.now))\(some: line.reply, replyView)\(some: line.amount, { "<p class=\"stream-amount\">\(icon(.zap))\($0)</p>" })\(if: !line.parts.isEmpty, "<p class=\"note-text\" dir=\"auto\">\(words(line))</p>")\(reactionsView(line))</div>\(if: style.canSign && line.amount == nil && !isPinned, actsView(line))</li>
            """
    }

    /// The words, with emoji where settings load their pictures; pictures at addresses stay links.
    private func words(_ line: StreamLine) -> HTML {
        let emoji = Set(
            line.parts.compactMap { part in
                if case .emoji(_, let picture) = part { picture } else { nil }
            })
        return richText(line.parts, style) { address in
            guard let author = line.author, emoji.contains(address) else { return false }
            return style.loads(address, of: author, own: line.isOwn)
        }
    }

    private func authorView(_ line: StreamLine) -> HTML {
        guard let author = line.author else { return "<span class=\"name\">Somebody</span>" }
        let person: Path = "/people/\(author.key)"
        return """
            \(avatar(author, .tiny, style, loading: .lazy))<a class="name" href="\(person)">\(author.name)</a>
            """
    }

    private func replyView(_ reply: StreamLine.Reply) -> HTML {
        """
        <a class="stream-reply" href="#line-\(reply.id.hex)"><span class="visually-hidden">Replies to </span>\(some: reply.author, { "<span class=\"name\">\($0)</span> " })\(if: reply.excerpt.isEmpty, "an earlier message", else: "\(reply.excerpt)")</a>
        """
    }

    private func reactionsView(_ line: StreamLine) -> HTML {
        guard !line.reactions.isEmpty else { return HTML() }
        return """
            <p class="stream-reactions">\(each: line.reactions, { reaction in
                "<span class=\"stream-reaction\(if: reaction.isOwn, " is-mine")\">\(emojiView(reaction.emoji, style, loads: style.loads(of: reaction))) \(reaction.count)</span>"
            })</p>
            """
    }

    private func actsView(_ line: StreamLine) -> HTML {
        let act = { (name: StaticString) -> Path in "\(path)/\(line.id)/\(name.description)" }
        let name = line.author?.name ?? ""
        return """
            <div class="stream-acts"><a class="stream-act" href="\(path.with("reply", line.id.hex))#stream-text" data-reply="\(line.id.hex)" data-name="\(name)" aria-label="Reply to \(name)">\(icon(.reply))</a>\(if: line.isLiked, button(act("unlike"), .heart, "Unlike what \(name) wrote", isOn: true), else: button(act("like"), .heart, "Like what \(name) wrote", isOn: false))\(if: line.isOwn, button(act("delete"), .trash, "Delete this message", isOn: false))</div>
            """
    }

    private func button(_ path: Path, _ picture: Icon, _ label: HTML, isOn: Bool) -> HTML {
        """
        <button class="stream-act\(if: isOn, " is-on")" formaction="\(path)" aria-label="\(label)">\(icon(picture))</button>
        """
    }

    private func penView() -> HTML {
        guard style.canSign else { return "<p class=\"hint\">This account only reads.</p>" }
        let answered = room.lines.first { $0.id.hex == pen.replyTo }
        return """
            <form class="stream-pen" method="post" action="\(path)" data-stream-pen>\(token.field)\(hidden("reply", answered?.id.hex ?? ""))
            <p class="stream-answering" data-answering\(flag: "hidden", if: answered == nil)>Replying to <span class="name" data-answered>\(answered?.author?.name ?? "")</span> <a href="\(path)" data-no-reply>Cancel reply</a></p>
            <p class="problem" role="alert" data-problem\(flag: "hidden", if: pen.problem == nil)>\(pen.problem ?? "")</p>
            <label class="visually-hidden" for="stream-text">Write in the chat</label>
            <div class="stream-write"><textarea id="stream-text" name="text" rows="1" maxlength="2000" required placeholder="Message">\(pen.text)</textarea><button class="button">Send</button></div>
            <p class="hint">Anyone can read this. It goes to the relays of this stream.</p></form>
            """
    }

    private func nonEmpty(_ text: String) -> String? { text.isEmpty ? nil : text }
}
