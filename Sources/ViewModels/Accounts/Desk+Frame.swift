internal import NostrClient

// What the frame around every page asks about private things; goes with the desk.
extension Desk {
    /// How many conversations wait to be read.
    public func unread() async -> UnreadItem { await MessageActions(of: account).unread() }
    /// Whether there is a key, so that there can be circles.
    public var hasCircles: Bool { CircleActions.exist(for: account) }
}
