internal import HTTPTypes
internal import Hummingbird
internal import NostrNIPs
internal import ViewModels

/// Search: people and notes, and going straight to what was pasted.
struct SearchController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/search", use: search)
    }

    @Sendable private func search(_ request: Request, _ context: WebContext) async throws -> Response {
        let text = request.query["q"]
        if let path = pastedPath(text) { return redirect(to: path) }
        let place = request.timelineMark
        let page = await SearchPage.load(text, below: place, of: try context.requireAccount())
        let view = SearchView(
            page: page, isFirst: place == nil, path: "/search?q=\(text)",
            token: try context.requireSession().formToken, style: pages.noteStyle(context))
        if isFragment(request) { return searchResultsView(view).response() }
        return try await pages.page(
            title: page.text.isEmpty ? "Search" : "Search: \(page.text)", at: .search, searchView(view),
            request: request, context: context)
    }
}

/// Where a pasted NIP-19 name or NIP-21 address leads.
private func pastedPath(_ text: String) -> Path? {
    let word = text.filter { !$0.isWhitespace }
    let name = word.lowercased().hasPrefix("nostr:") ? String(word.dropFirst(6)) : word
    // What does not decode is searched for.
    switch try? NostrEntity(name) {
    case .npub, .nprofile: return "/people/\(name)"
    case .note, .nevent: return "/note/\(name)"
    default:
        return name.hasPrefix("#") && name.count > 1 && name == text ? "/tags/\(name.dropFirst())" : nil
    }
}
