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

    /// So many mentions are read; nobody follows more.
    public static let mostMentions = 256

    /// Reads the `e` tags of a note.
    ///
    /// Only what is pointed at is read in full: a note may have thousands of tags, and this is asked of each note.
    public init(_ tags: [Tag]) {
        let named = tags.filter { $0.name == "e" }
        let root = named.first { Self.marker(of: $0) == .root && $0.eventID(at: 1) != nil }
        let reply = named.last { Self.marker(of: $0) == .reply && $0.eventID(at: 1) != nil }
        if root != nil || reply != nil {
            self.root = (root ?? reply).flatMap(Self.pointer)
            parent = (reply ?? root).flatMap(Self.pointer)
            mentions = Self.pointers(named[...]) { $0 != .root && $0 != .reply }
            return
        }
        let isUnmarked = { (tag: Tag) in Self.marker(of: tag) == nil && tag.eventID(at: 1) != nil }
        let first = named.firstIndex(where: isUnmarked)
        let last = named.lastIndex(where: isUnmarked)
        self.root = first.flatMap { Self.pointer(named[$0]) }
        parent = last.flatMap { Self.pointer(named[$0]) }
        let between = if let first, let last, first < last { named[(first + 1)..<last] } else { named[..<0] }
        mentions = Self.pointers(between) { $0 == nil } + Self.pointers(named[...]) { $0 == .mention }
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

    private static func marker(of tag: Tag) -> Marker? { tag[3].flatMap(Marker.init(rawValue:)) }

    private static func pointer(_ tag: Tag) -> EventPointer? {
        guard let id = tag.eventID(at: 1) else { return nil }
        // Some apps leave the marker out and write the author in its place.
        let author = tag.publicKey(at: 4) ?? tag.publicKey(at: 3)
        return EventPointer(id: id, relays: tag.relay(at: 2).map { [$0] } ?? [], author: author)
    }

    private static func pointers(_ tags: ArraySlice<Tag>, where isMeant: (Marker?) -> Bool) -> [EventPointer] {
        var found: [EventPointer] = []
        for tag in tags where isMeant(marker(of: tag)) {
            guard found.count < mostMentions else { break }
            if let pointer = pointer(tag) { found.append(pointer) }
        }
        return found
    }
}
