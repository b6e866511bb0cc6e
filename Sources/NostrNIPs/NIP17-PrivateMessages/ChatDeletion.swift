public import NostrCore

/// A request of an author to take back private messages: kind 5, within their room.
///
/// Source: NIP-17, "Delete, edit and disappearing messages"; NIP-09.
public struct ChatDeletion: Hashable, Sendable, Identifiable {
    /// The rumor it was read from.
    public let rumor: Rumor
    /// The messages and reactions it names; only those by the same author are meant.
    public let targets: [EventID]

    /// Reads a rumor; `nil` unless it is of kind 5 and names a message.
    public init?(_ rumor: Rumor) {
        guard rumor.kind == DeletionRequest.kind else { return nil }
        self.rumor = rumor
        targets = rumor.tags.named("e").compactMap { $0.eventID(at: 1) }.withoutDuplicates()
        guard !targets.isEmpty else { return nil }
    }

    /// The rumor's id.
    public var id: EventID { rumor.id }
    /// Who asks.
    public var author: PublicKey { rumor.pubkey }
    /// The room it belongs to.
    public var room: ChatRoom { ChatRoom(of: rumor) }

    /// Whether it deletes a rumor: named here, by the same author, and no deletion itself.
    public func covers(_ other: Rumor) -> Bool {
        other.pubkey == author && other.kind != DeletionRequest.kind && targets.contains(other.id)
    }

    /// A request to take back the author's own rumors, for everybody in the room.
    public static func draft(
        deleting rumors: [Rumor], in room: ChatRoom, by author: PublicKey, reason: String = "", createdAt: Timestamp
    ) -> EventDraft {
        let tags =
            rumors.map { Tag(["e", $0.id.hex]) } + room.tags(by: author)
            + rumors.map(\.kind).withoutDuplicates().map { Tag(["k", String($0.rawValue)]) }
        return EventDraft(kind: DeletionRequest.kind, tags: tags, content: reason, createdAt: createdAt)
    }
}
