internal import NostrCore
internal import NostrNIPs

/// What a comment answers that is no event of a timeline (NIP-22).
public enum CommentedThing: Hashable, Sendable {
    /// An article, by the code that leads to it.
    case article(String)
    /// A page of the web, `http` or `https`.
    case page(String)
    /// Anything else outside of Nostr, by its name there: a book, an episode of a podcast.
    case named(String)

    /// Reads what a comment answers; `nil` for an answer to a comment, and for whatever else is an event.
    init?(_ event: Event) {
        guard event.kind == Comment.kind else { return nil }
        switch Comment(event)?.parent {
        case .address(let pointer, _)?:
            guard let code = articleCode(pointer) else { return nil }
            self = .article(code)
        case .external(let name, _, let page)?:
            if let address = webAddress(name) ?? page.flatMap(webAddress) {
                self = .page(address)
            } else {
                let shown = oneLine(name, limit: 80)
                guard !shown.isEmpty else { return nil }
                self = .named(shown)
            }
        case .event?, nil: return nil
        }
    }
}
