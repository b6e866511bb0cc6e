internal import NostrCore
internal import NostrNIPs

/// What is known of every conversation without opening it.
///
/// A value without I/O. Adding the same messages in another order gives the same state, and so does ``SummaryTally`` over
/// the index of all of them.
struct RoomSummaries: Sendable {
    private(set) var rooms: [ChatRoom: RoomSummary] = [:]

    init(_ rooms: [RoomSummary] = []) {
        for room in rooms { self.rooms[room.room] = room }
    }

    subscript(_ room: ChatRoom) -> RoomSummary? {
        get { rooms[room] }
        set { rooms[room] = newValue }
    }

    /// The conversations of a folder that have a message to show, the one with the newest first.
    func summaries(in folder: MessageFolder, _ view: MessageVisibility) -> [RoomSummary] {
        rooms.values
            .filter { $0.newest != nil && view.folder(of: $0) == folder && !view.hides($0) }
            .sorted { ($1.newest?.place ?? .start) < ($0.newest?.place ?? .start) }
    }

    /// How many messages of a folder are unread.
    func unread(in folder: MessageFolder, _ view: MessageVisibility) -> Int {
        rooms.values.reduce(0) { sum, room in
            guard room.newest != nil, view.folder(of: room) == folder, !view.hides(room) else { return sum }
            return sum + (view.unread(of: room) > 0 ? 1 : 0)
        }
    }

    /// The room behind a page's address.
    func room(_ word: String) -> ChatRoom? {
        rooms.keys.first { Array($0.word.utf8) == Array(word.utf8) }
    }
}
