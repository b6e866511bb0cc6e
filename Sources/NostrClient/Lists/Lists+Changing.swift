internal import AsyncPrimitives
public import NostrCore
internal import NostrNIPs
internal import NostrSigner
internal import NostrStore

/// Changing lists: the newest version is read from enough relays first, and nothing is written that cannot be read.
extension Lists {
    /// Changes a list: reads the newest version from enough relays, merges, and publishes.
    ///
    /// - Throws: ``AccountError`` with `newestUnknown`, `unreadable` or `wouldDrop`; nothing has changed then.
    public func change(_ kind: Kind, identifier: String, _ edit: ListEdit) async throws -> Event {
        let event = try await replaceable.change {
            try await apply(edit, toListAt: context.ownAddress(kind, identifier))
        }
        if let address = event.address { noteEdit(edit, at: address, in: event) }
        return event
    }

    /// Puts a relay on, or takes it off, the list of relays that are never contacted (kind 10006).
    public func setBlocked(_ relay: RelayURL, _ blocked: Bool) async throws -> Event {
        try await change(
            .blockedRelays, identifier: "", blocked ? .add(.relay(relay), isPrivate: false) : .remove(.relay(relay)))
    }

    /// One change, while no other is made.
    func apply(_ edit: ListEdit, toListAt address: EventAddress) async throws -> Event {
        let kind = address.kind
        guard let signer = publishing.signer else { throw AccountError.readOnly }
        guard PublicList.kinds.contains(kind) else { throw AccountError(.notAList, of: kind) }
        // Its entries say what each relay is for, which a list of relays does not hold: `OwnRelays` changes it.
        guard kind != RelayList.kind else { throw AccountError(.notAList, of: kind) }
        let newest = try await replaceable.newest(at: address)
        var editable = try await editable(newest, at: address)
        editable.apply(edit.fitting(kind))
        if let newest, editable.isUnchanged { return try await replaceable.adopt(newest) }
        try replaceable.refuseLargeLoss(editable.difference.dropped - editable.difference.added, of: kind)
        var content = editable.newContent
        if let text = content, !text.isEmpty {
            // Written over, words that are there would be lost.
            if editable.list.privatePart == .words { throw AccountError(.unreadable, of: kind) }
            content = try await signer.encrypt(text, for: context.publicKey, by: .nip44)
        }
        return try await publishing.send(editable.list.draft(now: context.time.now(), content: content))
    }

    private func editable(_ newest: Event?, at address: EventAddress) async throws -> EditableList {
        guard let newest else {
            let isSet = address.kind.retention == .addressable
            return EditableList(
                PublicList(kind: address.kind, identifier: isSet ? address.identifier : nil), PrivateItems())
        }
        guard let list = PublicList(newest) else { throw AccountError(.unreadable, of: address.kind) }
        switch await privateReading(of: newest) {
        case .none: return EditableList(list, PrivateItems())
        case .open(let items): return EditableList(list, items)
        case .locked: throw SigningFailure.locked
        case .unreadable: throw AccountError(.unreadable, of: address.kind)
        }
    }

    // MARK: Sets

    /// Makes a new set (kinds 30000 and up); its identifier is made of its title.
    public func makeSet(_ kind: Kind, title: String, summary: String) async throws -> Event {
        guard publishing.signer != nil else { throw AccountError.readOnly }
        guard kind.retention == .addressable, PublicList.kinds.contains(kind) else {
            throw AccountError(.notAList, of: kind)
        }
        return try await replaceable.change {
            let identifier = try await freeIdentifier(kind, for: title)
            var list = PublicList(kind: kind, identifier: identifier)
            list.rename(title: title, summary: summary)
            return try await publishing.send(list.draft(now: context.time.now()))
        }
    }

    // A set made twice under one name would take the first one's place.
    private func freeIdentifier(_ kind: Kind, for title: String) async throws -> String {
        let word = setIdentifier(title, now: context.time.now())
        for attempt in 1...20 {
            let candidate = attempt == 1 ? word : "\(word)-\(attempt)"
            let address = context.ownAddress(kind, candidate)
            if try await replaceable.newest(at: address) == nil { return candidate }
        }
        return "\(word)-\(encodeHex(context.random.bytes(4)))"
    }

    /// Deletes a set (NIP-09, by address).
    public func deleteSet(_ kind: Kind, identifier: String) async throws -> Event {
        guard kind.retention == .addressable, PublicList.kinds.contains(kind) else {
            throw AccountError(.notAList, of: kind)
        }
        return try await replaceable.change {
            let address = context.ownAddress(kind, identifier)
            guard let newest = try await replaceable.newest(at: address) else {
                throw AccountError(.unknownSet)
            }
            forgetEdits(at: newest.address)
            return try await publishing.sendDeletion(of: [newest])
        }
    }

    // MARK: Status and settings

    /// Sets the status (kind 30315); an empty text clears it.
    public func setStatus(_ text: String, link: String?, expires: Timestamp?) async throws -> Event {
        try await setStatus(text, type: UserStatus.general, link: link, expires: expires)
    }

    /// Sets the status of a type (`general`, `music`); an empty text clears it.
    public func setStatus(_ text: String, type: String, link: String?, expires: Timestamp?) async throws -> Event {
        try await replaceable.change {
            let newest = try await replaceable.newest(at: context.ownAddress(UserStatus.kind, type))
            return try await publishing.send(
                UserStatus.draft(
                    text, type: type, link: link, expires: expires, emoji: try await OwnEmoji(context).all,
                    replacing: newest?.createdAt, now: context.time.now()))
        }
    }

    /// What this or another program of the person keeps under a name (NIP-78, kind 30078), decrypted; `nil` without one.
    ///
    /// - Throws: ``AccountError`` with `unreadable`, or that the key is locked.
    public func appData(_ identifier: String) async throws -> String? {
        try await gossip.load()
        let address = context.ownAddress(AppData.kind, identifier)
        guard let event = try await context.storedVersion(at: address), !event.content.isEmpty else { return nil }
        guard let signer = publishing.signer else { throw AccountError.readOnly }
        do {
            return try await signer.decrypt(event.content, from: context.publicKey, by: .nip44)
        } catch let failure as SigningFailure {
            throw failure
        } catch {
            throw AccountError(.unreadable, of: AppData.kind)
        }
    }

    /// Keeps something under a name on the account's own relays, encrypted; reads the newest version first.
    ///
    /// - Throws: ``AccountError``; nothing has changed then.
    public func setAppData(_ identifier: String, _ text: String) async throws -> Event {
        try await replaceable.change {
            guard let signer = publishing.signer else { throw AccountError.readOnly }
            let newest = try await replaceable.newest(
                at: context.ownAddress(AppData.kind, identifier))
            let content = text.isEmpty ? "" : try await signer.encrypt(text, for: context.publicKey, by: .nip44)
            return try await publishing.send(
                AppData.draft(content, identifier: identifier, replacing: newest, now: context.time.now()))
        }
    }
}
