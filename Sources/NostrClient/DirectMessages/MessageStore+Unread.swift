internal import NostrCore
internal import NostrNIPs

/// Which unread messages do not count for what they say: a muted word, topic or thread.
extension MessageStore {
    /// Of a conversation so many of the newest unread messages are read for it; older ones count as they are.
    private static let mostRead = 50
    /// How many are read at once.
    private static let batch = 500

    /// The unread messages of conversations that are not shown for what they say.
    ///
    /// Who wrote them is known without. Each is read once, however often the conversations are listed, until something
    /// else is muted; where nothing is muted but people, none is.
    func silenced(in rooms: [RoomSummary], for visibility: MessageVisibility) async throws -> Set<EventID> {
        var mutes = visibility.mutes
        mutes.people = []
        guard !mutes.isEmpty else { return [] }
        let known = verdicts.known(by: mutes)
        var silenced: Set<EventID> = []
        var unknown: [(id: EventID, address: SealedRecords.Address)] = []
        for room in rooms where !room.unread.isEmpty && !visibility.hides(room) {
            let word = room.room.word
            for message in room.unread.suffix(Self.mostRead) where !visibility.mutes.people.contains(message.author) {
                let id = message.place.id
                switch known[id] {
                case true?: silenced.insert(id)
                case false?: break
                case nil: unknown.append((id, .init(Self.messages, group: word, id.hex)))
                }
            }
        }
        guard !unknown.isEmpty else { return silenced }
        var found: [EventID: Bool] = [:]
        for start in stride(from: 0, to: unknown.count, by: Self.batch) {
            let part = unknown[start..<min(start + Self.batch, unknown.count)]
            for (one, bytes) in zip(part, try await records.values(at: part.map(\.address))) {
                // What does not open says nothing.
                found[one.id] = bytes.flatMap(RumorRecord.init)?.rumor.map(mutes.hides) ?? false
            }
        }
        note(found, by: mutes)
        return silenced.union(found.filter(\.value).keys)
    }

    /// Remembers what was found, and forgets it of what was read meanwhile.
    private func note(_ found: [EventID: Bool], by mutes: Mutes) {
        let unread = Set(conversations.rooms.values.flatMap { $0.unread.map(\.place.id) })
        verdicts.note(found, by: mutes, keeping: unread)
    }
}

/// Which messages say what is muted, as far as it was looked at.
struct UnreadVerdicts: Sendable {
    /// What was muted then, people left out.
    private var mutes = Mutes()
    private var isHidden: [EventID: Bool] = [:]

    /// Whether each says what is muted, as far as that is known.
    func known(by mutes: Mutes) -> [EventID: Bool] { mutes == self.mutes ? isHidden : [:] }

    /// Adds what was found; what was found under other mutes goes.
    mutating func note(_ found: [EventID: Bool], by mutes: Mutes, keeping unread: Set<EventID>) {
        if mutes != self.mutes { (self.mutes, isHidden) = (mutes, [:]) }
        isHidden.merge(found) { _, new in new }
        isHidden = isHidden.filter { unread.contains($0.key) }
    }
}
