public import NostrClient
public import NostrCore
public import NostrNIPs
import Synchronization

/// Live streams of a test: a list, a room, and what was done there, in words.
public final class FakeStreams: LiveStreaming {
    private let author: FakeAuthor
    private let state: Mutex<(list: LiveStreamList, room: LiveRoom?, acts: [String])>

    init(_ author: FakeAuthor) {
        self.author = author
        state = Mutex((LiveStreamList([], now: Timestamp(seconds: 0), isLooking: false), nil, []))
    }

    /// What was done, in order.
    public var acts: [String] { state.withLock { $0.acts } }

    /// Shows these streams.
    public func show(_ list: LiveStreamList) { state.withLock { $0.list = list } }

    /// Shows this room, whichever is opened.
    public func show(_ room: LiveRoom) { state.withLock { $0.room = room } }

    public func list() async throws -> LiveStreamList { state.withLock { $0.list } }

    public func room(_ address: EventAddress, hints: [RelayURL]) async throws -> LiveRoom {
        state.withLock { $0.room } ?? LiveRoom(address: address)
    }

    public func send(_ text: String, in address: EventAddress, replyTo parent: EventID?) async throws -> Event {
        try act("say \(text)\(parent.map { " to \($0.hex.prefix(4))" } ?? "")", text)
    }

    public func react(to id: EventID, in address: EventAddress, with content: String) async throws -> Event {
        try act("react \(content) \(id.hex.prefix(4))", content)
    }

    public func delete(_ id: EventID) async throws -> Event { try act("delete \(id.hex.prefix(4))", "") }

    private func act(_ words: String, _ content: String) throws -> Event {
        if words == "say " { throw AccountError(.empty) }
        state.withLock { $0.acts.append(words) }
        return author.event(content, kind: 1311, at: Timestamp(seconds: 1_700_000_000))
    }
}
