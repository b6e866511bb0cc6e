internal import NostrCore
internal import NostrNIPs

/// The notes of one conversation as a tree.
struct Conversation: Sendable {
    private var events: [EventID: Event] = [:]
    private var children: [EventID: [EventID]] = [:]
    /// The versions that stand at addresses here.
    private var standing: [EventAddress: EventID] = [:]

    init(_ events: [Event]) {
        for event in events {
            self.events[event.id] = event
            if let address = event.address { standing[address] = event.id }
        }
        for event in self.events.values.sorted(by: { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }) {
            if let parent = knownParent(of: event) { children[parent, default: []].append(event.id) }
        }
    }

    /// From the root down to just above an event, as far as known.
    func ancestors(of id: EventID) -> [Event] {
        var path: [Event] = []
        var seen: Set<EventID> = [id]
        var current = events[id]
        while let event = current, let parent = knownParent(of: event), seen.insert(parent).inserted {
            current = events[parent]
            if let current { path.append(current) }
        }
        return path.reversed()
    }

    /// The answers to an event in pre-order, oldest first, with their depth; depth 0 is a direct answer.
    func replies(to id: EventID) -> [(event: Event, depth: Int)] {
        var open = (children[id] ?? []).reversed().map { ($0, 0) }
        var seen: Set<EventID> = [id]
        var replies: [(event: Event, depth: Int)] = []
        while let (next, depth) = open.popLast() {
            guard seen.insert(next).inserted, let event = events[next] else { continue }
            replies.append((event, depth))
            for child in (children[next] ?? []).reversed() { open.append((child, depth + 1)) }
        }
        return replies
    }

    // The parent when it is here, else the root: an answer whose parent is lost still belongs to the conversation.
    // An address stands for whatever version is here.
    private func knownParent(of event: Event) -> EventID? {
        let above = event.above
        if let parent = above.parent?.id, parent != event.id, events[parent] != nil { return parent }
        if event.kind == 1 || event.kind == 1111 {
            if let parent = event.touchedAddresses.lazy.compactMap({ standing[$0] }).first { return parent }
            if let root = event.commentedAddress.flatMap({ standing[$0] }) { return root }
        }
        if let root = above.root?.id, root != event.id, events[root] != nil { return root }
        return nil
    }
}

extension Event {
    /// What it answers, and what started the conversation.
    ///
    /// Source: NIP-10 for notes, NIP-22 for comments.
    var above: (root: EventPointer?, parent: EventPointer?) {
        if kind == 1111 {
            let root = tags.first { $0.name == "E" }.flatMap(EventPointer.init(tag:))
            let parent = tags.first { $0.name == "e" }.flatMap(EventPointer.init(tag:))
            return (root ?? parent, parent ?? root)
        }
        guard kind == 1 else { return (nil, nil) }
        let references = ThreadReferences(tags)
        return (references.root, references.parent)
    }
}
