internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// Finding out who people are and where they write: kinds 0, 3 and 10002.
extension LiveAccount {
    /// Keys in one filter; relays refuse longer ones.
    private static let chunk = 150

    /// First one's own lists, then everyone one follows; again whenever the follows change.
    func discover() async {
        await discoverOwn()
        await gatherOwn()
        while !Task.isCancelled {
            let unknown = followed.subtracting(discovered)
            if unknown.isEmpty {
                await discovering.wait(atMost: configuration.housekeeping, time)
            } else {
                await discover(unknown)
                discovered.formUnion(unknown)
                routing.ring()
            }
        }
    }

    /// Asks the indexers for people's profiles and relay lists; for those still without a list, other relays.
    func discover(_ keys: Set<PublicKey>) async {
        let kinds: Set<Kind> = [ProfileMetadata.kind, RelayList.kind]
        await ask(people: keys, kinds: kinds, of: router.indexers)
        await reread(keys)
        let lost = keys.filter { router.lists[$0] == nil }
        guard !lost.isEmpty else { return }
        let others = Set(router.ownRead.prefix(4) + router.ownWrite.prefix(4) + router.policy.fallback)
        await ask(people: lost, kinds: kinds, of: others.subtracting(router.indexers).filter(router.trusts).sorted())
        await reread(lost)
    }

    /// Everything about one person, for their page.
    func discoverPage(of key: PublicKey) async {
        let relays = Set(router.indexers + router.relays(about: key, limit: 3, now: time.now()))
        await ask(people: [key], kinds: [ProfileMetadata.kind, FollowList.kind, RelayList.kind], of: relays.sorted())
        await reread([key])
        feed.send(.person(key))
    }

    // Twice: the relay list found the first time says where the newest versions of the others are.
    private func discoverOwn() async {
        var asked: Set<RelayURL> = []
        for _ in 0..<2 {
            let relays = Set(router.indexers + router.ownWrite.prefix(6) + router.policy.fallback).subtracting(asked)
            guard !relays.isEmpty else { break }
            asked.formUnion(relays)
            await ask(people: [publicKey], kinds: Self.ownLists, of: relays.sorted())
            await relearnOwn()
        }
        routing.ring()
    }

    /// What happened to oneself while the program did not run: answers, reactions, and what other apps published.
    private func gatherOwn() async {
        let now = time.now()
        let lastHeard = horizons[.home]?.until ?? now - .seconds(14 * 86_400)
        let since = max(lastHeard - .seconds(86_400), now - .seconds(30 * 86_400))
        var requests: [RelayURL: [Filter]] = [:]
        for relay in router.ownRead.prefix(3) { requests[relay, default: []].append(mentions(since: since)) }
        for relay in router.ownWrite.prefix(3) { requests[relay, default: []].append(ownEvents(since: since)) }
        await ask(requests, deadline: configuration.deadlines.discovery)
    }

    private func ask(people keys: Set<PublicKey>, kinds: Set<Kind>, of relays: [RelayURL]) async {
        let filters = keys.chunked(by: Self.chunk).map { Filter(authors: $0, kinds: kinds) }
        let requests = Dictionary(relays.map { ($0, filters) }) { first, _ in first }
        await ask(requests, deadline: configuration.deadlines.discovery)
    }

    // The change feed of the store brings lists too, but later; what is decided next needs them now.
    private func reread(_ keys: Set<PublicKey>) async {
        do {
            try await learnRelayLists(of: keys)
        } catch {
            report("relay lists could not be read from disk", error)
        }
    }

    private func relearnOwn() async {
        do {
            let own = try await store.query([Filter(authors: [publicKey], kinds: Self.ownLists)])
            for event in own.reversed() where learn(from: event) { routing.ring() }
        } catch {
            report("own lists could not be read from disk", error)
        }
    }
}
