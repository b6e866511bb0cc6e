public import NostrCore

/// What a note answers and what it cites.
///
/// Source: NIP-10; the marked form is read and written, the old positional form is read.
public struct ThreadReferences: Hashable, Sendable {
    /// The note that started the conversation; `nil` when this note starts one.
    public let root: EventPointer?
    /// The note this one answers; equal to ``root`` for a direct answer to it.
    public let parent: EventPointer?
    /// Notes named without being answered, in order.
    public let mentions: [EventPointer]

    /// Whether the note answers another.
    public var isReply: Bool { parent != nil }

    /// Reads the `e` tags of a note.
    public init(_ tags: [Tag]) {
        let references = tags.compactMap(Reference.init)
        let root = references.first { $0.marker == .root }
        let reply = references.last { $0.marker == .reply }
        if root != nil || reply != nil {
            self.root = (root ?? reply)?.pointer
            parent = (reply ?? root)?.pointer
            mentions = references.filter { $0.marker != .root && $0.marker != .reply }.map(\.pointer)
        } else {
            let positional = references.filter { $0.marker == nil }
            self.root = positional.first?.pointer
            parent = positional.last?.pointer
            mentions =
                positional.dropFirst().dropLast().map(\.pointer)
                + references.filter { $0.marker == .mention }.map(\.pointer)
        }
    }

    /// The tags of a note that answers another.
    ///
    /// - Parameters:
    ///   - parent: the note to answer, of kind 1.
    ///   - relay: where the parent can be found.
    ///   - author: who answers; not told about their own answer.
    /// - Returns: `e` tags with markers, from the root to the parent, then `p` tags: the parent's author first, then
    ///   everyone the parent told.
    public static func replyTags(to parent: Event, relay: RelayURL?, author: PublicKey) -> [Tag] {
        let above = ThreadReferences(parent.tags)
        let pointer = EventPointer(parent, relays: relay.map { [$0] } ?? [])
        var tags: [Tag]
        if let root = above.root, root.id != parent.id {
            tags = [markedTag(root, .root), markedTag(pointer, .reply)]
        } else {
            tags = [markedTag(pointer, .root)]
        }
        let told = [parent.pubkey] + parent.tags.named("p").compactMap { $0.publicKey(at: 1) }
        tags += told.withoutDuplicates().filter { $0 != author }.map { Tag(["p", $0.hex]) }
        return tags
    }

    private static func markedTag(_ pointer: EventPointer, _ marker: Marker) -> Tag {
        Tag(trimming: [
            "e", pointer.id.hex, pointer.relays.first?.text ?? "", marker.rawValue, pointer.author?.hex ?? "",
        ])
    }

    private enum Marker: String {
        case root, reply, mention
    }

    private struct Reference {
        let pointer: EventPointer
        let marker: Marker?

        init?(_ tag: Tag) {
            guard tag.name == "e", let id = tag.eventID(at: 1) else { return nil }
            marker = tag[3].flatMap(Marker.init(rawValue:))
            // Some apps leave the marker out and write the author in its place.
            let author = tag.publicKey(at: 4) ?? tag.publicKey(at: 3)
            pointer = EventPointer(id: id, relays: tag.relay(at: 2).map { [$0] } ?? [], author: author)
        }
    }
}
