internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// The words a search looks for, folded as everywhere in the program; each must be the start of some word.
struct MessageWords: Sendable {
    private let words: [[UInt8]]

    init(_ text: String) {
        words = NostrStore.searchWords(in: text).map { Array($0.utf8) }
    }

    var isEmpty: Bool { words.isEmpty }

    /// Whether a message has every word in its text, its subject, or its writer's name.
    func match(_ message: ChatMessage, isByName: Bool) -> Bool {
        if isByName { return true }
        return match(message.rumor.content + " " + (message.subject ?? ""))
    }

    /// Whether every word starts some word of a text.
    func match(_ text: String) -> Bool {
        let found = NostrStore.searchWords(in: text)
        return words.allSatisfy { word in found.contains { $0.utf8.starts(with: word) } }
    }

    /// Whether a person's name has every word.
    func match(anyOf profile: [String: String]) -> Bool {
        ["name", "display_name", "nip05"].contains { profile[$0].map(match) ?? false }
    }
}

/// The newest messages found, over all conversations; bounded while the search goes on.
struct NewestHits: Sendable {
    struct Hit: Sendable {
        var item: StoredMessage
        let room: ChatRoom
    }

    let limit: Int
    /// Newest first.
    private(set) var found: [Hit] = []

    init(limit: Int) {
        self.limit = limit
    }

    var isFull: Bool { found.count >= limit }
    /// Where the oldest of those found stands.
    var oldest: MessageCursor { found.last?.item.cursor ?? .start }

    mutating func add(_ item: StoredMessage, in room: ChatRoom) {
        if isFull, item.cursor < oldest { return }
        let hit = Hit(item: item, room: room)
        let index = found.firstIndex { $0.item.cursor < item.cursor } ?? found.count
        found.insert(hit, at: index)
        if found.count > limit { found.removeLast() }
    }
}
