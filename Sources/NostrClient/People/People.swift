internal import AsyncPrimitives
public import NostrCore
public import NostrNIPs
internal import NostrStore
internal import Synchronization

/// People as the account sees them: profiles, whom it follows and mutes, where they write and read.
///
/// A class over one lock, since every page looks profiles up while it is put together.
public final class People: Sendable {
    private static let mostPagesAtOnce = 6

    let context: AccountContext
    let gossip: Gossip
    let mutes: MutesInForce
    let names: NameChecks
    private let cache = PersonCache()
    private let missing = Mutex<Set<PublicKey>>([])
    private let bell = Doorbell()
    private let pages: PendingRequests<PublicKey>

    init(_ context: AccountContext, gossip: Gossip, mutes: MutesInForce, names: NameChecks) {
        self.context = context
        self.gossip = gossip
        self.mutes = mutes
        self.names = names
        pages = PendingRequests(context.changes)
    }

    /// Looks up people that pages lack, until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                await self.pages.serve(atMost: Self.mostPagesAtOnce) { key in
                    await self.gossip.discoverPage(of: key)
                    return .person(key)
                }
            }
            group.addTask { await self.names.run { await self.claimedNames(of: $0) } }
            while !Task.isCancelled {
                await bell.wait()
                await context.time.pause(for: context.configuration.coalescing)
                let wanted = missing.withLock { missing in
                    defer { missing = [] }
                    return missing
                }
                if !wanted.isEmpty { group.addTask { await self.gossip.discover(wanted) } }
            }
        }
    }

    /// A person, for their page; asks relays for what is new.
    ///
    /// Of one who is muted only the key.
    public func person(_ key: PublicKey) async throws -> Person {
        try await person(key, evenMuted: false)
    }

    /// A person, for their page; asks relays for what is new.
    public func person(_ key: PublicKey, evenMuted: Bool) async throws -> Person {
        try await gossip.load()
        if gossip.shouldAsk(.person(key)) { pages.add(key) }
        try await gossip.learnRelayLists(of: [key])
        _ = await mutes.upToDate()
        await names.load()
        let fields = try await profiles(of: [key])[key]
        if let identifier = fields?["nip05"].flatMap(InternetIdentifier.init) {
            names.request(key, claiming: identifier)
        }
        var person = readingContext.person(key, fields: fields ?? [:], evenMuted: evenMuted)
        person.emoji = try await emoji(of: key)
        person.followingCount = try await cache.followCount(of: key, from: context.store)
        return person
    }

    /// A person as every page names them, from memory where they were read before.
    public func known(_ key: PublicKey) async throws -> Person {
        try await gossip.load()
        _ = await mutes.upToDate()
        await names.load()
        let fields = try await cache.profiles(of: [key], from: context.store, believesAbsence: true)[key]
        if fields?.isEmpty != false { request([key]) }
        if let identifier = fields?["nip05"].flatMap(InternetIdentifier.init) {
            names.request(key, claiming: identifier)
        }
        return readingContext.person(key, fields: fields ?? [:])
    }

    /// The emoji a person's profile brings along; bounded, since a profile is a stranger's.
    private func emoji(of key: PublicKey) async throws -> [CustomEmoji] {
        let filter = Filter(authors: [key], kinds: [ProfileMetadata.kind], limit: 1)
        return try await context.store.query([filter]).first.map { Array($0.tags.customEmoji.prefix(100)) } ?? []
    }

    /// Asks the domain once more whether the name a person claims is theirs.
    public func checkName(of key: PublicKey) async throws {
        guard let identifier = try await profiles(of: [key])[key]?["nip05"].flatMap(InternetIdentifier.init) else {
            return
        }
        names.request(key, claiming: identifier, isWanted: true)
    }

    /// The person a name at a domain leads to.
    ///
    /// - Throws: ``NameFailure``.
    public func named(_ identifier: InternetIdentifier) async throws -> Person {
        try await gossip.load()
        let pointer = try await names.find(identifier)
        return try await person(pointer.key)
    }

    /// The names some people claim at domains.
    private func claimedNames(of keys: Set<PublicKey>) async -> [PublicKey: InternetIdentifier] {
        // A store that cannot be read knows of none.
        let profiles = (try? await profiles(of: keys)) ?? [:]
        return profiles.compactMapValues { $0["nip05"].flatMap(InternetIdentifier.init) }
    }

    /// People whose name, NIP-05 or key starts with or contains the text, followed people first; for completion.
    public func matching(_ text: String, limit: Int) async throws -> [Person] {
        try await gossip.load()
        _ = await mutes.upToDate()
        return try await PeopleFinder(people: self)
            .people(matching: text, limit: min(max(limit, 1), 100), readingContext)
    }

    /// People as they are known here; relays are asked for those without a profile.
    package func persons(_ keys: Set<PublicKey>) async throws -> [PublicKey: Person] {
        let profiles = try await profiles(of: keys)
        let view = readingContext
        request(keys.filter { profiles[$0]?.isEmpty != false })
        return Dictionary(uniqueKeysWithValues: keys.map { ($0, view.person($0, fields: profiles[$0] ?? [:])) })
    }

    /// The fields of people's profiles; those whose profile is not in the store have none.
    package func profiles(of keys: Set<PublicKey>) async throws -> [PublicKey: [String: String]] {
        try await cache.profiles(of: keys, from: context.store)
    }

    /// The same from memory: somebody who had none when they were looked for last has none until one comes.
    ///
    /// For many people at once, of whom a good part never wrote one.
    func knownProfiles(of keys: Set<PublicKey>) async throws -> [PublicKey: [String: String]] {
        try await cache.profiles(of: keys, from: context.store, believesAbsence: true)
    }

    /// Asks relays for people's profiles, unless that was done a moment ago.
    func request(_ keys: Set<PublicKey>) {
        let open = keys.filter { gossip.shouldAsk(.person($0)) }
        guard !open.isEmpty else { return }
        missing.withLock { $0.formUnion(open) }
        bell.ring()
    }

    /// What a page needs to know to show people and notes, taken once.
    var readingContext: ReadingContext {
        ReadingContext(
            account: context.publicKey, follows: gossip.followed, lists: gossip.router.lists,
            now: context.time.now(), mutes: mutes.current, names: names)
    }

    /// An event was stored, by whatever way.
    func stored(_ event: Event) {
        // A deletion may take either out.
        if [ProfileMetadata.kind, FollowList.kind, DeletionRequest.kind].contains(event.kind) {
            cache.forget(event.pubkey)
        }
    }

    /// What is known of somebody went from the store.
    func forget(_ key: PublicKey) {
        cache.forget(key)
    }

    /// Changes of the store were missed.
    func forgetAll() {
        cache.forgetAll()
    }
}
