internal import NostrClient
internal import NostrCore

/// What a page elsewhere shows of a timeline, in a few words, so that it is given what it does not show.
public struct ShownNotes: Hashable, Sendable {
    /// The most notes it may name; the rest are not looked at.
    static let limit = 400
    /// How many hex digits of an id name a note.
    private static let digits = 16

    /// The place above which it wants what it does not show; `nil` where no older page would bring the rest.
    let floor: TimelineCursor?
    private let starts: Set<Substring>

    /// - Parameters:
    ///   - floor: the mark (seconds, a hyphen, the id) of that place; anything else means none.
    ///   - words: the first 16 digits in hex of the ids it shows, with dots between; what is none names no note.
    public init(above floor: String, words: String) {
        self.floor = TimelineCursor(mark: floor)
        starts = Set(words.split(separator: ".").prefix(Self.limit))
    }

    /// Whether it shows a note, or has it on the card of a repost.
    func holds(_ id: EventID) -> Bool { !starts.isEmpty && starts.contains(id.hex.prefix(Self.digits)) }
}
