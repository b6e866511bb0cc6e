public import NostrClient

/// A page that a note links to, as a card.
public struct PreviewItem: Hashable, Sendable {
    /// Where the page is.
    public let address: String
    /// What it is called; its host where it does not say.
    public let title: String
    /// What it is about; `nil` where it does not say.
    public let summary: String?
    /// The site it belongs to: its host, so that no page passes for another's.
    public let site: String
    /// Where a picture of it lies; loaded only where pictures of others are.
    public let picture: String?

    /// A page of which nothing is known but where it is.
    public init(address: String) {
        self.address = address
        site = webHost(of: address)
        title = oneLine(Self.path(of: address), limit: 120)
        summary = nil
        picture = nil
    }

    /// A page with what it says of itself, each in one line.
    init(address: String, _ preview: LinkPreview) {
        let host = webHost(of: address)
        self.address = address
        let name = oneLine(preview.site, limit: 60)
        site = name.isEmpty || name.lowercased() == host ? host : "\(host) · \(name)"
        let title = oneLine(preview.title, limit: 140)
        let summary = oneLine(preview.summary, limit: 240)
        self.title = title.isEmpty ? summary : title
        self.summary = title.isEmpty || summary.isEmpty || summary == title ? nil : summary
        picture = preview.picture.flatMap(webAddress)
    }

    /// Asks for the page, unless it was asked for lately; `nil` where it has nothing to show.
    public static func load(_ address: String, from previews: any LinkPreviewing) async -> PreviewItem? {
        guard let link = webAddress(address) else { return nil }
        return await previews.preview(of: link).map { PreviewItem(address: link, $0) }
    }

    private static func path(of address: String) -> String {
        let rest = address.drop { $0 != ":" }.dropFirst(3).drop { !"/?#".contains($0) }
        return rest.count > 1 ? String(rest) : webHost(of: address)
    }
}

/// What there is of a link's preview at once.
public enum PreviewState: Hashable, Sendable {
    /// It is known.
    case known(PreviewItem)
    /// Its site can be asked.
    case open(PreviewItem)
}

extension NoteItem {
    /// So many links of a note are previewed; the others stay links in its text.
    public static let mostPreviews = 2

    /// The previews of its first links, as far as there is something to show or to ask.
    public func previews(from source: any LinkPreviewing) -> [PreviewState] {
        var links: [String] = []
        for case .link(let address) in parts where !links.contains(address) {
            links.append(address)
            if links.count == Self.mostPreviews { break }
        }
        return links.compactMap { address in
            switch source.known(address) {
            case .preview(let preview): .known(PreviewItem(address: address, preview))
            case .unknown: .open(PreviewItem(address: address))
            case .nothing: nil
            }
        }
    }
}
