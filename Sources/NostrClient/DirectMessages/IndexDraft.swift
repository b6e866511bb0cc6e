internal import NostrCore
internal import NostrNIPs

/// The index of a conversation while it is made from the messages themselves.
struct IndexDraft {
    /// What one record contributes.
    enum Part: Sendable {
        case message(MessageEntry)
        case reaction(ChatReaction)
        case deletion(author: PublicKey, targets: [EventID])
        case nothing

        init(_ record: RumorRecord) {
            if let entry = MessageEntry(record) {
                self = .message(entry)
            } else if let reaction = record.rumor.flatMap(ChatReaction.init) {
                self = .reaction(reaction)
            } else if let deletion = record.rumor.flatMap(ChatDeletion.init) {
                self = .deletion(author: deletion.author, targets: deletion.targets)
            } else {
                self = .nothing
            }
        }
    }

    private var indexed: [SealedIndex.Entry] = []
    private var reactions: [ChatReaction] = []
    private var deletions: [EventID: MessageAnnotations] = [:]

    var isEmpty: Bool { indexed.isEmpty }

    mutating func add(_ part: Part) {
        switch part {
        case .message(let entry): indexed.append(entry.indexed)
        case .reaction(let reaction): reactions.append(reaction)
        case .deletion(let author, let targets):
            for target in targets { deletions[target, default: MessageAnnotations()].noteDeletion(by: author) }
        case .nothing: break
        }
    }

    /// The messages in order.
    func entries() -> [SealedIndex.Entry] {
        indexed.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { entry in
            guard !deletions.isEmpty, var message = MessageEntry(entry), !message.isRetracted,
                deletions[message.cursor.id]?.isTakenBack(by: message.author) == true
            else { return entry }
            message.isRetracted = true
            return message.indexed
        }
    }

    /// What was said about messages and reactions.
    func annotations() -> [EventID: MessageAnnotations] {
        var annotations = deletions
        for reaction in reactions.sorted(by: { ($0.rumor.createdAt, $0.id) < ($1.rumor.createdAt, $1.id) })
        where deletions[reaction.id]?.isTakenBack(by: reaction.author) != true {
            annotations[reaction.target, default: MessageAnnotations()].add(reaction)
        }
        return annotations
    }
}
