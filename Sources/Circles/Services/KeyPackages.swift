internal import AsyncPrimitives
internal import Marmot
internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrSigner
internal import NostrStore

/// Our own key packages, by which others let us into a circle, and where those of others are.
///
/// Nothing is published for somebody who is in no circle and asked for none: a key package tells everybody that its
/// owner uses such groups.
final class KeyPackages: Sendable {
    private static let mostRelays = 5

    private let context: UnlockedContext
    private let store: CircleStore
    /// Rings when a new key package may be due.
    let due = Doorbell()

    private var account: AccountContext { context.account }
    private var gossip: Gossip { context.gossip }

    init(_ context: UnlockedContext, store: CircleStore) { (self.context, self.store) = (context, store) }

    /// Publishes a new key package when the last one was used or is old; until cancelled.
    func run() async {
        while !Task.isCancelled {
            await due.wait(atMost: .seconds(3600), on: account.time.clock)
            guard await store.isInUse else { continue }
            do { _ = try await fresh() } catch { account.report("no key package could be published", error) }
        }
    }

    /// A key package that nobody has used, published.
    ///
    /// - Returns: nil where there is no relay to publish it on.
    @discardableResult
    func fresh() async throws -> KeptKeyPackage? {
        try await context.replaceable.change {
            if let known = try await store.currentKeyPackage() { return known }
            // Where we write must be known first: what is published now says for good where to look.
            if !isListed { await gossip.discover([account.publicKey]) }
            let relays = try await relays()
            guard !relays.isEmpty else { return nil as KeptKeyPackage? }
            let unsigned = try await store.newKeyPackage(at: relays)
            let event = try await context.signer.sign(unsigned.draft)
            let package = unsigned.published(by: event)
            // The private keys are on the disk before anybody can use the public ones.
            try await store.save(package)
            try await context.publishing.enqueue(event, only: relays)
            // Relays that were only guessed are not announced.
            if isListed, try await ownRelayList() == nil {
                // Who looks only where a list says finds it, too.
                let list = KeyPackageRelays(relays).draft(now: account.time.now())
                try await context.publishing.enqueue(try await context.signer.sign(list))
            }
            return package
        }
    }

    /// Whether our own list of relays (NIP-65) is known.
    private var isListed: Bool { gossip.router.lists[account.publicKey] != nil }

    private func ownRelayList() async throws -> KeyPackageRelays? {
        try await account.store.query([
            Filter(authors: [account.publicKey], kinds: [.keyPackageRelays], limit: 1)
        ]).first.flatMap { KeyPackageRelays($0) }
    }

    /// Where our key packages go: where our list says (kind 10051), else where we write (NIP-65).
    private func relays() async throws -> [RelayURL] {
        let router = gossip.router
        let listed = (try await ownRelayList()?.relays ?? []).filter { !router.blocked.contains($0) }
        var chosen = listed.isEmpty ? router.ownWrite : listed
        if listed.isEmpty, !isListed {
            // They stand in what is published: what nobody chose is told only where others reach it.
            let reached = chosen.filter(account.configuration.routing.othersReach)
            if !reached.isEmpty { chosen = reached }
        }
        return Array(chosen.prefix(Self.mostRelays))
    }

    // MARK: - Others'

    /// The newest usable key package of each of some people, looked up where they publish them.
    func published(by people: Set<PublicKey>) async throws -> [PublicKey: Event] {
        var found: [PublicKey: Event] = [:]
        for event in try await events(of: people) {
            // One that cannot be added is as good as none.
            guard (try? GenerationB().keyPackage(in: event, now: account.time.now())) != nil else { continue }
            if let known = found[event.pubkey], known.createdAt >= event.createdAt { continue }
            found[event.pubkey] = event
        }
        return found
    }

    /// The most key packages that are read of what relays give.
    private static let mostEvents = 2000

    /// What some people published of key packages, usable or not, where they publish them.
    func events(of people: Set<PublicKey>) async throws -> [Event] {
        await gossip.discover(people)
        try await gossip.learnRelayLists(of: people)
        let requests = whereToAsk(for: people, lists: try await relayLists(of: people))
        let questions = requests.mapValues {
            [Filter(authors: $0, kinds: [.keyPackage, .legacyKeyPackage], limit: Self.mostEvents)]
        }
        var found: [Event] = []
        for update in await gossip.collect(questions, deadline: account.configuration.deadlines.discovery) {
            guard case .events(let events, _) = update else { continue }
            found += events.lazy.filter { people.contains($0.pubkey) }.prefix(Self.mostEvents - found.count)
        }
        return found
    }

    private func whereToAsk(
        for people: Set<PublicKey>, lists: [PublicKey: KeyPackageRelays]
    ) -> [RelayURL: Set<PublicKey>] {
        let router = gossip.router
        var requests: [RelayURL: Set<PublicKey>] = [:]
        for person in people {
            let general = router.lists[person]?.write ?? []
            let chosen = lists[person].map(\.relays) ?? []
            let named = (chosen.isEmpty ? general : chosen).filter(router.trusts)
            // Who uses Whistle has published a key package, and no list that says where.
            let asked =
                named.isEmpty
                ? router.relays(about: person, limit: 3, now: account.time.now()) + router.ownWrite : named
            for relay in asked.uniqued().prefix(Self.mostRelays) { requests[relay, default: []].insert(person) }
        }
        return requests
    }

    private func relayLists(of people: Set<PublicKey>) async throws -> [PublicKey: KeyPackageRelays] {
        let router = gossip.router
        var asked: [RelayURL: Set<PublicKey>] = [:]
        for person in people {
            let written = router.relays(about: person, limit: 3, now: account.time.now())
            for relay in Set(router.indexers + written) { asked[relay, default: []].insert(person) }
        }
        let requests = asked.mapValues { [Filter(authors: $0, kinds: [.keyPackageRelays])] }
        await gossip.ask(requests, deadline: account.configuration.deadlines.discovery)
        let lists = try await account.store.query([Filter(authors: people, kinds: [.keyPackageRelays])])
        let pairs = lists.compactMap { event in KeyPackageRelays(event).map { (event.pubkey, $0) } }
        return Dictionary(pairs) { first, _ in first }
    }
}
