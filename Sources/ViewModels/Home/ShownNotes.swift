internal import NostrClient
internal import NostrCore

/// What a page elsewhere shows of a timeline, in a few words, so that it is given what it does not show.
public struct ShownNotes: Hashable, Sendable {
    /// The most notes it may name; the rest are not looked at.
    static let limit = 400

    /// Where what it shows ends, or so much of it as it looks at; `nil` when it shows nothing.
    let floor: TimelineCursor?
    private let starts: Set<UInt64>

    /// - Parameters:
    ///   - floor: the mark (seconds, a hyphen, the id) of the last note it looks at; anything else means none.
    ///   - words: the first 16 digits in hex of the ids it shows, with dots between; what is none is passed over.
    public init(above floor: String, words: String) {
        self.floor = TimelineCursor(mark: floor)
        starts = Set(
            words.split(separator: ".").prefix(Self.limit).compactMap {
                $0.utf8.count == 16 ? UInt64($0, radix: 16) : nil
            })
    }

    /// Whether it shows a note, or has it on the card of a repost.
    func holds(_ id: EventID) -> Bool {
        !starts.isEmpty && UInt64(id.hex.prefix(16), radix: 16).map(starts.contains) ?? false
    }
}
