internal import AsyncPrimitives
internal import Logging
public import NostrCore
internal import NostrNIPs
internal import NostrSigner
internal import NostrStore
internal import Synchronization

/// The account's lists (NIP-51), status (NIP-38) and settings (NIP-78), and what follows from them: whom and what is
/// muted, which relays are blocked, which search.
///
/// Public parts are there while the account is locked; private ones are opened by its signer, and what was opened is
/// forgotten with `forgetPrivateParts()`. That needs no vault, so mutes hold also where the vault is damaged.
public actor Lists: ListKeeping {
    /// Lists the account acts on beside showing them.
    static let actedOn: Set<Kind> = [.muteList, .blockedRelays, .searchRelays, .privateRelays]

    nonisolated let context: AccountContext
    nonisolated let gossip: Gossip
    nonisolated let publishing: Publishing
    nonisolated let replaceable: ReplaceableEvents

    /// Rings when a list may have changed, or an edit may be lost.
    nonisolated let changed = Doorbell()
    /// What is muted, for everything that shows notes and messages.
    nonisolated let mutesInForce: MutesInForce
    private let reading = SerialGate()
    /// Counts changes of the lists the account acts on, and of its lock.
    private var version = 1
    /// Which of these was read last.
    private var versionRead = 0
    /// What was decrypted since the key came; another one each time it goes.
    private var privateParts = PrivateParts()
    var recentEdits: [RecentEdit] = []
    /// What lists are called: every page of a timeline asks.
    private var knownHeadings: [ListHeading]?
    /// Counts what makes them others.
    private var headingsChanged = 0
    /// What was kept last of the relays that are blocked.
    private var blockedOnDisk: BlockedRelays?

    init(
        _ context: AccountContext, gossip: Gossip, publishing: Publishing, replaceable: ReplaceableEvents,
        mutes: MutesInForce
    ) {
        mutesInForce = mutes
        self.context = context
        self.gossip = gossip
        self.publishing = publishing
        self.replaceable = replaceable
        gossip.ring(changed)
    }

    /// Keeps what follows from lists up to date until cancelled.
    func run() async {
        while !Task.isCancelled {
            await readInForce()
            await redoLostEdits()
            await changed.wait()
        }
    }

    // MARK: Reading

    /// Every list there is, as the store knows it; private parts are opened when the account is unlocked.
    public func lists() async throws -> [PersonalList] {
        try await gossip.load()
        var lists: [PersonalList] = []
        for event in try await context.store.query([Filter(authors: [context.publicKey], kinds: PublicList.kinds)]) {
            guard let list = PublicList(event) else { continue }
            lists.append(PersonalList(event, list, await privateReading(of: event)))
        }
        return lists.sorted { a, b in
            (a.address.kind, a.title.lowercased(), a.address.identifier)
                < (b.address.kind, b.title.lowercased(), b.address.identifier)
        }
    }

    /// What lists of some kinds are called, without what stands on them; the store is asked after a change alone.
    public func headings(of kinds: Set<Kind>) async throws -> [ListHeading] {
        try await gossip.load()
        if let knownHeadings { return knownHeadings.filter { kinds.contains($0.address.kind) } }
        let before = headingsChanged
        let events = try await context.store.query([Filter(authors: [context.publicKey], kinds: PublicList.kinds)])
        let found = events.compactMap { event -> ListHeading? in
            guard let list = PublicList(event), let address = event.address else { return nil }
            return ListHeading(address: address, title: list.title ?? "")
        }.sorted {
            ($0.address.kind, $0.title.lowercased(), $0.address.identifier)
                < ($1.address.kind, $1.title.lowercased(), $1.address.identifier)
        }
        if headingsChanged == before { knownHeadings = found }
        return found.filter { kinds.contains($0.address.kind) }
    }

    /// One list; an empty one when there is none yet.
    public func list(_ kind: Kind, identifier: String) async throws -> PersonalList {
        try await gossip.load()
        let address = context.ownAddress(kind, identifier)
        guard let event = try await context.storedVersion(at: address), let list = PublicList(event) else {
            return PersonalList(address: address)
        }
        return PersonalList(event, list, await privateReading(of: event))
    }

    /// Opens the private part of a list, or says why it cannot be.
    func privateReading(of event: Event) async -> PrivateReading {
        let cipher: ContentCipher
        switch PublicList(event)?.privatePart ?? .none {
        case .none, .words: return .none
        case .nip44: cipher = .nip44
        case .nip04: cipher = .nip04
        }
        let parts = privateParts
        if let known = parts[event.id] { return known }
        guard let signer = publishing.signer, event.pubkey == context.publicKey else { return .locked }
        let reading: PrivateReading
        do {
            let text = try await signer.decrypt(event.content, from: context.publicKey, by: cipher)
            reading = PrivateItems(json: text).map { .open($0) } ?? .unreadable
        } catch is SigningFailure {
            return .locked
        } catch {
            context.log.info(
                "the private part of a list cannot be decrypted", metadata: ["kind": "\(event.kind.rawValue)"])
            reading = .unreadable
        }
        // Locked meanwhile: what was decrypted is dropped.
        guard parts === privateParts else { return .locked }
        parts[event.id] = reading
        return reading
    }

    // MARK: What is in force

    /// What the account does not want to see, from the mute list and whatever else mutes.
    public func mutes() async -> Mutes {
        await readInForce()
        return mutesInForce.current
    }

    /// Reads the lists the account acts on once more, both parts, after one of them or the lock changed.
    func readInForce() async {
        guard versionRead != version else { return }
        await reading.run {
            // What changes while this waits asks for another reading.
            let version = self.version
            guard versionRead != version else { return }
            do {
                try await gossip.load()
                var found: [Kind: (list: PublicList, reading: PrivateReading)] = [:]
                let filter = Filter(authors: [context.publicKey], kinds: Self.actedOn)
                for event in try await context.store.query([filter]) {
                    guard let list = PublicList(event) else { continue }
                    found[event.kind] = (list, await privateReading(of: event))
                }
                act(on: found)
                try await rememberBlocked()
                versionRead = version
            } catch {
                context.report("own lists could not be read from disk", error)
            }
        }
    }

    private func act(on found: [Kind: (list: PublicList, reading: PrivateReading)]) {
        func items(_ kind: Kind) -> [ListItem] {
            guard let (list, reading) = found[kind] else { return [] }
            return list.items + (reading.items?.items ?? [])
        }
        let mutes = Mutes(items(.muteList), owner: context.publicKey)
        if mutesInForce.use(mutes) { context.changes.send(.mutes) }
        var blocked = BlockedRelays(items(.blockedRelays).relays)
        // A relay that must never be contacted stays so while the key is locked, or the private part cannot be read.
        switch found[.blockedRelays]?.reading {
        case .locked, .unreadable: blocked = gossip.router.blocked.adding(blocked.relays)
        case .open, .some(.none), nil: break
        }
        gossip.use(
            blocked: blocked, search: items(.searchRelays).relays, privateRelays: items(.privateRelays).relays)
    }

    /// Keeps what is blocked for the next start, when the private part of the list may be closed.
    private func rememberBlocked() async throws {
        let blocked = gossip.router.blocked
        guard blocked != blockedOnDisk else { return }
        if !blocked.isEmpty || blockedOnDisk != nil {
            try await BlockedRelayRecords(context.records).save(blocked.marked(salt: context.random.bytes(32)))
        }
        blockedOnDisk = blocked
    }

    // MARK: What happens

    /// An event of the account's own was stored, perhaps from another device.
    func stored(_ event: Event) {
        if event.pubkey == context.publicKey, event.kind == 5 || PublicList.kinds.contains(event.kind) {
            forgetHeadings()
        }
        guard event.pubkey == context.publicKey,
            Gossip.ownKinds.contains(event.kind) || event.kind == DraftWrap.kind
        else { return }
        if Self.actedOn.contains(event.kind) {
            didChange()
        } else if mayHaveLostEdits(in: event) {
            changed.ring()
        }
        context.changes.send(.lists)
    }

    /// One of the lists the account acts on may have changed, or can be opened now.
    func didChange() {
        forgetHeadings()
        version += 1
        changed.ring()
    }

    private func forgetHeadings() {
        knownHeadings = nil
        headingsChanged += 1
    }

    /// Forgets everything that was decrypted.
    func forgetPrivateParts() {
        privateParts = PrivateParts()
        didChange()
        context.changes.send(.lists)
    }
}

/// The private parts of lists that were decrypted since the key came, in memory only.
private final class PrivateParts: Sendable {
    /// For so many versions.
    private static let most = 512
    private let readings = Mutex<[EventID: PrivateReading]>([:])

    subscript(_ id: EventID) -> PrivateReading? {
        get { readings.withLock { $0[id] } }
        set {
            readings.withLock { readings in
                if readings.count >= Self.most { readings = [:] }
                readings[id] = newValue
            }
        }
    }
}

extension [ListItem] {
    /// The relays among the items, in order, each once.
    var relays: [RelayURL] {
        compactMap { if case .relay(let relay) = $0 { relay } else { nil } }.uniqued()
    }
}
