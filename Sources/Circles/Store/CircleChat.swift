internal import NostrClient
internal import NostrCore
internal import NostrNIPs

/// The lines of a circle's chat, put together: reactions are with what they are about, and what was taken back is empty.
struct CircleChat: Sendable {
    /// A line, and what belongs to it.
    struct Line: Sendable {
        /// What never changes of a line, shared: pages are put together out of the same lines again and again.
        private final class Said: Sendable {
            let record: CircleLineRecord
            let id: EventID
            let author: PublicKey
            let message: CircleMessage?

            init(_ record: CircleLineRecord, _ id: EventID, _ author: PublicKey, _ message: CircleMessage?) {
                (self.record, self.id, self.author, self.message) = (record, id, author, message)
            }
        }

        private let said: Said
        var isRetracted = false
        var reactions: [MessageReaction] = []

        var record: CircleLineRecord { said.record }
        var id: EventID { said.id }
        var author: PublicKey { said.author }
        /// Nothing for a change of the group.
        var message: CircleMessage? { said.message }
        var place: MessageCursor { MessageCursor(createdAt: Timestamp(seconds: record.createdAt), id: id) }

        init?(_ record: CircleLineRecord) {
            // What was kept by us reads, or was damaged; then it is not shown.
            guard let id = record.eventID, let author = try? PublicKey(hex: record.author) else { return nil }
            let message = record.rumor.flatMap { try? Rumor(json: $0) }.map { CircleMessage($0, isFromAdmin: false) }
            guard message != nil || record.change != nil else { return nil }
            said = Said(record, id, author, message)
        }
    }

    /// The lines, the oldest first.
    private(set) var lines: [Line] = []
    private var index: [EventID: Int] = [:]

    init(_ lines: [Line]) {
        let all = lines.sorted { $0.record.precedes($1.record) }
        self.lines = all.filter { $0.message?.isSpoken ?? true }
        for (position, line) in self.lines.enumerated() { index[line.id] = position }
        let others = all.compactMap(\.message).filter { !$0.isSpoken }
        let deletions = others.filter { if case .deletion = $0.body { true } else { false } }
        let gone = Set(others.filter { one in deletions.contains { $0.retracts(one) } }.map(\.id))
        for message in others {
            switch message.body {
            case .reaction(let meaning, let target) where !gone.contains(message.id):
                react(meaning, by: message.author, to: target)
            case .deletion(let targets):
                for target in targets {
                    guard let position = index[target], let line = self.lines[position].message, message.retracts(line)
                    else { continue }
                    self.lines[position].isRetracted = true
                }
            default: break
            }
        }
    }

    private mutating func react(_ meaning: Reaction.Meaning, by author: PublicKey, to target: EventID) {
        guard let position = index[target] else { return }
        let emoji: CustomEmoji? = if case .customEmoji(let emoji) = meaning { emoji } else { nil }
        let reaction = MessageReaction(content: meaning.content, author: author, emoji: emoji)
        if !lines[position].reactions.contains(reaction) { lines[position].reactions.append(reaction) }
    }

    /// The line of an id.
    subscript(_ id: EventID) -> Line? { index[id].map { lines[$0] } }
}

extension Reaction.Meaning {
    /// The text of it on the wire (NIP-25).
    var content: String {
        switch self {
        case .like: "+"
        case .dislike: "-"
        case .emoji(let text): text
        case .customEmoji(let emoji): ":\(emoji.shortcode):"
        }
    }
}
