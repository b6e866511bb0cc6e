internal import Circles
public import NostrCore

/// A guest link as the page of a circle's settings lists it.
public struct GuestLinkItem: Hashable, Sendable, Identifiable {
    /// What it is taken back by.
    public let id: String
    /// Whom it is for, or that it is one.
    public let name: String
    /// The whole address; whoever has it sees where the person is.
    public let address: String
    /// When it ends.
    public let endsAt: Timestamp
    /// When a relay last took a place for it.
    public let shownAt: Timestamp?
    /// Whether it was taken back, and relays have not all answered yet.
    public let isRevoked: Bool

    /// The spans to choose from, in hours.
    public static let hours = [1, 4, 12, 24, 72, 168]

    init(_ state: GuestLinkState) {
        let note = oneLine(state.note, limit: 80)
        (id, name, address) = (state.id, note.isEmpty ? GuestWords.unnamed : note, state.address)
        (endsAt, shownAt, isRevoked) = (state.link.endsAt, state.shownAt, state.isRevoked)
    }
}
