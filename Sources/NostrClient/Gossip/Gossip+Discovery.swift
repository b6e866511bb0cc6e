internal import AsyncPrimitives
package import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrStore
internal import Synchronization

/// Finding out who people are and where they write: kinds 0, 3 and 10002.
extension Gossip {
    /// Keys in one filter; relays refuse longer ones.
    private static let chunk = 150
    /// So many reports about somebody are asked for at once.
    private static let mostReports = 100
    /// How often the account's own lists are asked for.
    private static let ownInterval: Duration = .seconds(86_400)

    /// Whether a person's relays are known, or were looked for.
    func isLookedUp(_ key: PublicKey) -> Bool {
        knowledge.withLock { $0.isLookedUp(key) }
    }

    /// Whose notes belong on the home timeline, without those who were not looked up yet.
    var readyAuthors: Set<PublicKey> {
        // Looked through outside the lock: of thousands it takes milliseconds, and pages look there.
        let (authors, lists, discovered) = knowledge.withLock { ($0.homeAuthors, $0.router.lists, $0.discovered) }
        return authors.filter { lists[$0] != nil || discovered.contains($0) || $0 == context.publicKey }
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
        let kinds = PersonShowcase.kinds.union([ProfileMetadata.kind, FollowList.kind, RelayList.kind])
        await ask(people: [key], kinds: kinds, of: relays.sorted())
        await reread([key])
        context.changes.send(.person(key))
        // Who they are does not wait for what others say of them.
        await discoverReports(of: key)
    }

    /// Asks for what was reported of somebody.
    ///
    /// Where strangers reported them so often that relays may have given nothing else, those who are followed are named;
    /// of everybody that takes a hundred thousand bytes.
    private func discoverReports(of key: PublicKey) async {
        let deadline = context.configuration.deadlines.discovery
        let relays = Array(router.ownRead.prefix(3))
        let filter = Filter(kinds: [Report.kind], tags: ["p": [key.hex]], limit: Self.mostReports)
        await ask(requests([filter], of: relays), deadline: deadline)
        // What cannot be read from disk is not shown either.
        guard let found = try? await context.store.query([filter]), !found.isEmpty else { return }
        if found.count >= Self.mostReports {
            let named = homeAuthors.chunked(by: Self.chunk).prefix(4).map { reporters in
                Filter(authors: reporters, kinds: [Report.kind], tags: ["p": [key.hex]], limit: Self.mostReports)
            }
            await ask(requests(Array(named), of: relays), deadline: deadline)
        }
        context.changes.send(.person(key))
    }

    func discoverFollowed() async {
        var nextOwn = context.time.now() + Self.ownInterval
        while !Task.isCancelled {
            // Another device may have changed them where nothing is read live; and who never answers shows only so.
            if nextOwn <= context.time.now() {
                await discoverOwn()
                nextOwn = context.time.now() + Self.ownInterval
            }
            let (followed, discovered) = knowledge.withLock { ($0.followed, $0.discovered) }
            let unknown = followed.subtracting(discovered)
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
            let filter = Filter(authors: [context.publicKey], kinds: Self.ownKinds)
            let requests = Dictionary(uniqueKeysWithValues: relays.map { ($0, [filter]) })
            do {
                try await askForOwn(requests) { events, relay in await self.keep(events, from: relay) }
                if try await learnOwn() { routing.ring() }
            } catch {
                context.report("own lists could not be read from disk", error)
            }
        }
        routing.ring()
    }

    /// Asks relays for something of the account's own, and notes which of them give no answer.
    func askForOwn(
        _ requests: [RelayURL: [Filter]], _ receive: @escaping @Sendable ([Event], RelayURL) async -> Void
    ) async throws {
        let endings = Mutex<[RelayURL: RelayEnding]>([:])
        await fetch(requests, deadline: context.configuration.deadlines.discovery) { update in
            switch update {
            case .events(let events, let relay): await receive(events, relay)
            case .ended(let relay, let ending): endings.withLock { $0[relay] = ending }
            }
        }
        try await noteSilence(of: Set(requests.keys), endings.withLock { $0 })
    }

    /// Notes which relays gave no answer to a question for something of the account's own.
    func noteSilence(of relays: Set<RelayURL>, after updates: [FetchUpdate]) async throws {
        var endings: [RelayURL: RelayEnding] = [:]
        for case .ended(let relay, let ending) in updates { endings[relay] = ending }
        try await noteSilence(of: relays, endings)
    }

    private func noteSilence(of relays: Set<RelayURL>, _ endings: [RelayURL: RelayEnding]) async throws {
        // Being stopped says nothing of a relay.
        if Task.isCancelled { return }
        // One without an ending did not even keep to the deadline.
        let all = Dictionary(uniqueKeysWithValues: relays.map { ($0, endings[$0] ?? .deadline) })
        try await silent.note(all, now: context.time.now())
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
