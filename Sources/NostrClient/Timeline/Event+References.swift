internal import NostrCore
internal import NostrNIPs

extension Event {
    /// The events it quotes or cites, each once: `q` tags, then `nostr:` references in the text.
    var quotedEvents: [EventPointer] {
        var seen: Set<EventID> = []
        let tagged = tags.quotes.compactMap { quote -> EventPointer? in
            if case .event(let pointer) = quote { pointer } else { nil }
        }
        return (tagged + textReferences.compactMap(\.event)).filter { seen.insert($0.id).inserted }
    }

    /// The people its text names, each once; at most 50.
    var peopleInText: [PublicKey] {
        var seen: Set<PublicKey> = []
        return Array(textReferences.compactMap(\.person).filter { seen.insert($0).inserted }.prefix(50))
    }

    /// The people, events and addresses its text names (NIP-27).
    var textReferences: [NostrEntity] {
        switch kind {
        case 1, 1111, 30_023: break
        default: return []
        }
        // Most notes name nobody, and splitting a text costs far more than this look at it.
        guard mayNameEntity(content.utf8) else { return [] }
        return ContentToken.split(content).compactMap { token in
            if case .mention(let entity) = token.meaning { entity } else { nil }
        }
    }

    /// Whether it answers another note.
    ///
    /// Source: NIP-10; comments (NIP-22) always answer.
    var isReply: Bool {
        switch kind {
        case 1: ThreadReferences(tags).isReply
        case 1111: true
        default: false
        }
    }

    /// The notes it touches: what it answers, reacts to, reposts or deletes.
    var touchedEvents: [EventID] {
        switch kind {
        case 1, 7, 6, 16, 1111, 5, ZapReceipt.kind:
            var seen: Set<EventID> = []
            return tags.prefix(64).compactMap { tag in
                guard tag.name == "e" || tag.name == "E", let id = tag.eventID(at: 1), seen.insert(id).inserted
                else { return nil }
                return id
            }
        default: return []
        }
    }
}

extension NostrEntity {
    var person: PublicKey? {
        switch self {
        case .npub(let key): key
        case .nprofile(let pointer): pointer.key
        default: nil
        }
    }

    var event: EventPointer? {
        switch self {
        case .note(let id): EventPointer(id: id)
        case .nevent(let pointer): pointer
        default: nil
        }
    }
}

/// Whether a text may hold an `npub1`, `note1`, `nprofile1`, `nevent1` or `naddr1`: by their last letter and the 1.
private func mayNameEntity(_ text: String.UTF8View) -> Bool {
    guard text.count > 50 else { return false }
    var before: UInt8 = 0
    for byte in text {
        if byte == UInt8(ascii: "1") {
            switch before | 0x20 {
            case UInt8(ascii: "b"), UInt8(ascii: "e"), UInt8(ascii: "t"), UInt8(ascii: "r"): return true
            default: break
            }
        }
        before = byte
    }
    return false
}
