internal import AsyncPrimitives
public import NostrCore
public import NostrNIPs
internal import NostrSigner
internal import NostrStore

/// Notes, reactions, reposts and deletions.
extension Publishing {
    /// Completes tags (NIP-10 or NIP-22 replies, mentions, hashtags, quotes, emoji), signs, queues on disk and publishes.
    public func publish(_ composition: Composition) async throws -> Event {
        try await send(draft(of: composition))
    }

    /// Reacts (NIP-25); `+` is a like.
    public func react(to id: EventID, with content: String) async throws -> Event {
        guard let target = try await known(id) else { throw AccountError.unknownEvent }
        let composer = try await composer(about: [target])
        let emoji = composer.emoji(named: content)
        // A name without its picture is nothing others can show.
        if emoji == nil, content.count > 2, content.hasPrefix(":"), content.hasSuffix(":") {
            throw AccountError(.unknownEmoji)
        }
        return try await send(
            Reaction.draft(
                to: target, content: content, emoji: emoji, relay: composer.hints[id],
                createdAt: context.time.now()))
    }

    /// Reposts (NIP-18).
    public func repost(_ id: EventID) async throws -> Event {
        guard let target = try await known(id) else { throw AccountError.unknownEvent }
        if target.tags.isProtected { throw AccountError.protected }
        let hint = try await composer(about: [target]).hints[id]
        return try await send(Repost.draft(of: target, relay: hint, createdAt: context.time.now()))
    }

    /// Takes back what the account reacted to a note with: a deletion request for its own reactions alone (NIP-09).
    public func unreact(to id: EventID) async throws -> Event {
        try await takeBack([Reaction.kind], of: id) { Reaction($0, to: id, at: $1) != nil }
    }

    /// Takes back one of the account's own reactions to a note, by the text it carries (NIP-09); `+` also stands for none.
    ///
    /// - Throws: ``AccountError`` of the code `unknownEvent` where there is none.
    func unreact(to id: EventID, with content: String) async throws -> Event {
        try await takeBack([Reaction.kind], of: id) { event, address in
            guard let reaction = Reaction(event, to: id, at: address) else { return false }
            return event.content == content || (content == "+" && reaction.meaning == .like)
        }
    }

    /// Takes back the account's own reposts of a note (NIP-09).
    public func unrepost(_ id: EventID) async throws -> Event {
        try await takeBack([Repost.noteKind, Repost.genericKind], of: id) { event, address in
            Repost(event)?.target.id == id || address.map { event.touchedAddresses.contains($0) } ?? false
        }
    }

    /// Reports a note and its author (NIP-56), in public.
    public func report(_ id: EventID, for reason: Report.Reason, text: String) async throws -> Event {
        guard let target = try await known(id) else { throw AccountError.unknownEvent }
        return try await send(
            Report.draft(about: target, reason: reason, text: text, createdAt: context.time.now()))
    }

    /// Reports a person, whatever they wrote (NIP-56), in public.
    public func report(person key: PublicKey, for reason: Report.Reason, text: String) async throws -> Event {
        guard key != context.publicKey else { throw AccountError.unknownEvent }
        return try await send(
            Report.draft(about: key, reason: reason, text: text, createdAt: context.time.now()))
    }

    /// Asks relays to delete events of the account's own (NIP-09).
    public func delete(_ ids: [EventID]) async throws -> Event {
        try await load()
        let events = try await context.store.query([Filter(ids: Set(ids))])
        guard !events.isEmpty, events.count == Set(ids).count else { throw AccountError.unknownEvent }
        guard events.allSatisfy({ $0.pubkey == context.publicKey }) else { throw AccountError.notOwn }
        return try await sendDeletion(of: events)
    }

    /// Deletes what the account itself said about a note, all of it, however often it was said.
    private func takeBack(
        _ kinds: Set<Kind>, of id: EventID, where isAbout: (Event, EventAddress?) -> Bool
    ) async throws -> Event {
        guard signer != nil else { throw AccountError.readOnly }
        try await load()
        let address = try await context.store.query([Filter(ids: [id])]).first?.address
        var filters = [Filter(authors: [context.publicKey], kinds: kinds, tags: ["e": [id.hex]])]
        if let address {
            filters.append(Filter(authors: [context.publicKey], kinds: kinds, tags: ["a": [address.description]]))
        }
        // A reaction to an answer names the notes above it too; only what is about this one goes.
        let found = try await context.store.query(filters).filter { isAbout($0, address) }
        let elsewhere = try await context.store.answersElsewhere(among: found, than: id)
        let events = found.filter { !elsewhere.contains($0.id) }
        guard !events.isEmpty else { throw AccountError.unknownEvent }
        return try await sendDeletion(of: events)
    }

    /// Completes tags, puts the work in, and signs; nothing is kept yet.
    func signed(_ composition: Composition) async throws -> Event {
        guard let signer else { throw AccountError.readOnly }
        try await load()
        return try await signer.sign(mining.mined(draft(of: composition)))
    }

    func draft(of composition: Composition) async throws -> EventDraft {
        let parent = try await known(composition.replyTo)
        let quote = try await known(composition.quote)
        if quote?.tags.isProtected == true { throw AccountError.protected }
        let composer = try await composer(about: [parent, quote].compactMap { $0 })
        return try composer.draft(composition, parent: parent, quote: quote)
    }

    /// An event of the store.
    private func known(_ id: EventID?) async throws -> Event? {
        guard signer != nil else { throw AccountError.readOnly }
        guard let id else { return nil }
        guard let event = try await context.store.query([Filter(ids: [id])]).first else {
            throw AccountError.unknownEvent
        }
        return event
    }

    private func composer(about events: [Event]) async throws -> NoteComposer {
        try await load()
        let emoji = try await OwnEmoji(context).all
        var hints: [EventID: RelayURL] = [:]
        for event in events { hints[event.id] = try await hint(for: event) }
        return NoteComposer(account: context.publicKey, emoji: emoji, now: context.time.now(), hints: hints)
    }

    /// Where others can find an event: a write relay of its author that has it, else one of the two.
    private func hint(for event: Event) async throws -> RelayURL? {
        let holders = try await context.store.relays(of: event.id)
        let router = gossip.router
        let seen = holders.filter(router.trusts)
        let written = (router.lists[event.pubkey]?.write ?? []).filter(router.trusts)
        return written.first(where: seen.contains) ?? seen.min() ?? written.first
    }
}
