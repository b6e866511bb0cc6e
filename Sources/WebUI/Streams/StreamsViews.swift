internal import NostrClient
internal import NostrNIPs
internal import ViewModels

/// The page of all live streams.
func streamsView(_ list: HTML) -> HTML {
    """
    <div class="head"><h1>Live streams</h1></div>
    \(list)
    """
}

/// What stands beside the list of streams.
let streamsAside: HTML = """
    <section class="side"><h2>How this list is made</h2><p>Streams by people you follow come first, then those with the most people in their chat. A stream nobody talks in is left out, unless you follow its host.</p><p>One that was not updated for an hour counts as ended. The number of viewers is what the stream reports.</p></section>
    """

/// The streams, for the page and for its script.
func streamsList(_ page: StreamsPage, _ style: NoteStyle) -> HTML {
    """
    <div class="streams" data-stream="list" data-path="/streams">
    \(if: page.isEmpty, streamsMissing(isLooking: page.isLooking))
    \(streamsSection("Live now", "streams-live", page.live, style))
    \(streamsSection("Planned", "streams-planned", page.planned, style))
    \(streamsSection("Ended", "streams-ended", page.ended, style))
    \(if: page.isLooking && !page.isEmpty, "<p class=\"hint\" role=\"status\">Looking for more…</p>")
    </div>
    """
}

private func streamsMissing(isLooking: Bool) -> HTML {
    if isLooking {
        return emptyState(
            title: "Looking for streams", isLooking: true,
            "<p>Your relays are being asked who is live.</p><p><a class=\"button quiet\" href=\"/streams\">Look again</a></p>"
        )
    }
    return emptyState(
        title: "Nobody is live",
        "<p>None of your relays knows of a stream now.</p><p><a class=\"button quiet\" href=\"/streams\">Look again</a></p>"
    )
}

private func streamsSection(_ title: HTML, _ id: HTML, _ streams: [StreamItem], _ style: NoteStyle) -> HTML {
    guard !streams.isEmpty else { return HTML() }
    return """
        <section aria-labelledby="\(id)"><h2 class="part-title" id="\(id)">\(title)</h2><ul class="stream-cards">\(each: streams, { "<li>\(streamCard($0, style))</li>" })</ul></section>
        """
}

/// One stream in a list, or under a note that names it.
func streamCard(_ stream: StreamItem, _ style: NoteStyle) -> HTML {
    let path: Path = "/streams/\(stream.word)"
    return """
        <article class="stream-card">\(some: streamPicture(stream, style), { "<img class=\"stream-picture\" loading=\"lazy\" decoding=\"async\" src=\"\(style.source($0, .wide))\" alt=\"\">" })<div class="stream-words"><h3 dir="auto"><a href="\(path)">\(stream.title)</a></h3><p>\(streamStanding(stream, style))</p><p class="stream-host">\(avatar(stream.host, .tiny, style, loading: .lazyPicture))<span>\(hostWords(stream))</span></p>\(if: !stream.attendance.isEmpty, "<p class=\"hint\">\(stream.attendance)</p>")</div></article>
        """
}

/// A stream's picture, where settings load it.
func streamPicture(_ stream: StreamItem, _ style: NoteStyle) -> ForeignURL? {
    let person = stream.author ?? stream.host
    guard let picture = stream.picture, style.loads(picture, of: person, own: false) else { return nil }
    return ForeignURL(picture)
}

/// How a stream stands, and since or until when.
func streamStanding(_ stream: StreamItem, _ style: NoteStyle) -> HTML {
    let mark: HTML =
        switch stream.status {
        case .live: "<b class=\"stream-mark is-live\">\(stream.standing)</b>"
        case .planned: "<b class=\"stream-mark is-planned\">\(stream.standing)</b>"
        case .ended: "<b class=\"stream-mark\">\(stream.standing)</b>"
        }
    let time: HTML =
        switch stream.status {
        case .live: "\(some: stream.starts, { " since \(shortMoment($0, now: style.now))" })"
        case .planned: "\(some: stream.starts, { " for \(shortMoment($0, now: style.now))" })"
        case .ended: "\(some: stream.ends, { " \(moment($0, now: style.now))" })"
        }
    return "\(mark)\(time)"
}

/// Who hosts a stream, and what of that is only said.
func hostWords(_ stream: StreamItem) -> HTML {
    let path: Path = "/people/\(stream.host.key)"
    let host: HTML = "<a class=\"name\" href=\"\(path)\">\(stream.host.name)</a>"
    guard stream.isHostClaimed, let author = stream.author else { return host }
    let by: Path = "/people/\(author.key)"
    return "\(host) <span class=\"hint\">according to <a href=\"\(by)\">\(author.name)</a></span>"
}
