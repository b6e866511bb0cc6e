internal import FoundationEssentials
internal import NostrCore
internal import NostrNIPs

/// What others have said about one message or reaction: reactions to it, and who asked to take it back.
///
/// It rests beside the message and can come before it. Shape, before sealing: JSON.
struct MessageAnnotations: Codable, Hashable, Sendable {
    static let table = "message-notes"
    /// More reactions to one message than this are somebody's game, and not remembered.
    static let mostReactions = 1000
    /// An address of a picture that is longer is not kept; unit: bytes.
    private static let longestAddress = 1024

    struct Reaction: Codable, Hashable, Sendable {
        let id: String
        let by: String
        let content: String
        /// Where the picture of a custom emoji lies; absent in records of earlier versions.
        let picture: String?
    }

    private(set) var reactions: [Reaction] = []
    private(set) var deletedBy: Set<String> = []

    static func decode(_ bytes: [UInt8]) -> MessageAnnotations? {
        // It was sealed by us; what does not parse was damaged before, and only reactions are missing then.
        try? JSONDecoder().decode(MessageAnnotations.self, from: Data(bytes))
    }

    func encoded() throws -> [UInt8] { [UInt8](try JSONEncoder().encode(self)) }

    /// Adds a reaction, once.
    mutating func add(_ reaction: ChatReaction) {
        let id = reaction.id.hex
        guard reactions.count < Self.mostReactions, !reactions.contains(where: { $0.id == id }) else { return }
        let content = reaction.rumor.content
        var picture: String?
        if case .customEmoji(let emoji) = reaction.meaning, emoji.url.utf8.count <= Self.longestAddress {
            picture = emoji.url
        }
        reactions.append(
            Reaction(id: id, by: reaction.author.hex, content: content.isEmpty ? "+" : content, picture: picture))
    }

    /// The reactions of somebody that say one of these.
    func reactions(by author: PublicKey, saying contents: Set<String>) -> [EventID] {
        // An id that is none was damaged on the disk.
        reactions.filter { $0.by == author.hex && contents.contains($0.content) }
            .compactMap { try? EventID(hex: $0.id) }
    }

    mutating func removeReaction(_ id: EventID) { reactions.removeAll { $0.id == id.hex } }

    mutating func noteDeletion(by author: PublicKey) { deletedBy.insert(author.hex) }

    /// Whether its author has asked to take it back.
    func isTakenBack(by author: PublicKey) -> Bool { !deletedBy.isEmpty && deletedBy.contains(author.hex) }

    /// Each reaction of each person once.
    var shown: [MessageReaction] {
        var seen: Set<MessageReaction> = []
        return reactions.compactMap { reaction in
            // A key that is none was damaged on the disk.
            guard let author = try? PublicKey(hex: reaction.by) else { return nil }
            let emoji = reaction.picture.flatMap {
                CustomEmoji(shortcode: String(reaction.content.dropFirst().dropLast()), url: $0)
            }
            let made = MessageReaction(content: reaction.content, author: author, emoji: emoji)
            return seen.insert(made).inserted ? made : nil
        }
    }
}
