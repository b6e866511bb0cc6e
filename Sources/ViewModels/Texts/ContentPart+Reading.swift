internal import NostrClient
internal import NostrCore
internal import NostrNIPs

/// Reads a note's text into parts.
///
/// - Parameters:
///   - isCard: whether it stands in small under another note, where only its beginning is drawn.
///   - cited: what of the addresses it names is here, by which it is named as any note is.
///   - name: what to call a person who is mentioned; `nil` for one who is not known.
func contentParts(
    of event: Event, isCard: Bool = false, cited: [EventAddress: EventID] = [:], name: (PublicKey) -> String?
) -> [ContentPart] {
    contentParts(of: NoteText(event, isCard: isCard), isCard: isCard, cited: cited, name: name)
}

/// The same of a text that was read already.
func contentParts(
    of text: NoteText, isCard: Bool, cited: [EventAddress: EventID], name: (PublicKey) -> String?
) -> [ContentPart] {
    var parts = text.tokens.map { part($0, cited: cited, name: name) }
    if text.isCut { parts.append(.text(isCard ? "…" : NoteWords.cut)) }
    return joined(parts)
}

/// Reads a stretch of a longer text; white space at its ends stays.
func contentParts(of text: String, tags: [Tag], name: (PublicKey) -> String?) -> [ContentPart] {
    ContentToken.split(text, tags: tags).map { part($0, name: name) }
}

/// Reads text that is being written, or that is no note.
///
/// - Parameters:
///   - mentions: people by the name they were picked under.
///   - emoji: the custom emoji it may use.
func contentParts(
    written text: String, mentions: [String: PublicKey], emoji: [CustomEmoji] = []
) -> [ContentPart] {
    // Looked for only where somebody is named: most texts name nobody, and a page has hundreds of texts and people.
    let name = { (key: PublicKey) -> String? in mentions.first { $0.value == key }?.key }
    let tokens = ContentToken.split(text, tags: emoji.map(\.tag), most: Note.mostReferences)
    return joined(tokens.map { token in part(token, name: name) })
}

/// Reads a name: emoji are drawn, all else is text as it is.
func emojiParts(of text: String, _ emoji: [CustomEmoji]) -> [ContentPart] {
    guard !emoji.isEmpty else { return [.text(text)] }
    return joined(
        ContentToken.split(text, tags: emoji.map(\.tag)).map { token in
            guard case .emoji(let found) = token.meaning, let address = webAddress(found.url) else {
                return .text(token.source)
            }
            return .emoji(code: found.shortcode, picture: address)
        })
}

extension [CustomEmoji] {
    /// Those that are looked for in somebody's text: no more than a person could mean, since it is a stranger's.
    var drawn: [CustomEmoji] { Array(prefix(100)) }
}

/// The note an event answers (NIP-10, NIP-22).
func repliedNote(_ event: Event) -> EventID? {
    switch event.kind {
    case 1: ThreadReferences(event.tags).parent?.id
    case 1111: event.tags.named("e").last.flatMap { EventPointer(tag: $0)?.id }
    default: nil
    }
}

/// A person as they are written in a note (NIP-27).
func nostrURI(_ key: PublicKey) -> String {
    "nostr:" + key.npub
}

private func part(
    _ token: ContentToken, cited: [EventAddress: EventID] = [:], name: (PublicKey) -> String?
) -> ContentPart {
    switch token.meaning {
    case .text: .text(token.source)
    case .link: webAddress(token.source).map(ContentPart.link) ?? .text(token.source)
    case .media(let type):
        webAddress(token.source).map { type == .image ? .image($0) : .video($0) } ?? .text(token.source)
    case .hashtag(let tag): .hashtag(shown: token.source, tag: tag)
    case .emoji(let emoji):
        webAddress(emoji.url).map { .emoji(code: emoji.shortcode, picture: $0) } ?? .text(token.source)
    case .invoice(let invoice): .invoice(InvoiceItem(invoice))
    case .blob(let blob): part(blob) ?? .text(token.source)
    case .mention(.npub(let key)): .mention(key, name: name(key) ?? shortened(key))
    case .mention(.nprofile(let pointer)): .mention(pointer.key, name: name(pointer.key) ?? shortened(pointer.key))
    case .mention(.note(let id)): .note(id)
    case .mention(.nevent(let pointer)): .note(pointer.id)
    case .mention(.naddr(let pointer)):
        cited[pointer.address].map(ContentPart.note) ?? articleCode(pointer).map(ContentPart.article)
            ?? .entity(token.source)
    case .mention(.nrelay): .entity(token.source)
    }
}

/// A file by its hash, at the first server that is named for it; `nil` where none is.
///
/// What is gone there is looked for on its author's servers, as any file whose address bears its hash.
private func part(_ blob: BlobAddress) -> ContentPart? {
    guard let address = blob.addresses.first.flatMap(webAddress) else { return nil }
    return switch ContentToken.MediaType(url: address) {
    case .image: .image(address)
    case .video, .audio: .video(address)
    case nil: .link(address)
    }
}

/// The code that leads to an article; `nil` for other addresses, and for one that fits no code.
func articleCode(_ pointer: AddressPointer) -> String? {
    guard [Article.kind, Article.draftKind].contains(pointer.address.kind) else { return nil }
    return try? NostrEntity.naddr(pointer).encoded()
}

/// Text parts side by side become one, and the ends carry no white space.
private func joined(_ parts: [ContentPart]) -> [ContentPart] {
    var joined: [ContentPart] = []
    // Gathered in place: a hostile note has thousands side by side.
    var gathered = ""
    var isGathering = false
    for part in parts {
        if case .text(let text) = part {
            gathered += text
            isGathering = true
            continue
        }
        if isGathering { joined.append(.text(gathered)) }
        joined.append(part)
        (gathered, isGathering) = ("", false)
    }
    if isGathering { joined.append(.text(gathered)) }
    if case .text(let text) = joined.last { joined[joined.count - 1] = .text(withoutTrailingSpace(text)) }
    return joined
}

/// A text without the white space at its end; looks from the end, and no further than the last letter.
package func withoutTrailingSpace(_ text: String) -> String {
    guard let last = text.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    let kept = text[...last]
    return kept.endIndex == text.endIndex ? text : String(kept)
}
