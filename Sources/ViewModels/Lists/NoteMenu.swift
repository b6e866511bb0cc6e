public import NostrClient
public import NostrCore
internal import NostrNIPs

/// What can be done with a note beyond answering it, and what is done already.
public struct NoteMenu: Hashable, Sendable {
    /// The note.
    public let note: NoteItem
    /// The first note of its conversation.
    public let conversation: EventID
    /// Whether its author is muted.
    public let isAuthorMuted: Bool
    /// Whether its conversation is muted.
    public let isConversationMuted: Bool
    /// Whether it is kept; `false` when the private part cannot be read and the public one does not have it.
    public let isBookmarked: Bool
    /// Whether it is pinned on top of the account's profile.
    public let isPinned: Bool
    /// What others can be given of it.
    public let copies: Copies

    /// A note as text to be copied.
    public struct Copies: Hashable, Sendable {
        /// A `nostr:` link with where it can be found (NIP-21).
        public let link: String
        /// Its id, in hex.
        public let id: String
        /// The signed event.
        public let json: String

        init(_ event: Event) {
            // An article, or a film that can change, is named by its address, so that the link leads to a later version
            // too; one whose identifier is too long for that is named by its id.
            let article =
                NoteKinds.timelines.contains(event.kind)
                ? event.address.map { NostrEntity.naddr(AddressPointer(address: $0)) } : nil
            let plain = NostrEntity.nevent(EventPointer(event))
            link = "nostr:" + ((try? article?.encoded()) ?? (try? plain.encoded()) ?? event.id.hex)
            id = event.id.hex
            json = String(decoding: event.json, as: UTF8.self)
        }
    }
}

/// A mark the person puts on a note.
public enum NoteMark: String, Hashable, Sendable, CaseIterable {
    /// Stops following its author.
    case unfollow
    /// Hides everything its author writes.
    case mutePerson = "mute-person"
    /// Hides its conversation.
    case muteConversation = "mute-conversation"
    /// Keeps it, privately.
    case bookmark
    /// Pins it on top of the account's profile.
    case pin
}

/// What the account's lists say about a person.
public struct PersonMarks: Hashable, Sendable {
    /// A follow set, and whether the person is in it.
    public struct Membership: Hashable, Sendable, Identifiable {
        /// The set's identifier.
        public let identifier: String
        /// What it is called.
        public let title: String
        /// Whether the person is in it.
        public let isMember: Bool

        public var id: String { identifier }
    }

    /// Whether the person is muted.
    public let isMuted: Bool
    /// One's follow sets.
    public let sets: [Membership]
}

extension NoteMenu {
    /// What can be done with a note; `nil` when nobody has it.
    public static func load(_ id: EventID, of account: any Account) async throws(Trouble) -> NoteMenu? {
        do {
            guard let found = try await account.timeline.named(id), let note = NoteItem(found, own: account.publicKey)
            else { return nil }
            guard let lists = account.lists else { return nil }
            let mutes = await lists.mutes()
            let bookmarks = try await lists.list(.bookmarks, identifier: "")
            let pins = note.isOwn ? try await lists.list(.pinnedNotes, identifier: "") : nil
            let root = firstNote(of: found.event)
            return NoteMenu(
                note: note, conversation: root, isAuthorMuted: mutes.people.contains(note.author.key),
                isConversationMuted: mutes.threads.contains(root) || mutes.threads.contains(id),
                isBookmarked: bookmarks.contains(keepsake(found.event)),
                isPinned: pins?.contains(.event(EventPointer(id: id))) ?? false, copies: Copies(found.event))
        } catch {
            throw Trouble(error)
        }
    }

}

