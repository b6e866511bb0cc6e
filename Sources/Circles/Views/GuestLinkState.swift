public import NostrCore

/// A guest link as the person sees who made it.
public struct GuestLinkState: Hashable, Sendable, Identifiable {
    /// Eight hex digits, by which it is named.
    public let id: String
    /// What it reads, and where.
    public let link: GuestLink
    /// Whom it is for, in the person's own words; may be empty.
    public let note: String
    /// The page it opens.
    public let page: String
    /// When a relay last took a place for it; nil before the first.
    public let shownAt: Timestamp?
    /// Whether it was taken back, and some relay has not answered yet that it deleted the place.
    public let isRevoked: Bool

    /// The whole address, which lets whoever has it see where the person is.
    public var address: String { link.address(on: page) ?? "" }

    init(id: String, link: GuestLink, note: String, page: String, shownAt: Timestamp?, isRevoked: Bool) {
        (self.id, self.link, self.note, self.page) = (id, link, note, page)
        (self.shownAt, self.isRevoked) = (shownAt, isRevoked)
    }
}
