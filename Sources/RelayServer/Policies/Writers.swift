public import NostrCore
internal import NostrNIPs
public import NostrStore
internal import Synchronization

/// Who may write: some keys, and the people whom one of them follows, as the follow list in the relay's own store says.
///
/// Private messages to these people are taken from everybody, because a gift wrap is signed by a key that is used once.
/// Source: NIP-02, NIP-59.
public final class Writers: Sendable {
    private let named: Set<PublicKey>
    private let follower: PublicKey?
    private let followed = Mutex<Set<PublicKey>>([])

    /// - Parameters:
    ///   - named: keys that may write in any case.
    ///   - follower: somebody who may write, with everybody on their follow list.
    public init(_ named: Set<PublicKey>, followedBy follower: PublicKey? = nil) {
        self.named = named.union([follower].compactMap { $0 })
        self.follower = follower
    }

    /// Refuses what is by others and not a private message to these people.
    public var policy: EventPolicy {
        { [self] event, _ in
            if contains(event.pubkey) { return .accept }
            let isMessage = event.kind == GiftWrap.kind || event.kind == GiftWrap.ephemeralKind
            if isMessage, event.tags.named("p").contains(where: { isReader($0.value) }) { return .accept }
            return .refuse(Reason(.restricted, "only people on this relay's list may write here"))
        }
    }

    /// Whether somebody may write.
    public func contains(_ key: PublicKey) -> Bool {
        named.contains(key) || followed.withLock { $0.contains(key) }
    }

    private func isReader(_ hex: String?) -> Bool {
        // What is no key is nobody on the list.
        guard let hex, let key = try? PublicKey(hex: hex) else { return false }
        return contains(key)
    }

    /// Reads the follow list, and again whenever it changes, until cancelled.
    ///
    /// - Throws: ``/NostrStore/StoreError`` when it cannot be read at first.
    public func run(_ store: any EventStore) async throws {
        guard let follower else { return }
        let filter = Filter(authors: [follower], kinds: [FollowList.kind], limit: 1)
        let changes = await store.liveQuery([filter])
        follow(try await store.query([filter]))
        for await change in changes {
            // A list that cannot be read just now is read at the next change; until then the old one holds.
            switch change {
            case .added(let event): if FollowList(event) != nil { follow([event]) }
            case .missed, .removed: if let found = try? await store.query([filter]) { follow(found) }
            }
        }
    }

    /// Lets in whom the newest list names; nobody, where there is none any more.
    private func follow(_ lists: [Event]) {
        let keys = lists.lazy.compactMap(FollowList.init).first?.keys ?? []
        followed.withLock { $0 = Set(keys) }
    }
}
