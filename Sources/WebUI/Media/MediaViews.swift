internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// How media of one person are drawn.
struct MediaStyle {
    /// Whose they are.
    let name: String
    /// The same, by key: their servers are looked on for what is gone.
    var author: PublicKey?
    /// Whether an address may be loaded.
    let loads: (String) -> Bool
    /// Whether they stand behind a warning: then nothing is loaded before it is opened.
    var isWarned = false
    /// Whether short films begin by themselves, without their sound.
    var autoplays = false
    /// Where this program gives a picture out that it fetches; `nil` where browsers do that themselves.
    var path: (ForeignURL, BlobHash?) -> Path? = { _, _ in nil }
    /// The same for a film or sound.
    var recordingPath: (ForeignURL, BlobHash?) -> Path? = { _, _ in nil }

    /// Where a browser gets a picture.
    ///
    /// - Parameter hash: what its author says the file is; checked where this program fetches it.
    fileprivate func source(_ url: ForeignURL, hash: BlobHash? = nil) -> HTML {
        if let path = path(url, hash) { return "\(path)" }
        return "\(url: url)"
    }

    /// Where a browser gets a film or sound.
    fileprivate func recording(_ url: ForeignURL, hash: BlobHash?) -> HTML {
        if let path = recordingPath(url, hash) { return "\(path)" }
        return "\(url: url)"
    }
}

/// How many of a note are drawn.
private let mostMedia = 12

/// The pictures, films and sounds that a note's text names, as far as settings load them.
func mediaView(_ note: NoteItem, _ style: NoteStyle, loads: @escaping (String) -> Bool) -> HTML {
    mediaGrid(note.media.filter { loads($0.address) }, mediaStyle(note, style, loads: loads))
}

func mediaStyle(_ note: NoteItem, _ style: NoteStyle, loads: @escaping (String) -> Bool) -> MediaStyle {
    MediaStyle(
        name: note.author.name, author: note.author.key, loads: loads, isWarned: note.warning != nil,
        autoplays: style.autoplays, path: { style.path(of: $0, .wide, hash: $1) },
        recordingPath: style.recordingPath(of:hash:))
}

/// Some media side by side; nothing for none.
func mediaGrid(_ items: [MediaItem], _ style: MediaStyle) -> HTML {
    let views = items.prefix(mostMedia).compactMap { mediumView($0, style) }
    guard !views.isEmpty else { return HTML() }
    let lists = items.prefix(mostMedia).filter { $0.isInPieces && style.loads($0.address) }
    return """
        <div class="media\(if: views.count > 1, " is-many")">\(views)</div>\(each: lists.compactMap { ForeignURL($0.address) }, piecesHint)
        """
}

/// Below a film that many browsers show as a player in which nothing happens.
private func piecesHint(_ list: ForeignURL) -> HTML {
    """
    <p class="hint">This film comes in pieces (HLS), which not every browser plays. <a href="\(url: list)" rel="noopener nofollow ugc" target="_blank">Open it in a player</a></p>
    """
}

/// Links to media that settings do not load, with what is said of them.
func mediaLinks(_ items: [MediaItem]) -> HTML {
    guard !items.isEmpty else { return HTML() }
    return """
        <ul class="media-links">\(each: items.prefix(mostMedia), { item in
            "<li>\(linkOut(item.address))\(some: item.description, { "<span class=\"hint\">\($0)</span>" })</li>"
        })</ul>
        """
}

private func mediumView(_ item: MediaItem, _ style: MediaStyle) -> HTML? {
    switch item.sort {
    case .picture: pictureView(item, style)
    case .film: filmView(item, style)
    case .sound: soundView(item, style)
    }
}

private func pictureView(_ item: MediaItem, _ style: MediaStyle) -> HTML? {
    guard let url = ForeignURL(item.address) else { return nil }
    let words = item.description ?? "Picture by \(style.name)"
    var others = item.sources.dropFirst().filter { style.loads($0.address) }.compactMap { source in
        ForeignURL(source.address).map { style.path($0, source.hash)?.text ?? $0.text }
    }
    if let path = foundPath(item, style) { others.append(path.text) }
    let picture: HTML = """
        <a class="picture\(boxClass(item))" href="\(url: url)" rel="noopener nofollow ugc" target="_blank">\(box(item))<img loading="lazy" decoding="async" src="\(style.source(url, hash: item.sources.first?.hash))" alt="\(words)"\(attribute: "data-else", others.isEmpty ? nil : others.joined(separator: " "))></a>
        """
    return pointed(item, picture)
}

