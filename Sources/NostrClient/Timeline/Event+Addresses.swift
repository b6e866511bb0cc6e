internal import NostrCore
internal import NostrNIPs

extension Event {
    /// The addresses it answers, reacts to, pays for, reposts or reports, each once.
    ///
    /// A `k` tag says of which kind that is: an `a` tag of another kind says only where it happened, as in the chat of a
    /// stream; a reaction without one, to an event of somebody else, too. What a note only mentions (NIP-10) is not
    /// touched.
    var touchedAddresses: [EventAddress] {
        guard NoteKinds.counted.contains(kind) || kind == Report.kind else { return [] }
        let named = tags.prefix(64)
        let about = named.first { $0.name == "k" }?.kind(at: 1)
        let reaction = Reaction(self)
        return named.compactMap { tag -> EventAddress? in
            guard tag.name == "a", tag[3] != "mention", let address = tag.address(at: 1) else { return nil }
            guard reaction?.isOfSomebodyElse(than: address) != true else { return nil }
            return about == nil || about == address.kind ? address : nil
        }.uniqued()
    }

    /// The address of what started the conversation that a comment belongs to.
    ///
    /// Source: NIP-22, the `A` tag.
    var commentedAddress: EventAddress? {
        guard kind == 1111 else { return nil }
        return tags.prefix(64).first { $0.name == "A" }?.address(at: 1)
    }

    /// Whether one of its `e` tags names an event.
    func names(_ id: EventID) -> Bool {
        tags.contains { $0.name == "e" && $0.eventID(at: 1) == id }
    }
}

extension EventAddress {
    /// Relays are not asked for longer ones: the identifier is a stranger's, and a question of many would be as long.
    private static let longestAsked = 512

    /// What stands in a question to relays, or `nil` where it is too long for one.
    var asked: String? {
        let text = description
        return text.utf8.count <= Self.longestAsked ? text : nil
    }
}