extension NoteMark {
    /// Puts the mark on a note or takes it off.
    ///
    /// - Returns: what was done, in one sentence.
    public func put(_ isOn: Bool, on id: EventID, of account: any Account) async throws(Trouble) -> String {
        do {
            guard let found = try await account.timeline.named(id) else {
                throw Trouble(MarkWords.noteMissing)
            }
            switch self {
            case .unfollow:
                _ = try await account.follows.set(found.event.pubkey, !isOn)
                return MarkWords.unfollowed(PersonItem(found.author).name, isOn)
            case .mutePerson:
                let key = found.event.pubkey
                try await PersonMarks.setMuted(key, isOn, of: account)
                let name = PersonItem(found.author).name
                return MarkWords.muted(name, isOn)
            case .muteConversation:
                let first = EventPointer(id: firstNote(of: found.event))
                try await set(.event(first), on: .muteList, isOn, of: account)
                return MarkWords.conversationMuted(isOn)
            case .bookmark:
                try await set(keepsake(found.event), on: .bookmarks, isOn, of: account)
                return MarkWords.bookmarked(isOn)
            case .pin:
                guard found.event.pubkey == account.publicKey else { throw Trouble(MarkWords.onlyOwnNotes) }
                let pin = EventPointer(found.event)
                try await set(.event(pin), on: .pinnedNotes, isOn, isPrivate: false, of: account)
                return MarkWords.pinned(isOn)
            }
        } catch {
            throw Trouble(error)
        }
    }

}

extension PersonMarks {
    /// What the account's lists say about a person; nothing where there are no lists.
    public static func load(of key: PublicKey, for account: any Account) async -> PersonMarks {
        guard let lists = account.lists else { return PersonMarks(isMuted: false, sets: []) }
        let item = ListItem.person(ProfilePointer(key: key), petname: nil)
        // A page without the sets is better than no page.
        let all = (try? await lists.lists()) ?? []
        let sets = all.filter { $0.address.kind == .followSets && $0.privatePart != .unreadable }
        return PersonMarks(
            isMuted: await lists.mutes().people.contains(key),
            sets: sets.map {
                PersonMarks.Membership(
                    identifier: $0.address.identifier, title: $0.shownTitle, isMember: $0.contains(item))
            }.sorted { $0.title < $1.title })
    }

    /// Mutes a person, privately, or no longer.
    public static func setMuted(
        _ key: PublicKey, _ isMuted: Bool, of account: any Account
    ) async throws(Trouble) {
        guard key != account.publicKey else { throw Trouble(MarkWords.notYourself, canRetry: false) }
        try await set(.person(ProfilePointer(key: key), petname: nil), on: .muteList, isMuted, of: account)
    }

    /// Deletes from this machine what it stores of a person who is muted.
    ///
    /// - Returns: what was done, in one sentence.
    public static func removeCopies(of key: PublicKey, for account: any Account) async throws(Trouble) -> String {
        guard let copies = account.copies else { return MarkWords.copiesRemoved(0) }
        return MarkWords.copiesRemoved(try await troubled { try await copies.removeCopies(of: key) })
    }

    /// Puts a person into a follow set, privately, or takes them out.
    public static func setMember(
        _ key: PublicKey, ofSet identifier: String, _ isMember: Bool, of account: any Account
    ) async throws(Trouble) {
        try await set(
            .person(ProfilePointer(key: key), petname: nil), on: .followSets, identifier: identifier, isMember,
            of: account)
    }
}

/// Puts a thing on a list, or takes it off.
private func set(
    _ item: ListItem, on kind: Kind, identifier: String = "", _ isOn: Bool, isPrivate: Bool = true,
    of account: any Account
) async throws(Trouble) {
    let edit: ListEdit = isOn ? .add(item, isPrivate: isPrivate) : .remove(item)
    try await troubled { _ = try await openLists(account).change(kind, identifier: identifier, edit) }
}

/// The first note of a conversation.
private func firstNote(of event: Event) -> EventID {
    // A comment names what it is about in capitals (NIP-22).
    if event.kind == Comment.kind { return event.tags.named("E").first?.eventID(at: 1) ?? event.id }
    return ThreadReferences(event.tags).root?.id ?? event.id
}

/// How a note is kept: articles and films that can change by their address, so that a later version is kept too.
private func keepsake(_ event: Event) -> ListItem {
    if NoteKinds.timelines.contains(event.kind), let address = event.address {
        return .address(AddressPointer(address: address))
    }
    return .event(EventPointer(event))
}
