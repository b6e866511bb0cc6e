internal import NostrCore
internal import NostrNIPs

extension Event {
    /// The events it quotes or cites, each once: `q` tags, then `nostr:` references in the text.
    var quotedEvents: [EventPointer] { citations(naming: textReferences).events }

    /// What it quotes or cites, each once: `q` tags, then `nostr:` references in the text; of addresses those that cards
    /// are drawn of.
    ///
    /// - Parameter named: ``textReferences``, found once for all that is asked of them.
    func citations(naming named: [NostrEntity]) -> (events: [EventPointer], addresses: [EventAddress]) {
        var seen: Set<EventID> = []
        let tagged = tags.quotes
        let quoted = tagged.compactMap { quote -> EventPointer? in
            if case .event(let pointer) = quote { pointer } else { nil }
        }
        let addresses = tagged.compactMap { quote -> EventAddress? in
            if case .address(let pointer) = quote { pointer.address } else { nil }
        }
        return (
            (quoted + named.compactMap(\.event)).filter { seen.insert($0.id).inserted },
            (addresses + named.compactMap(\.address)).filter { NoteKinds.cited.contains($0.kind) }.uniqued()
        )
    }

    /// The people its text names, those in its pictures (NIP-68), and who hosts a live stream, each once; at most 50.
    var peopleInText: [PublicKey] { people(naming: textReferences) }

    /// The same, of ``textReferences`` that were found already.
    func people(naming named: [NostrEntity]) -> [PublicKey] {
        var seen: Set<PublicKey> = []
        var shown = PicturePost(self)?.pictures.flatMap(\.people).map(\.person) ?? []
        if let stream = LiveActivity(self) { shown.append(stream.host) }
        return Array((named.compactMap(\.person) + shown).filter { seen.insert($0).inserted }.prefix(50))
    }

    /// Whether its text is looked through for what it names.
    private var mayNameInText: Bool {
        switch kind {
        case 1, 20, 21, 22, 1068, 1111, 6969, 30_023, 34_235, 34_236: true
        default: false
        }
    }

    /// Whether what its text names is found in what a page draws of it; an article is drawn with all its links.
    var namesInWords: Bool { mayNameInText && kind != Article.kind }

    /// The people, events and addresses its text names (NIP-27), as far as pages show it.
    var textReferences: [NostrEntity] {
        guard mayNameInText else { return [] }
        let text = Note.shown(of: content).text
        // Most notes name nobody, and splitting a text costs far more than this look at it.
        guard mayNameEntity(text) else { return [] }
        // An article is drawn with all its links.
        let most = kind == Article.kind ? Int.max : Note.mostReferences
        return ContentToken.split(text, most: most).compactMap { token in
            if case .mention(let entity) = token.meaning { entity } else { nil }
        }
    }

    /// Whether it is a note that answers another one, and so stands in its thread alone.
    ///
    /// Comments (NIP-22) always answer something; they stand wherever their kind is wanted. Source: NIP-10.
    var isReply: Bool { kind == 1 && ThreadReferences(tags).isReply }

    /// The notes it touches: what it answers, reacts to, votes on, reports, reposts or deletes.
    var touchedEvents: [EventID] {
        switch kind {
        case 1, 7, 6, 16, 1018, 1111, 5, Report.kind, ZapReceipt.kind:
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

    var address: EventAddress? {
        if case .naddr(let pointer) = self { pointer.address } else { nil }
    }
}

/// Whether a text may hold an `npub1`, `note1`, `nprofile1`, `nevent1` or `naddr1`: by their last letter and the 1.
private func mayNameEntity(_ text: String) -> Bool {
    let bytes = text.utf8Span.span
    guard bytes.count > 50 else { return false }
    for place in 1..<bytes.count where bytes[place] == UInt8(ascii: "1") {
        switch bytes[place - 1] | 0x20 {
        case UInt8(ascii: "b"), UInt8(ascii: "e"), UInt8(ascii: "t"), UInt8(ascii: "r"): return true
        default: break
        }
    }
    return false
}
