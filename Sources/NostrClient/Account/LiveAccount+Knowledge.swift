internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// What stored events teach the account: whom it follows, where everybody writes and reads, what is blocked.
extension LiveAccount {
    /// What is kept of oneself from wherever one publishes: profile, follows, every list, status, settings.
    static let ownLists: Set<Kind> = PublicList.kinds.union([
        ProfileMetadata.kind, FollowList.kind, UserStatus.kind, AppData.kind,
    ])

    private static let mostLists = 20_000

    /// Takes one stored event into account; returns whether routes may differ now.
    @discardableResult
    func learn(from event: Event) -> Bool {
        switch event.kind {
        case RelayList.kind: return learnRelayList(event)
        case FollowList.kind where event.pubkey == publicKey:
            let keys = FollowList(event)?.keys ?? []
            guard keys != follows else { return false }
            follows = keys
            followed = Set(keys)
            return true
        case .blockedRelays where event.pubkey == publicKey:
            guard let list = PublicList(event) else { return false }
            // The private part is read a moment later; until then what was blocked stays so.
            let blocked = Set(list.relays).union(list.privatePart == .none ? [] : router.blocked)
            guard blocked != router.blocked else { return false }
            router.blocked = blocked
            return true
        case .directMessageRelays where event.pubkey == publicKey:
            learnInbox(from: event)
            return false
        case .searchRelays where event.pubkey == publicKey:
            guard let list = PublicList(event), list.privatePart == .none else { return false }
            let listed = list.relays
            searchRelays = listed.isEmpty ? configuration.searchRelays : listed
            return false
        default: return false
        }
    }

    /// Reads the relay lists of people from the store.
    func learnRelayLists(of keys: Set<PublicKey>) async throws {
        guard !keys.isEmpty else { return }
        for event in try await store.query([Filter(authors: keys, kinds: [RelayList.kind])]).reversed() {
            learn(from: event)
        }
    }

    /// Those whose home notes are shown: the followed and oneself.
    var homeAuthors: Set<PublicKey> { followed.union([publicKey]) }

    /// Everything a page of notes needs to know.
    var readingContext: ReadingContext {
        ReadingContext(
            account: publicKey, follows: followed, lists: router.lists, queue: queue, now: time.now(),
            mutes: ownMutes)
    }

    private func learnRelayList(_ event: Event) -> Bool {
        guard let list = RelayList(event) else { return false }
        let relays = PersonRelays(write: list.writeRelays, read: list.readRelays)
        guard router.lists[event.pubkey] != relays else { return false }
        let isNear = followed.contains(event.pubkey) || event.pubkey == publicKey
        // A store that takes in a whole relay must not fill the memory with lists nobody asks for.
        guard isNear || router.lists[event.pubkey] != nil || router.lists.count < Self.mostLists else { return false }
        router.lists[event.pubkey] = relays
        if event.pubkey == publicKey { listsSignal.ring() }
        return isNear
    }
}
