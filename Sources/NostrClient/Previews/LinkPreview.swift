/// What a page of the web says of itself to those who link to it.
public struct LinkPreview: Hashable, Sendable {
    /// What it is called.
    public var title: String
    /// What it is about; may be empty.
    public var summary: String
    /// The site it belongs to; may be empty.
    public var site: String
    /// Where a picture of it lies; `nil` without one.
    public var picture: String?

    /// A preview; texts are as the page wrote them, bounded in length.
    public init(title: String, summary: String = "", site: String = "", picture: String? = nil) {
        self.title = title
        self.summary = summary
        self.site = site
        self.picture = picture
    }
}

/// What is known here of a page somebody links to.
public enum KnownPreview: Hashable, Sendable {
    /// Nothing: its site was not asked lately.
    case unknown
    /// Its site was asked, and gave nothing to show.
    case nothing
    /// This.
    case preview(LinkPreview)
}

/// Previews of pages that notes link to; implemented by ``LinkPreviews``.
public protocol LinkPreviewing: Sendable {
    /// What is known of a page at once, without asking anybody.
    func known(_ address: String) -> KnownPreview
    /// The preview of a page; asks its site where nothing is known, which learns the address of this machine by it.
    ///
    /// - Returns: `nil` where there is none, within seconds.
    func preview(of address: String) async -> LinkPreview?
}
