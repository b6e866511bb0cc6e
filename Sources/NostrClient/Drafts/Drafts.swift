internal import AsyncPrimitives
internal import Logging
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrSigner
internal import NostrStore

/// Drafts of notes: kept in the vault first, then on the relays for private content.
///
/// NIP-37 asks for the relays of kind 10013. Without such a list a draft stays on this machine: on any other relay
/// everybody could see that, when and for how long a person writes. Drafts of other programs are looked for on the
/// account's write relays too, and on well-known ones, since some put them there.
public actor Drafts: UnlockedService, DraftKeeping {
    /// How many a relay is asked for.
    private static let mostAsked = 200
    /// How many of the store are looked at.
    private static let most = 500

    nonisolated let context: AccountContext
    nonisolated let unlocked: UnlockedContext
    nonisolated let lists: Lists
    /// Rings when there may be relays that were not asked.
    nonisolated let relaysChanged = Doorbell()
    /// Relays that were asked for drafts since the unlock.
    private var asked: Set<RelayURL> = []
    /// Those of them that did not say all they have, and why.
    private(set) var unreached: [RelayURL: RelayEnding] = [:]
    private var seen: Set<EventID> = []

    init(_ unlocked: UnlockedContext, lists: Lists) {
        self.unlocked = unlocked
        context = unlocked.account
        self.lists = lists
    }

    /// Gathers drafts from the relays for private content, and the account's write relays; each is asked once.
    public func run() async {
        unlocked.gossip.ring(relaysChanged)
        defer { unlocked.gossip.ringNoMore(relaysChanged) }
        let changes = context.changes.listen()
        let bell = relaysChanged
        await withDiscardingTaskGroup { group in
            group.addTask {
                for await change in changes where change == .lists || change == .missed { bell.ring() }
            }
            while !Task.isCancelled {
                await gather()
                await bell.wait()
            }
        }
    }

    /// Forgets what was asked; nothing decrypted is kept here.
    public func wipe() {
        asked = []
        unreached = [:]
        seen = []
    }

    /// The drafts, the one written last first.
    public func drafts() async throws -> [NoteDraft] {
        try await unlocked.publishing.load()
        await keepNewer()
        let kept = try await unlocked.sealed.values(in: DraftRecord.table) { DraftRecord($0) }
        if kept.contains(nil) { context.log.error("a draft cannot be read") }
        let now = context.time.now()
        let checkpoints = Filter(authors: [context.publicKey], kinds: [DraftWrap.checkpointKind], limit: Self.most)
        let older = Set(try await context.store.query([checkpoints]).compactMap { DraftWrap($0)?.identifier })
        return kept.compactMap { $0 }
            .filter { $0.expires.map { $0 > now } ?? true }
            .compactMap(\.shown)
            .map { draft in
                var draft = draft
                draft.hasCheckpoints = older.contains(draft.id)
                return draft
            }
            .sorted { ($1.changedAt, $0.id) < ($0.changedAt, $1.id) }
    }

    /// Keeps a draft here, encrypted, and on the relays for private content (kind 10013).
    ///
    /// - Parameter id: the draft it replaces; `nil` for a new one.
    public func saveDraft(_ composition: Composition, id: String?) async throws -> NoteDraft {
        try await unlocked.publishing.load()
        let id = id ?? encodeHex(context.random.bytes(16))
        let previous = try await kept(id)?.changedAt
        let moment = max(context.time.now(), previous.map { $0 + .seconds(1) } ?? context.time.now())
        let unsigned = UnsignedDraft(composition.draft(at: moment), author: context.publicKey)
        let record = DraftRecord(
            id: id, changedAt: moment, expires: moment + DraftWrap.lifetime, text: unsigned.json)
        try await unlocked.sealed.apply([unlocked.sealed.put(record.bytes, at: recordAddress(of: id))])
        await lists.readInForce()
        if !unlocked.gossip.privateRelays.isEmpty { await publish(record, kind: unsigned.draft.kind) }
        context.changes.send(.lists)
        guard let shown = record.shown else { throw AccountError.empty }
        return shown
    }

    /// Deletes a draft everywhere.
    public func deleteDraft(_ id: String) async throws {
        try await unlocked.publishing.load()
        let address = context.ownAddress(DraftWrap.kind, id)
        let earlier = try await checkpointEvents(of: id)
        if let wrap = try await context.storedVersion(at: address), !wrap.content.isEmpty {
            await lists.readInForce()
            // A new version and a request: programs heed the one or the other.
            let kind = DraftWrap(wrap)?.draftKind ?? 1
            let blank = DraftWrap.draft(
                identifier: id, of: kind, payload: "", replacing: wrap.createdAt, now: context.time.now())
            let holders = try await context.store.relays(of: wrap.id).union(unlocked.gossip.privateRelays).sorted()
            let blanked = try await unlocked.publishing.send(blank, only: holders)
            _ = try await unlocked.publishing.sendDeletion(of: [blanked] + earlier, only: holders)
        } else if !earlier.isEmpty {
            _ = try await unlocked.publishing.sendDeletion(of: earlier, only: [])
        }
        try await unlocked.sealed.apply([unlocked.sealed.remove(recordAddress(of: id))])
        context.changes.send(.lists)
    }

    /// Puts what is kept here on the relays that have just been named.
    func publishKept() async throws {
        let records = try await unlocked.sealed.values(in: DraftRecord.table) { DraftRecord($0) }
        for record in records.compactMap(\.self) {
            let stored = try await context.storedVersion(at: context.ownAddress(DraftWrap.kind, record.id))
            // What came from a relay, or went to one, is there already.
            guard stored == nil, let kind = record.kind else { continue }
            await publish(record, kind: kind)
        }
    }

    /// Earlier states of a draft (kind 1234) that its writer's programs kept, the newest first.
    public func checkpoints(of id: String) async throws -> [NoteDraft] {
        try await unlocked.publishing.load()
        var found: [NoteDraft] = []
        for event in try await checkpointEvents(of: id) {
            guard let wrap = DraftWrap(event), !wrap.isDeleted, let text = try await opened(wrap) else { continue }
            let record = DraftRecord(id: event.id.hex, changedAt: wrap.changedAt, expires: wrap.expires, text: text)
            if let shown = record.shown { found.append(shown) }
        }
        return found
    }

    private func checkpointEvents(of id: String) async throws -> [Event] {
        let filter = Filter(
            authors: [context.publicKey], kinds: [DraftWrap.checkpointKind],
            tags: ["a": ["\(context.ownAddress(DraftWrap.kind, id))"]], limit: 50)
        return try await context.store.query([filter]).filter { DraftWrap($0)?.identifier == id }
            .sorted { ($1.createdAt, $0.id) < ($0.createdAt, $1.id) }
    }

    // It is safe here already; what relays say is told by receipts.
    private func publish(_ record: DraftRecord, kind: Kind) async {
        do {
            let payload = try await unlocked.signer.encrypt(record.text, for: context.publicKey, by: .nip44)
            var draft = DraftWrap.draft(
                identifier: record.id, of: kind, payload: payload, replacing: nil, now: record.changedAt)
            let stored = try await context.storedVersion(at: context.ownAddress(DraftWrap.kind, record.id))
            if let stored, stored.createdAt >= draft.createdAt { draft.createdAt = stored.createdAt + .seconds(1) }
            _ = try await unlocked.publishing.send(draft, only: unlocked.gossip.privateRelays)
        } catch {
            context.report("a draft could not be put on the relays", error)
        }
    }

    // MARK: Drafts of other devices

    private func gather() async {
        await lists.readInForce()
        let (gossip, now) = (unlocked.gossip, asked)
        let searched: [RelayURL]
        do {
            let typed = try await choice().searched
            gossip.use(typed: Set(typed ?? []), for: .drafts)
            searched = typed ?? context.configuration.draftRelays
        } catch {
            context.report("where drafts are searched for could not be read", error)
            searched = []
        }
        let relays = (gossip.privateRelays + gossip.router.ownWrite.prefix(4) + searched).uniqued()
            .filter { !now.contains($0) }
        guard !relays.isEmpty else { return }
        asked.formUnion(relays)
        // Each kind by itself: many checkpoints of one draft must not push another draft out.
        let filters = [DraftWrap.kind, DraftWrap.checkpointKind].map {
            Filter(authors: [context.publicKey], kinds: [$0], limit: Self.mostAsked)
        }
        await gossip.fetch(
            gossip.requests(filters, of: relays), deadline: context.configuration.deadlines.discovery
        ) { update in
            switch update {
            case .events(let events, let relay): await gossip.keep(events, from: relay)
            case .ended(let relay, let ending): await self.note(ending, of: relay)
            }
        }
        // A page that is open says why.
        if !unreached.isEmpty { context.changes.send(.lists) }
        await keepNewer()
    }

    private func note(_ ending: RelayEnding, of relay: RelayURL) {
        unreached[relay] = ending == .complete ? nil : ending
    }

    /// Those that did not answer may be asked again.
    func forgetUnreached() {
        asked.subtract(unreached.keys)
        unreached = [:]
    }

    /// Puts what relays sent into the vault, where it is newer than what is there; blank ones take drafts away.
    private func keepNewer() async {
        do {
            let filter = Filter(authors: [context.publicKey], kinds: [DraftWrap.kind], limit: Self.most)
            for event in try await context.store.query([filter]) where !seen.contains(event.id) {
                guard let wrap = DraftWrap(event) else { continue }
                // The same moment is this machine's own copy.
                if try await kept(wrap.identifier).map({ $0.changedAt < wrap.changedAt }) ?? !wrap.isDeleted {
                    try await keep(wrap)
                }
                seen.insert(event.id)
            }
        } catch {
            context.report("drafts could not be taken in", error)
        }
    }

    private func keep(_ wrap: DraftWrap) async throws {
        let address = recordAddress(of: wrap.identifier)
        if wrap.isDeleted {
            try await unlocked.sealed.apply([unlocked.sealed.remove(address)])
        } else {
            guard let text = try await opened(wrap) else { return }
            let record = DraftRecord(
                id: wrap.identifier, changedAt: wrap.changedAt, expires: wrap.expires, text: text)
            guard let unsigned = UnsignedDraft(json: text) else { return }
            try await unlocked.sealed.apply([
                unsigned.isBlank ? unlocked.sealed.remove(address) : unlocked.sealed.put(record.bytes, at: address)
            ])
        }
        context.changes.send(.lists)
    }

    /// The draft inside; `nil` for another program's that this key does not open, which stays on its relays as it is.
    private func opened(_ wrap: DraftWrap) async throws -> String? {
        do {
            return try await unlocked.signer.decrypt(wrap.payload, from: context.publicKey, by: .nip44)
        } catch let failure as SigningFailure {
            throw failure
        } catch {
            context.log.info("a draft cannot be decrypted")
            return nil
        }
    }

    private func kept(_ id: String) async throws -> DraftRecord? {
        try await unlocked.sealed.value(recordAddress(of: id)).flatMap(DraftRecord.init)
    }

    private func recordAddress(of id: String) -> SealedRecords.Address { SealedRecords.Address(DraftRecord.table, id) }
}
