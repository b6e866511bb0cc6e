internal import Logging
internal import NostrCore
internal import NostrNIPs
internal import NostrSigner
internal import NostrStore

/// One's lists as the store has them, and what the account itself takes from them.
extension LiveAccount {
    /// Lists the account acts on beside showing them.
    static let listsActedOn: Set<Kind> = [.muteList, .blockedRelays, .searchRelays, .privateRelays]
    /// Decrypted private parts are remembered for so many versions, in memory only.
    private static let mostReadings = 512

    func personalLists() async throws -> [PersonalList] {
        try await load()
        var lists: [PersonalList] = []
        for event in try await store.query([Filter(authors: [publicKey], kinds: PublicList.kinds)]) {
            guard let list = PublicList(event) else { continue }
            lists.append(PersonalList(event, list, await privateReading(of: event)))
        }
        return lists.sorted { a, b in
            (a.address.kind, a.title.lowercased(), a.address.identifier)
                < (b.address.kind, b.title.lowercased(), b.address.identifier)
        }
    }

    func personalList(_ kind: Kind, identifier: String) async throws -> PersonalList {
        try await load()
        let address = ownAddress(kind, identifier)
        guard let event = try await storedVersion(at: address), let list = PublicList(event) else {
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
        if let known = privateReadings[event.id] { return known }
        guard let signer, event.pubkey == publicKey else { return .locked }
        let generation = vaultGeneration
        let reading: PrivateReading
        do {
            let text = try await signer.decrypt(event.content, from: publicKey, by: cipher)
            reading = PrivateItems(json: text).map { .open($0) } ?? .unreadable
        } catch is SigningFailure {
            return .locked
        } catch {
            log.info("the private part of a list cannot be decrypted", metadata: ["kind": "\(event.kind.rawValue)"])
            reading = .unreadable
        }
        // Locked meanwhile: what was decrypted is not kept.
        guard generation == vaultGeneration else { return .locked }
        if privateReadings.count >= Self.mostReadings { privateReadings = [:] }
        privateReadings[event.id] = reading
        return reading
    }

    /// What one does not want to see.
    public func mutes() async -> Mutes {
        await readOwnLists()
        return services.mutes.current
    }

    /// Reads the lists the account acts on once more, both parts, after one of them or the lock changed.
    func readOwnLists() async {
        guard ownListsRead != ownListsState else { return }
        await readingLists.take {
            // What changes while this waits asks for another reading.
            let state = ownListsState
            guard ownListsRead != state else { return }
            do {
                try await load()
                var found: [Kind: (list: PublicList, reading: PrivateReading)] = [:]
                for event in try await store.query([Filter(authors: [publicKey], kinds: Self.listsActedOn)]) {
                    guard let list = PublicList(event) else { continue }
                    found[event.kind] = (list, await privateReading(of: event))
                }
                act(on: found)
                ownListsRead = state
            } catch {
                report("own lists could not be read from disk", error)
            }
        }
    }

    private func act(on found: [Kind: (list: PublicList, reading: PrivateReading)]) {
        func items(_ kind: Kind) -> [ListItem] {
            guard let (list, reading) = found[kind] else { return [] }
            return list.items + (reading.items?.items ?? [])
        }
        let mutes = Mutes(items(.muteList), owner: publicKey)
        if services.mutes.use(mutes) { feed.send(.mutes) }
        var blocked = Set(items(.blockedRelays).relays)
        // A relay that must never be contacted stays so while the key is locked.
        if found[.blockedRelays]?.reading == .locked { blocked.formUnion(router.blocked) }
        gossip.use(
            blocked: blocked, search: items(.searchRelays).relays, privateRelays: items(.privateRelays).relays)
    }

    /// One of the lists the account acts on may have changed.
    func ownListsDidChange() {
        ownListsState += 1
        listsSignal.ring()
    }

    /// Keeps what is taken from lists up to date, and drafts in step, until cancelled.
    func keepLists() async {
        while !Task.isCancelled {
            await readOwnLists()
            await gatherDrafts()
            await redoLostEdits()
            await listsSignal.wait()
        }
    }

    /// Forgets everything that was decrypted.
    func forgetPrivateParts() {
        privateReadings = [:]
        ownListsDidChange()
        feed.send(.lists)
    }
}

extension [ListItem] {
    /// The relays among the items, in order, each once.
    var relays: [RelayURL] {
        compactMap { if case .relay(let relay) = $0 { relay } else { nil } }.uniqued()
    }
}
