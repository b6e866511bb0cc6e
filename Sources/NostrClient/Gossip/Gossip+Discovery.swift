internal import AsyncPrimitives
package import NostrCore
internal import NostrNIPs
internal import NostrStore
internal import Synchronization

/// Finding out who people are and where they write: kinds 0, 3 and 10002.
extension Gossip {
    /// Keys in one filter; relays refuse longer ones.
    private static let chunk = 150

    /// Whether a person's relays are known, or were looked for.
    func isLookedUp(_ key: PublicKey) -> Bool {
        knowledge.withLock { $0.isLookedUp(key) }
    }

    /// Whose notes belong on the home timeline, without those who were not looked up yet.
    var readyAuthors: Set<PublicKey> {
        knowledge.withLock { known in known.homeAuthors.filter(known.isLookedUp) }
    }

    /// Asks the indexers for people's profiles and relay lists; for those still without a list, other relays.
    package func discover(_ keys: Set<PublicKey>) async {
        let kinds: Set<Kind> = [ProfileMetadata.kind, RelayList.kind]
        await ask(people: keys, kinds: kinds, of: router.indexers)
        await reread(keys)
        let router = self.router
        let lost = keys.filter { router.lists[$0] == nil }
        guard !lost.isEmpty else { return }
        let others = Set(router.ownRead.prefix(4) + router.ownWrite.prefix(4) + router.policy.fallback)
        await ask(people: lost, kinds: kinds, of: others.subtracting(router.indexers).filter(router.trusts).sorted())
        await reread(lost)
    }

    /// Everything about one person, for their page.
    func discoverPage(of key: PublicKey) async {
        let router = self.router
        let relays = Set(router.indexers + router.relays(about: key, limit: 3, now: context.time.now()))
        await ask(people: [key], kinds: [ProfileMetadata.kind, FollowList.kind, RelayList.kind], of: relays.sorted())
        await reread([key])
        context.changes.send(.person(key))
    }

    func discoverFollowed() async {
        while !Task.isCancelled {
            let unknown = knowledge.withLock { $0.followed.subtracting($0.discovered) }
            if unknown.isEmpty {
                await discovering.wait(atMost: context.configuration.housekeeping, on: context.time.clock)
            } else {
                await discover(unknown)
                knowledge.withLock { $0.discovered.formUnion(unknown) }
                routing.ring()
            }
        }
    }

    // Twice: the relay list found the first time says where the newest versions of the others are.
    func discoverOwn() async {
        var asked: Set<RelayURL> = []
        for _ in 0..<2 {
            let router = self.router
            let relays = Set(router.indexers + router.ownWrite.prefix(6) + router.policy.fallback).subtracting(asked)
            guard !relays.isEmpty else { break }
            asked.formUnion(relays)
            await ask(people: [context.publicKey], kinds: Self.ownKinds, of: relays.sorted())
            do {
                if try await learnOwn() { routing.ring() }
            } catch {
                context.report("own lists could not be read from disk", error)
            }
        }
        routing.ring()
    }

    private func ask(people keys: Set<PublicKey>, kinds: Set<Kind>, of relays: [RelayURL]) async {
        let filters = keys.chunked(by: Self.chunk).map { Filter(authors: $0, kinds: kinds) }
        let requests = Dictionary(relays.map { ($0, filters) }) { first, _ in first }
        await ask(requests, deadline: context.configuration.deadlines.discovery)
    }

    // The change feed of the store brings lists too, but later; what is decided next needs them now.
    private func reread(_ keys: Set<PublicKey>) async {
        do {
            try await learnRelayLists(of: keys)
        } catch {
            context.report("relay lists could not be read from disk", error)
        }
    }
}

extension Gossip.Knowledge {
    /// Whether a person's relays are known, or were looked for.
    fileprivate func isLookedUp(_ key: PublicKey) -> Bool {
        router.lists[key] != nil || discovered.contains(key) || key == router.account
    }
}
