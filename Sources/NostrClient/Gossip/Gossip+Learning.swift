internal import AsyncPrimitives
package import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrStore
internal import Synchronization

/// What stored events teach: whom the account follows, where everybody writes and reads, what is blocked.
extension Gossip {
    /// What is kept of the account from wherever it publishes: profile, follows, every list, status, settings.
    package static let ownKinds: Set<Kind> = PublicList.kinds.union([
        ProfileMetadata.kind, FollowList.kind, UserStatus.kind, AppData.kind,
    ])

    private static let mostLists = 20_000
    /// Whose lists are read in one question: one for all of many people would keep pages from the disk for long.
    private static let listsAtOnce = 200

    /// Reads from disk what was known when the account last ran; does nothing the second time.
    package func load() async throws {
        guard !knowledge.withLock({ $0.isLoaded }) else { return }
        // Before anything is saved: whatever comes from now on is a version.
        try await context.versions?.keepVersions(of: [context.publicKey])
        try await consents.load()
        try await silent.load()
        // The private part of the list opens with the key; what it blocked when it was open last holds until then.
        restore(try await BlockedRelayRecords(context.records).load())
        try await remember()
        try await learnOwn()
        let followed = self.followed
        knowledge.withLock { $0.isLoaded = true }
        try await learnRelayLists(of: followed)
    }

    /// Learns from one stored event; returns whether routes may differ now.
    @discardableResult
    package func learn(from event: Event) -> Bool {
        switch event.kind {
        case RelayList.kind: return learnRelayList(event)
        case FollowList.kind where event.pubkey == context.publicKey:
            // Read again at each look for the account's own lists, and whoever follows thousands has many to take in.
            guard knowledge.withLock({ $0.followList != event.id }) else { return false }
            let keys = FollowList(event)?.keys ?? []
            let followed = Set(keys)
            return knowledge.withLock { known in
                known.followList = event.id
                guard keys != known.follows else { return false }
                known.follows = keys
                known.followed = followed
                return true
            }
        case .blockedRelays where event.pubkey == context.publicKey: return learnBlocked(event)
        case .directMessageRelays where event.pubkey == context.publicKey:
            learnInbox(event)
            return false
        case .searchRelays where event.pubkey == context.publicKey:
            guard let list = PublicList(event), list.privatePart == .none else { return false }
            let listed = list.relays.isEmpty ? context.configuration.searchRelays : list.relays
            knowledge.withLock { $0.searchRelays = listed }
            return false
        default: return false
        }
    }

    /// Reads the account's own lists from the store.
    ///
    /// - Returns: whether routes may differ now.
    @discardableResult
    func learnOwn() async throws -> Bool {
        var isNew = false
        let own = try await context.store.query([Filter(authors: [context.publicKey], kinds: Self.ownKinds)])
        for event in own.reversed() where learn(from: event) { isNew = true }
        return isNew
    }

    /// Reads the relay lists of people from the store.
    package func learnRelayLists(of keys: Set<PublicKey>) async throws {
        for some in keys.chunked(by: Self.listsAtOnce) {
            let lists = try await context.store.query([Filter(authors: some, kinds: [RelayList.kind])])
            for event in lists.reversed() { learn(from: event) }
        }
    }

    /// Learns where a person is said to be.
    package func learn(hints relays: [RelayURL], about person: PublicKey) {
        knowledge.withLock { known in
            for relay in relays { known.router.hints.note(relay, for: person, .claimed) }
        }
    }

    /// An event was stored, by whatever way.
    func stored(_ event: Event) {
        guard learn(from: event) else { return }
        routing.ring()
        guard event.kind == FollowList.kind else { return }
        discovering.ring()
        context.changes.send(.follows)
    }

    /// Changes of the store were missed: reads everything again.
    func relearn() async {
        do {
            try await learnOwn()
            try await learnRelayLists(of: homeAuthors)
        } catch {
            context.report("lists could not be read from disk", error)
        }
        routing.ring()
        discovering.ring()
    }

    private func learnRelayList(_ event: Event) -> Bool {
        guard let list = RelayList(event) else { return false }
        let relays = PersonRelays(write: list.writeRelays, read: list.readRelays)
        let isOwn = event.pubkey == context.publicKey
        let (isNew, isNear) = knowledge.withLock { known in
            let before = known.router.lists[event.pubkey]
            guard before != relays else { return (false, false) }
            let isNear = isOwn || known.followed.contains(event.pubkey)
            // A store that takes in a whole relay must not fill the memory with lists nobody asks for.
            guard isNear || before != nil || known.router.lists.count < Self.mostLists else { return (false, false) }
            known.router.lists[event.pubkey] = relays
            return (true, isNear)
        }
        if isNew && isOwn { ownRelaysDidChange() }
        return isNear
    }

    private func learnBlocked(_ event: Event) -> Bool {
        guard let list = PublicList(event) else { return false }
        return knowledge.withLock { known in
            // The private part is read a moment later; until then what was blocked stays so.
            let blocked =
                list.privatePart == .none
                ? BlockedRelays(list.relays) : known.router.blocked.adding(list.relays)
            guard blocked != known.router.blocked else { return false }
            known.router.blocked = blocked
            context.blocked.replace(with: blocked)
            return true
        }
    }

    /// Takes in what was blocked when the program last ran.
    private func restore(_ blocked: BlockedRelays) {
        knowledge.withLock { known in
            // A call that was faster has read the same, and may have learned more since.
            guard !known.hasRestoredBlocked else { return }
            known.hasRestoredBlocked = true
            known.router.blocked = blocked
            context.blocked.replace(with: blocked)
        }
    }

    private func learnInbox(_ event: Event) {
        let relays = PublicList(event)?.relays ?? []
        let isNew = knowledge.withLock { known in
            guard relays != known.inbox else { return false }
            known.inbox = relays
            return true
        }
        guard isNew else { return }
        ownRelaysDidChange()
        context.changes.send(.messaging)
    }
}
