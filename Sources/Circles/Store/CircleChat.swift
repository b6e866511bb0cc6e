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
            let isShown: Bool
            let order: LineOrder

            init(_ record: CircleLineRecord, _ id: EventID, _ author: PublicKey, _ message: CircleMessage?) {
                (self.record, self.id, self.author, self.message) = (record, id, author, message)
                isShown = message?.isSpoken ?? true
                order = LineOrder(record, id, author)
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
        /// Whether it is a line of its own, and not something about others, as a reaction is.
        var isShown: Bool { said.isShown }
        /// Where it stands among the others.
        var order: LineOrder { said.order }
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
        let all = lines.sorted { $0.order < $1.order }
        self.lines = all.filter(\.isShown)
        for (position, line) in self.lines.enumerated() { index[line.id] = position }
        let others = all.filter { !$0.isShown }.compactMap(\.message)
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

/// Where a line stands, as ``CircleLineRecord/precedes(_:)`` has it: read once, where the record would be copied each
/// time that lines are compared.
struct LineOrder: Comparable {
    private let createdAt: Int64
    private let epoch: UInt64
    private let isSaid: Bool
    private let author: PublicKey
    private let generation: Int64
    private let id: EventID

    init(_ record: CircleLineRecord, _ id: EventID, _ author: PublicKey) {
        (createdAt, epoch, isSaid) = (record.createdAt, record.epoch, record.change == nil)
        (self.author, generation, self.id) = (author, record.generation.map(Int64.init) ?? -1, id)
    }

    static func < (one: Self, other: Self) -> Bool {
        if one.createdAt != other.createdAt { return one.createdAt < other.createdAt }
        if one.epoch != other.epoch { return one.epoch < other.epoch }
        if one.isSaid != other.isSaid { return other.isSaid }
        if one.author != other.author { return one.author < other.author }
        if one.generation != other.generation { return one.generation < other.generation }
        return one.id < other.id
    }
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
