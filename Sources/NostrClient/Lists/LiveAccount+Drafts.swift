internal import Logging
internal import NostrCore
internal import NostrNIPs
internal import NostrSigner
internal import NostrStore

/// Drafts: kept in the vault first, then on the relays for private content.
///
/// NIP-37 asks for the relays of kind 10013. Without such a list a draft stays on this machine: on any other relay
/// everybody could see that, when and how long one writes. Drafts of other programs are looked for on one's write relays
/// too, since some put them there.
extension LiveAccount {
    private static let mostDrafts = 500

    func drafts() async throws -> [NoteDraft] {
        try await load()
        guard let sealed else { throw SigningFailure.locked }
        await takeInDrafts()
        let kept = try await sealed.values(in: DraftRecord.table) { DraftRecord($0) }
        if kept.contains(nil) { log.error("a draft cannot be read") }
        let now = time.now()
        return kept.compactMap { $0 }
            .filter { $0.expires.map { $0 > now } ?? true }
            .compactMap(\.shown)
            .sorted { ($1.changedAt, $0.id) < ($0.changedAt, $1.id) }
    }

    func saveDraft(_ composition: Composition, id: String?) async throws -> NoteDraft {
        try await load()
        guard let sealed else { throw SigningFailure.locked }
        let id = id ?? encodeHex(drawBytes(16))
        let previous = try await sealed.value(place(of: id)).flatMap(DraftRecord.init)?.changedAt
        let moment = max(time.now(), previous.map { $0 + .seconds(1) } ?? time.now())
        let unsigned = UnsignedDraft(composition.draft(at: moment), author: publicKey)
        let record = DraftRecord(
            id: id, changedAt: moment, expires: moment + DraftWrap.lifetime, text: unsigned.json)
        try await sealed.apply([sealed.put(record.bytes, at: place(of: id))])
        await readOwnLists()
        if !privateRelays.isEmpty { await publishDraft(record, kind: unsigned.draft.kind) }
        feed.send(.lists)
        guard let shown = record.shown else { throw AccountError.empty }
        return shown
    }

    // It is safe here already; what relays say is told by receipts.
    private func publishDraft(_ record: DraftRecord, kind: Kind) async {
        do {
            guard let signer else { return }
            let payload = try await signer.encrypt(record.text, for: publicKey, by: .nip44)
            var draft = DraftWrap.draft(
                identifier: record.id, of: kind, payload: payload, replacing: nil, now: record.changedAt)
            let stored = try await storedVersion(at: ownAddress(DraftWrap.kind, record.id))
            if let stored, stored.createdAt >= draft.createdAt { draft.createdAt = stored.createdAt + .seconds(1) }
            _ = try await send(draft, only: privateRelays)
        } catch {
            report("a draft could not be put on the relays", error)
        }
    }

    func deleteDraft(_ id: String) async throws {
        try await load()
        guard let sealed else { throw SigningFailure.locked }
        if let wrap = try await storedVersion(at: ownAddress(DraftWrap.kind, id)), !wrap.content.isEmpty {
            await readOwnLists()
            let kind = DraftWrap(wrap)?.draftKind ?? 1
            let blank = DraftWrap.draft(
                identifier: id, of: kind, payload: "", replacing: wrap.createdAt, now: time.now())
            let holders = try await store.relays(of: wrap.id).union(privateRelays)
            let blanked = try await send(blank, only: holders.sorted())
            _ = try await sendDeletion(of: [blanked], only: holders.sorted())
        }
        try await sealed.apply([sealed.remove(place(of: id))])
        feed.send(.lists)
    }

    /// Asks the relays for private content, and one's write relays, for drafts; each once per unlocking.
    func gatherDrafts() async {
        guard sealed != nil else { return }
        let relays = (privateRelays + router.ownWrite.prefix(4)).uniqued().filter { !draftsGathered.contains($0) }
        guard !relays.isEmpty else { return }
        draftsGathered.formUnion(relays)
        let filter = Filter(authors: [publicKey], kinds: [DraftWrap.kind], limit: Self.mostDrafts)
        await ask(requests([filter], of: relays), deadline: configuration.deadlines.discovery)
        await takeInDrafts()
    }

    /// Puts what relays sent into the vault, where it is newer than what is there; blank ones take drafts away.
    private func takeInDrafts() async {
        guard let sealed, let signer else { return }
        do {
            let filter = Filter(authors: [publicKey], kinds: [DraftWrap.kind], limit: Self.mostDrafts)
            for event in try await store.query([filter]) where !draftsSeen.contains(event.id) {
                guard let wrap = DraftWrap(event) else { continue }
                let kept = try await sealed.value(place(of: wrap.identifier)).flatMap(DraftRecord.init)
                // The same moment is this machine's own copy.
                if kept.map({ $0.changedAt < wrap.changedAt }) ?? !wrap.isDeleted {
                    try await takeIn(wrap, sealed, signer)
                }
                draftsSeen.insert(event.id)
            }
        } catch {
            report("drafts could not be taken in", error)
        }
    }

    private func takeIn(_ wrap: DraftWrap, _ sealed: SealedRecords, _ signer: any EventSigner) async throws {
        if wrap.isDeleted {
            try await sealed.apply([sealed.remove(place(of: wrap.identifier))])
        } else {
            let text: String
            do {
                text = try await signer.decrypt(wrap.payload, from: publicKey, by: .nip44)
            } catch let failure as SigningFailure {
                throw failure
            } catch {
                // Another program's draft that this key does not open stays on its relays as it is.
                log.info("a draft cannot be decrypted")
                return
            }
            let record = DraftRecord(
                id: wrap.identifier, changedAt: wrap.changedAt, expires: wrap.expires, text: text)
            guard record.shown != nil else { return }
            try await sealed.apply([sealed.put(record.bytes, at: place(of: wrap.identifier))])
        }
        feed.send(.lists)
    }

    private func place(of id: String) -> SealedRecords.Place { SealedRecords.Place(DraftRecord.table, id) }
}
