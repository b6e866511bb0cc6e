public import NostrClient
internal import NostrCore

extension TimelineCursor {
    /// The place as a short word for an address: seconds, a hyphen, the id in hex.
    public var mark: String { "\(createdAt.seconds)-\(id.hex)" }

    /// Reads a ``mark``; `nil` for anything else.
    public init?(mark: String) {
        let halves = mark.split(separator: "-", maxSplits: 1)
        guard halves.count == 2, let seconds = Int64(halves[0]),
            // What is no id is no mark; the reason does not matter.
            let id = try? EventID(hex: String(halves[1]))
        else { return nil }
        self.init(createdAt: Timestamp(seconds: seconds), id: id)
    }
}
