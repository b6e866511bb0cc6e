public import NostrCore
internal import NostrNIPs
internal import NostrSigner
internal import NostrStore

/// Changing lists: the newest version is read from enough relays first, and nothing is written that cannot be read.
extension LiveAccount {
    func changeList(_ kind: Kind, identifier: String, _ edit: ListEdit) async throws -> Event {
        let event = try await changingLists.take {
            try await apply(edit, toListAt: ownAddress(kind, identifier))
        }
        if let address = event.address { noteEdit(edit, at: address, in: event) }
        return event
    }

    /// One change, inside a turn.
    func apply(_ edit: ListEdit, toListAt address: EventAddress) async throws -> Event {
        let kind = address.kind
        guard let signer else { throw AccountError.readOnly }
        guard PublicList.kinds.contains(kind) else { throw AccountError.noList(kind) }
        let newest = try await newest(at: address, called: kind.listName)
        var editable = try await editable(newest, at: address)
        editable.apply(edit)
        if let newest, editable.isUnchanged { return try await adopt(newest) }
        try refuseLargeLoss(editable.difference.dropped - editable.difference.added, of: kind.listName)
        var content = editable.newContent
        if let text = content, !text.isEmpty {
            // Written over, words that are there would be lost.
            if editable.list.privatePart == .words { throw AccountError.unreadable(kind.listName) }
            content = try await signer.encrypt(text, for: publicKey, by: .nip44)
        }
        return try await send(editable.list.draft(now: time.now(), content: content))
    }

    private func editable(_ newest: Event?, at address: EventAddress) async throws -> EditableList {
        guard let newest else {
            let isSet = address.kind.retention == .addressable
            return EditableList(
                PublicList(kind: address.kind, identifier: isSet ? address.identifier : nil), PrivateItems())
        }
        guard let list = PublicList(newest) else { throw AccountError.unreadable(address.kind.listName) }
        switch await privateReading(of: newest) {
        case .none: return EditableList(list, PrivateItems())
        case .open(let items): return EditableList(list, items)
        case .locked: throw SigningFailure.locked
        case .unreadable: throw AccountError.unreadable(address.kind.listName)
        }
    }

    func makeSet(_ kind: Kind, title: String, summary: String) async throws -> Event {
        guard canSign else { throw AccountError.readOnly }
        guard kind.retention == .addressable, PublicList.kinds.contains(kind) else { throw AccountError.noList(kind) }
        return try await changingLists.take {
            let identifier = try await freeIdentifier(kind, for: title)
            var list = PublicList(kind: kind, identifier: identifier)
            list.rename(title: title, summary: summary)
            return try await send(list.draft(now: time.now()))
        }
    }

    // A set made twice under one name would take the first one's place.
    private func freeIdentifier(_ kind: Kind, for title: String) async throws -> String {
        let word = setIdentifier(title, now: time.now())
        for attempt in 1...20 {
            let candidate = attempt == 1 ? word : "\(word)-\(attempt)"
            let address = ownAddress(kind, candidate)
            if try await newest(at: address, called: kind.listName) == nil { return candidate }
        }
        return "\(word)-\(encodeHex(drawBytes(4)))"
    }

    func deleteSet(_ kind: Kind, identifier: String) async throws -> Event {
        guard kind.retention == .addressable, PublicList.kinds.contains(kind) else { throw AccountError.noList(kind) }
        return try await changingLists.take {
            guard let newest = try await newest(at: ownAddress(kind, identifier), called: kind.listName) else {
                throw AccountError(.unknownEvent, "There is no such set any more.")
            }
            recentEdits.removeAll { $0.address == newest.address }
            return try await sendDeletion(of: [newest])
        }
    }

    func setStatus(_ text: String, link: String?, expires: Timestamp?) async throws -> Event {
        try await changingLists.take {
            let address = ownAddress(UserStatus.kind, UserStatus.general)
            let newest = try await newest(at: address, called: "status")
            return try await send(
                UserStatus.draft(
                    text, link: link, expires: expires, replacing: newest?.createdAt, now: time.now()))
        }
    }

    /// What this or another program of the person keeps under a name (NIP-78, kind 30078), decrypted; `nil` without one.
    ///
    /// - Throws: ``AccountError`` with `unreadable`, or that the key is locked.
    public func appData(_ identifier: String) async throws -> String? {
        try await load()
        guard let event = try await storedVersion(at: ownAddress(AppData.kind, identifier)), !event.content.isEmpty
        else { return nil }
        guard let signer else { throw AccountError.readOnly }
        do {
            return try await signer.decrypt(event.content, from: publicKey, by: .nip44)
        } catch let failure as SigningFailure {
            throw failure
        } catch {
            throw AccountError.unreadable("settings on the relays")
        }
    }

    /// Keeps something under a name on one's own relays, encrypted; reads the newest version first.
    ///
    /// - Throws: ``AccountError``; nothing has changed then.
    public func setAppData(_ identifier: String, _ text: String) async throws -> Event {
        try await changingLists.take {
            guard let signer else { throw AccountError.readOnly }
            let newest = try await newest(at: ownAddress(AppData.kind, identifier), called: "settings on the relays")
            let content = text.isEmpty ? "" : try await signer.encrypt(text, for: publicKey, by: .nip44)
            return try await send(
                AppData.draft(content, identifier: identifier, replacing: newest, now: time.now()))
        }
    }
}

/// The identifier of a set by its title: lowercase letters and digits of ASCII, one hyphen for all else between them.
///
/// A title without any such letter gives `set-` and the moment.
func setIdentifier(_ title: String, now: Timestamp) -> String {
    var word: [UInt8] = []
    for byte in title.lowercased().utf8 {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): word.append(byte)
        default: if word.last != UInt8(ascii: "-"), !word.isEmpty { word.append(UInt8(ascii: "-")) }
        }
    }
    while word.last == UInt8(ascii: "-") { word.removeLast() }
    return word.isEmpty ? "set-\(now.seconds)" : String(decoding: word.prefix(64), as: UTF8.self)
}

extension Kind {
    /// What a person calls the list.
    var listName: String {
        switch self {
        case 0: "profile"
        case 3: "follow list"
        case RelayList.kind: "relay list"
        case .muteList: "mute list"
        case .pinnedNotes: "pinned notes"
        case .bookmarks, .bookmarkSets: "bookmarks"
        case .blockedRelays: "list of blocked relays"
        case .searchRelays: "list of search relays"
        case .privateRelays: "list of private relays"
        case .directMessageRelays: "list of inbox relays"
        case .emojiList, .emojiSets: "emoji"
        case .interests, .interestSets: "topics"
        default: "list"
        }
    }
}

extension AccountError {
    static func unreadable(_ name: String) -> AccountError {
        AccountError(
            .unreadable,
            "The private part of your \(name) cannot be read with this key, so a change could destroy it. Nothing was "
                + "changed.")
    }

    static func noList(_ kind: Kind) -> AccountError {
        AccountError(.unreadable, "Kind \(kind.rawValue) is no list that can be changed.")
    }
}