/// Where this program looks for a file by its hash, and gives it out only when it is that file.
private func foundPath(_ item: MediaItem, _ style: MediaStyle) -> Path? {
    guard let author = style.author, let hash = BlobHash(inAddress: item.address) ?? item.sources.first?.hash
    else { return nil }
    return "/media/\(author)/\(hash.hex)"
}

/// Where a film or sound lies, as far as it may be loaded; `nil` where nothing of it may.
private func sourcesView(_ item: MediaItem, _ style: MediaStyle) -> HTML? {
    let sources = item.sources.filter { style.loads($0.address) }.compactMap { source in
        ForeignURL(source.address).map { (url: $0, type: source.type, hash: source.hash) }
    }
    guard !sources.isEmpty else { return nil }
    return """
        \(each: sources, { "<source src=\"\(style.recording($0.url, hash: $0.hash))\"\(attribute: "type", $0.type)>" })\(some: foundPath(item, style), { "<source src=\"\($0)\">" })
        """
}

private func filmView(_ item: MediaItem, _ style: MediaStyle) -> HTML? {
    guard let sources = sourcesView(item, style) else { return nil }
    // A browser loads this picture at once, also behind a warning that is closed.
    let poster = style.isWarned ? nil : item.posters.first(where: style.loads).flatMap { ForeignURL($0) }
    let plays = style.autoplays && !style.isWarned && item.duration.map { $0 <= .seconds(10) } == true
    return """
        <div class="film\(boxClass(item))">\(box(item))<video controls playsinline\(if: plays, " autoplay muted loop preload=\"auto\"", else: " preload=\"none\"")\(some: poster, { " poster=\"\(style.source($0))\"" }) aria-label="\(item.description ?? "Recording by \(style.name)")">\(sources)</video></div>
        """
}

private func soundView(_ item: MediaItem, _ style: MediaStyle) -> HTML? {
    guard let sources = sourcesView(item, style) else { return nil }
    let player: HTML = """
        <audio controls preload="none" aria-label="\(item.description ?? "Recording by \(style.name)")">\(sources)</audio>
        """
    return item.waveform.isEmpty ? player : "<div class=\"sound\">\(waveformView(item.waveform))\(player)</div>"
}

/// How loud a sound is, drawn above its player; what it shows is nothing that must be read.
private func waveformView(_ loudness: [Int]) -> HTML {
    let bars = loudness.enumerated().map { place, value in
        let height = min(max(value, 2), 100)
        return "M\(place * 4 + 2) \(50 - height / 2)v\(height)"
    }
    return """
        <svg class="waveform" viewBox="0 0 \(loudness.count * 4) 100" preserveAspectRatio="none" aria-hidden="true"><path d="\(bars.joined())"></path></svg>
        """
}

/// What keeps the room of a picture before it is there, however large it turns out to be; a drawing, since no page may
/// have styles of its own.
private func box(_ item: MediaItem) -> HTML {
    """
    \(some: item.size, { "<svg class=\"sizer\" viewBox=\"0 0 \($0.width) \($0.height)\" aria-hidden=\"true\"></svg>" })\(some: item.placeholder, { "<img class=\"blur\" loading=\"lazy\" src=\"\(placeholderPath($0))\" alt=\"\" aria-hidden=\"true\">" })
    """
}

private func boxClass(_ item: MediaItem) -> HTML {
    "\(if: item.size != nil, " has-size")\(if: item.placeholder != nil, " has-blur")"
}

/// Where a placeholder is drawn.
func placeholderPath(_ placeholder: MediaItem.Placeholder) -> Path {
    switch placeholder {
    case .blur(let text): "/placeholder?blur=\(text)"
    case .thumb(let text): "/placeholder?thumb=\(text)"
    }
}
