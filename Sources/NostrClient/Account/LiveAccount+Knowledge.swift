internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// What stored events teach the account: whom it follows, where everybody writes and reads, what is blocked.
extension LiveAccount {
    /// Own lists the account acts on: profile, follows, relays, blocked relays, search relays, emoji.
    static let ownLists: Set<Kind> = [0, 3, 10_002, 10_006, 10_007, 10_030]

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
            let blocked = Set(PublicList(event)?.relays ?? [])
            guard blocked != router.blocked else { return false }
            router.blocked = blocked
            return true
        case .searchRelays where event.pubkey == publicKey:
            let listed = PublicList(event)?.relays ?? []
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
            account: publicKey, follows: followed, lists: router.lists, queue: queue, now: time.now())
    }

    private func learnRelayList(_ event: Event) -> Bool {
        guard let list = RelayList(event) else { return false }
        let relays = PersonRelays(write: list.writeRelays, read: list.readRelays)
        guard router.lists[event.pubkey] != relays else { return false }
        let isNear = followed.contains(event.pubkey) || event.pubkey == publicKey
        // A store that takes in a whole relay must not fill the memory with lists nobody asks for.
        guard isNear || router.lists[event.pubkey] != nil || router.lists.count < Self.mostLists else { return false }
        router.lists[event.pubkey] = relays
        return isNear
    }
}
