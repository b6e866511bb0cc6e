internal import NostrNIPs

/// The conversations that were looked at last, decrypted.
///
/// Bounded by messages, since one conversation may hold as many as a thousand others.
struct ConversationCache: Sendable {
    private struct Entry {
        var conversation: OpenConversation
        var usedAt: UInt64
    }

    private let capacity: Int
    private var entries: [ChatRoom: Entry] = [:]
    private var uses: UInt64 = 0

    /// - Parameter capacity: messages in all; the conversation in use stays even when it is larger.
    init(capacity: Int = 50_000) {
        self.capacity = capacity
    }

    /// A conversation, when it is here.
    mutating func take(_ room: ChatRoom) -> OpenConversation? {
        uses += 1
        entries[room]?.usedAt = uses
        return entries[room]?.conversation
    }

    func contains(_ room: ChatRoom) -> Bool { entries[room] != nil }

    /// Keeps a conversation, and lets go of those not used for longest.
    mutating func keep(_ conversation: OpenConversation) {
        uses += 1
        entries[conversation.room] = Entry(conversation: conversation, usedAt: uses)
        var total = entries.values.reduce(0) { $0 + $1.conversation.items.count }
        while total > capacity, entries.count > 1, let oldest = entries.min(by: { $0.value.usedAt < $1.value.usedAt }) {
            total -= oldest.value.conversation.items.count
            entries[oldest.key] = nil
        }
    }

    mutating func drop(_ room: ChatRoom) {
        entries[room] = nil
    }
}
