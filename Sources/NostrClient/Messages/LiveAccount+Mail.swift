internal import Logging
internal import NostrCore
internal import NostrNIPs
internal import NostrSigner
internal import NostrStore

/// What happens to messages when the key comes and goes, and which relays they come from.
extension LiveAccount {
    /// The relays one's own wraps are read from: the inbox list, else where one reads (NIP-65).
    var mailRelays: [RelayURL] {
        let listed = gossip.inbox.filter { !router.blocked.contains($0) }
        return Array((listed.isEmpty ? router.ownRead : listed).prefix(6))
    }

    /// The vault is open: reads the summaries, takes up what was on its way, opens what came while it was closed.
    func mailDidUnlock(_ sealed: SealedRecords) async {
        mail.isOpening = true
        feed.send(.messaging)
        do {
            try await mailbox.unlock(sealed)
            try await loadOutbox(sealed)
            try await openWaiting()
            for room in try await mailbox.dropExpired(now: time.now()) { feed.send(.conversation(room)) }
        } catch {
            report("messages could not be read from disk", error)
        }
        mail.isOpening = false
        mail.epoch += 1
        for relay in mailRelays { await context.network.refreshConsent(of: relay) }
        unlocking.ring()
        attending.ring()
        mailing.ring()
    }

    /// The key is gone: what was decrypted is forgotten.
    ///
    /// What is on its way goes on, as it is encrypted.
    func mailDidLock() async {
        await mailbox.lock()
        mail.isOpening = false
    }

    private func loadOutbox(_ sealed: SealedRecords) async throws {
        for id in mail.unsaved { for parcel in mail.outbox.parcels(of: id) { await keep(parcel) } }
        mail.unsaved = []
        guard !mail.isOutboxLoaded else { return }
        let found = try await sealed.values(in: ParcelRecord.waiting) { bytes in
            // One damaged parcel must not keep the others.
            try? ParcelRecord.decode(bytes)
        }
        for case let parcel? in found { mail.outbox.insert(parcel) }
        if found.contains(where: { $0 == nil }) { log.error("a queued message could not be read back") }
        mail.isOutboxLoaded = true
    }

    /// Writes down how a parcel stands.
    func keep(_ parcel: Parcel) async {
        guard let sealed else {
            if let rumor = parcel.rumor { mail.unsaved.insert(rumor) }
            return
        }
        do {
            try await sealed.apply(try ParcelRecord.changes(for: parcel, in: sealed))
            mail.outbox.forget(parcel.delivery.event.id)
        } catch {
            // Lost is only the answer: after a restart the relay is asked again and says that it has the wrap.
            report("a receipt could not be kept", error)
        }
    }
}
