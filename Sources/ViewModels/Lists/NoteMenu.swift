internal import NostrClient
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
    /// Whether it is on top of one's profile.
    public let isPinned: Bool
}

/// A mark one puts on a note.
public enum NoteMark: String, Hashable, Sendable, CaseIterable {
    /// Hides everything its author writes.
    case mutePerson = "mute-person"
    /// Hides its conversation.
    case muteConversation = "mute-conversation"
    /// Keeps it, privately.
    case bookmark
    /// Puts it on top of one's profile.
    case pin
}

/// What one's lists say about a person.
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

extension Desk {
    /// One list.
    public func list(_ kind: Kind, identifier: String, from start: Int = 0) -> ScreenModel<ListEditor> {
        let address = EventAddress(kind: kind, author: own, identifier: identifier)
        return ScreenModel(list: address, from: start, of: account)
    }

    /// What one can do with a note; `nil` when nobody has it.
    public func menu(of id: EventID) async throws(Trouble) -> NoteMenu? {
        do {
            guard let found = try await account.timeline.thread(id, hints: []).focus,
                let note = NoteItem(found, own: own)
            else {
                return nil
            }
            guard let lists = account.lists else { return nil }
            let mutes = await lists.mutes()
            let bookmarks = try await lists.list(.bookmarks, identifier: "")
            let pins = note.isOwn ? try await lists.list(.pinnedNotes, identifier: "") : nil
            let root = firstNote(of: found.event)
            return NoteMenu(
                note: note, conversation: root, isAuthorMuted: mutes.people.contains(note.author.key),
                isConversationMuted: mutes.threads.contains(root) || mutes.threads.contains(id),
                isBookmarked: bookmarks.contains(keepsake(found.event)),
                isPinned: pins?.contains(.event(EventPointer(id: id))) ?? false)
        } catch {
            throw Trouble(error)
        }
    }

    /// Puts a mark on a note or takes it off.
    ///
    /// - Returns: what was done, in one sentence.
    public func mark(_ id: EventID, _ mark: NoteMark, _ isOn: Bool) async throws(Trouble) -> String {
        do {
            guard let found = try await account.timeline.thread(id, hints: []).focus else {
                throw Trouble(MarkWords.noteMissing)
            }
            switch mark {
            case .mutePerson:
                let key = found.event.pubkey
                try await setMuted(key, isOn)
                let name = PersonItem(found.author).name
                return MarkWords.muted(name, isOn)
            case .muteConversation:
                try await put(.event(EventPointer(id: firstNote(of: found.event))), on: .muteList, isOn)
                return MarkWords.conversationMuted(isOn)
            case .bookmark:
                try await put(keepsake(found.event), on: .bookmarks, isOn)
                return MarkWords.bookmarked(isOn)
            case .pin:
                guard found.event.pubkey == own else { throw Trouble(MarkWords.onlyOwnNotes) }
                try await put(.event(EventPointer(found.event)), on: .pinnedNotes, isOn, isPrivate: false)
                return MarkWords.pinned(isOn)
            }
        } catch {
            throw Trouble(error)
        }
    }

    /// What one's lists say about a person; nothing where there are no lists.
    public func marks(of key: PublicKey) async -> PersonMarks {
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
    public func setMuted(_ key: PublicKey, _ isMuted: Bool) async throws(Trouble) {
        guard key != own else { throw Trouble(MarkWords.notYourself, canRetry: false) }
        try await put(.person(ProfilePointer(key: key), petname: nil), on: .muteList, isMuted)
    }

    /// Puts a person into a follow set, privately, or takes them out.
    public func setMember(_ key: PublicKey, of identifier: String, _ isMember: Bool) async throws(Trouble) {
        try await put(
            .person(ProfilePointer(key: key), petname: nil), on: .followSets, identifier: identifier, isMember)
    }

    private func put(
        _ item: ListItem, on kind: Kind, identifier: String = "", _ isOn: Bool, isPrivate: Bool = true
    ) async throws(Trouble) {
        do {
            guard let lists = account.lists else { throw Trouble.noLists }
            let edit: ListEdit = isOn ? .add(item, isPrivate: isPrivate) : .remove(item)
            _ = try await lists.change(kind, identifier: identifier, edit)
        } catch {
            throw Trouble(error)
        }
    }
}

/// The first note of a conversation.
private func firstNote(of event: Event) -> EventID {
    ThreadReferences(event.tags).root?.id ?? event.id
}

/// How a note is kept: articles by their address, so that a later version is kept too.
private func keepsake(_ event: Event) -> ListItem {
    if event.kind == 30_023, let address = event.address { return .address(AddressPointer(address: address)) }
    return .event(EventPointer(event))
}
