internal import NostrClient
public import NostrCore

/// What stands in the place of a note that is muted: that there is one, and why it is not shown.
public struct HiddenNoteItem: Hashable, Sendable, Identifiable {
    /// The note, or the first of several.
    public let id: EventID
    /// How many notes it stands for.
    public private(set) var count: Int
    /// Why, in one sentence.
    public private(set) var words: String

    init(_ id: EventID, _ reason: MuteReason) {
        self.id = id
        count = 1
        words = MuteWords.stub(reason)
    }

    /// One more note that stands right behind.
    mutating func addOne() {
        count += 1
        words = MuteWords.stubs(count)
    }
}
