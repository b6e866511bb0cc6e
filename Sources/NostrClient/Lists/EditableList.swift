internal import NostrCore
internal import NostrNIPs

/// A list with both its parts open, while it is changed.
struct EditableList: Hashable, Sendable {
    private(set) var list: PublicList
    private(set) var items: PrivateItems

    /// What a change would take away, and what it would bring, in both parts.
    var difference: (dropped: Int, added: Int) {
        let (open, hidden) = (list.difference, items.difference)
        return (open.dropped.count + hidden.dropped.count, open.added.count + hidden.added.count)
    }

    /// Whether nothing changed.
    var isUnchanged: Bool { list.difference.isEmpty && !items.isChanged }

    init(_ list: PublicList, _ items: PrivateItems) {
        self.list = list
        self.items = items
    }

    /// Makes a change.
    ///
    /// What moves from one part to the other keeps its tags, with whatever they say beside the thing itself.
    mutating func apply(_ edit: ListEdit) {
        switch edit {
        case .add(let item, isPrivate: true):
            let moved = list.remove(item)
            guard !items.contains(item) else { return }
            items.append(moved.isEmpty ? [list.tag(for: item)] : moved)
        case .add(let item, isPrivate: false):
            let moved = items.remove(item)
            guard !list.contains(item) else { return }
            list.append(moved.isEmpty ? [list.tag(for: item)] : moved)
        case .remove(let item):
            list.remove(item)
            items.remove(item)
        case .rename(let title, let summary):
            list.rename(title: title, summary: summary)
        }
    }

    /// What is to be encrypted; `nil` leaves the content as it is, an empty text needs no cipher.
    ///
    /// Some programs read a mute list without a private part as none at all, so there an empty array is encrypted too.
    var newContent: String? {
        guard items.isChanged else { return nil }
        return items.isEmpty && list.kind != .muteList ? "" : items.json
    }
}

extension PersonalList {
    /// Shows a list.
    init(_ event: Event, _ list: PublicList, _ reading: PrivateReading) {
        self.init(
            address: EventAddress(
                kind: event.kind, author: event.pubkey,
                identifier: event.kind.retention == .addressable ? list.identifier : ""))
        title = list.title ?? ""
        summary = list.summary ?? ""
        publicItems = list.items
        privatePart = reading.part
        unknownEntries = list.unknownEntries
        changedAt = event.createdAt
        guard case .open(let items) = reading else { return }
        // What stands in both parts is shown where everybody sees it.
        privateItems = items.items.filter { !list.contains($0) }
        unknownEntries += items.unknownEntries
    }
}

/// What became of reading a list's private part.
enum PrivateReading: Hashable, Sendable {
    case none
    case open(PrivateItems)
    case locked
    case unreadable

    var part: PersonalList.PrivatePart {
        switch self {
        case .none: .none
        case .open: .open
        case .locked: .locked
        case .unreadable: .unreadable
        }
    }

    /// The items, where they can be seen.
    var items: PrivateItems? {
        if case .open(let items) = self { items } else { nil }
    }
}
