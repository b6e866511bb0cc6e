internal import NostrCore
internal import NostrNIPs

/// Reads a note's text into parts.
///
/// - Parameter name: what to call a person who is mentioned; `nil` for one who is not known.
func contentParts(of event: Event, name: (PublicKey) -> String?) -> [ContentPart] {
    joined(ContentToken.split(event.content, tags: event.tags).map { part($0, name: name) })
}

/// Reads text that is being written, or that is no note.
///
/// - Parameter mentions: people by the name they were picked under.
func contentParts(written text: String, mentions: [String: PublicKey]) -> [ContentPart] {
    let names = Dictionary(mentions.map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    return joined(ContentToken.split(text).map { token in part(token) { names[$0] } })
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

private func part(_ token: ContentToken, name: (PublicKey) -> String?) -> ContentPart {
    switch token.meaning {
    case .text: .text(token.source)
    case .link: webAddress(token.source).map(ContentPart.link) ?? .text(token.source)
    case .media(let type):
        webAddress(token.source).map { type == .image ? .image($0) : .video($0) } ?? .text(token.source)
    case .hashtag(let tag): .hashtag(shown: token.source, tag: tag)
    case .emoji(let emoji):
        webAddress(emoji.url).map { .emoji(code: emoji.shortcode, picture: $0) } ?? .text(token.source)
    case .invoice(let invoice): .invoice(InvoiceItem(invoice))
    case .mention(.npub(let key)): .mention(key, name: name(key) ?? shortened(key))
    case .mention(.nprofile(let pointer)): .mention(pointer.key, name: name(pointer.key) ?? shortened(pointer.key))
    case .mention(.note(let id)): .note(id)
    case .mention(.nevent(let pointer)): .note(pointer.id)
    case .mention(.naddr), .mention(.nrelay): .entity(token.source)
    }
}

/// Text parts side by side become one, and the ends carry no white space.
private func joined(_ parts: [ContentPart]) -> [ContentPart] {
    var joined: [ContentPart] = []
    for part in parts {
        if case .text(let text) = part, case .text(let before) = joined.last {
            joined[joined.count - 1] = .text(before + text)
        } else {
            joined.append(part)
        }
    }
    if case .text(let text) = joined.last {
        joined[joined.count - 1] = .text(String(text.reversed().drop(while: \.isWhitespace).reversed()))
    }
    return joined
}
