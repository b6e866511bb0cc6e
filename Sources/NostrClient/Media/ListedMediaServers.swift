internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Where people keep their files (BUD-03).
extension AccountContext {
    /// The servers of somebody's list, as far as it is here; `nil` for none.
    func listedMediaServers(of key: PublicKey) async throws -> [MediaServer]? {
        let address = EventAddress(kind: MediaServerList.kind, author: key, identifier: "")
        return try await storedVersion(at: address).flatMap { MediaServerList($0) }?.servers
    }

    /// The servers of somebody's list; one that is not here yet is asked for, in bounded time.
    func mediaServers(of author: PublicKey, asking gossip: Gossip?) async throws -> [MediaServer]? {
        if let list = try await listedMediaServers(of: author) { return list }
        guard let gossip else { return nil }
        try await gossip.load()
        let router = gossip.router
        let relays = Set(router.indexers + router.relays(about: author, limit: 3, now: time.now()))
        let filter = Filter(authors: [author], kinds: [MediaServerList.kind], limit: 1)
        await gossip.ask(
            gossip.requests([filter], of: relays.sorted()), deadline: configuration.deadlines.discovery)
        return try await listedMediaServers(of: author)
    }

    /// The servers to which the account's files are brought now: those of its list, else what the person chose, else
    /// what this Linnet has.
    func ownMediaServers() async throws -> [MediaServer] {
        if let listed = try await listedMediaServers(of: publicKey), !listed.isEmpty { return listed }
        return try await usualServers() ?? configuration.mediaServers
    }
}
