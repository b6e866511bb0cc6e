internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrNIPs
internal import ViewModels

/// Search: people and notes, and going straight to what was pasted.
struct SearchController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/search", use: search)
        router.get("/search/name", use: name)
    }

    @Sendable private func search(_ request: Request, _ context: WebContext) async throws -> Response {
        let query = request.query
        let text = query["q"]
        // While somebody types, nothing leads away.
        let isTyped = isFragment(request) && query["typed"] == "1"
        if !isTyped, let path = destination(text) { return redirect(to: path) }
        let place = request.timelineMark
        let wanted = SearchRequest(text, sort: query["sort"], scope: scope(query))
        let view = SearchView(
            page: await SearchPage.load(wanted, below: place, of: try context.requireAccount()),
            isFirst: place == nil, token: try context.requireSession().formToken, style: pages.noteStyle(context))
        if isFragment(request) { return searchResultsView(view).response() }
        return try await pages.page(
            title: view.page.text.isEmpty ? "Search" : "Search: \(view.page.text)", at: .search, searchView(view),
            request: request, context: context)
    }

    /// Whom a name at a domain leads to: for a script, which asks while the rest of the page is there already, and as a
    /// page of its own.
    @Sendable private func name(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.requireAccount()
        guard let found = await NamedPerson.load(request.query["q"], of: account) else {
            return isFragment(request) ? Response(status: .noContent) : redirect(to: "/search")
        }
        let view = namedPersonView(found, own: account.publicKey, pages.noteStyle(context))
        if isFragment(request) { return view.response() }
        return try await pages.page(
            title: "Search", at: .search, namedPersonPage(request.query["q"], view), request: request, context: context)
    }

    /// The relay that was typed goes before the choice beside it.
    private func scope(_ query: Form) -> String {
        query["relay"].isEmpty ? query["scope"] : query["relay"]
    }

    /// The page of the one thing that was pasted; `nil` for words.
    private func destination(_ text: String) -> Path? {
        switch SearchDestination(text) {
        case .person(let code): "/people/\(code)"
        case .note(let code): "/note/\(code)"
        case .address(let code) where isArticle(code): "/article/\(code)"
        // Looked for by the search itself; from here on by its code alone.
        case .address(let code) where StreamWord.pointer(code) != nil: "/streams/\(code)"
        case .address(let code): code == text ? nil : "/search?q=\(code)"
        case .tag(let tag): "/tags/\(tag)"
        case .invoice(let invoice): "/invoices/\(invoice)"
        case .relay(let relay): "/relays/relay?relay=\(relay)"
        case nil: nil
        }
    }

    private func isArticle(_ code: String) -> Bool {
        guard case .naddr(let pointer) = try? NostrEntity(code) else { return false }
        return [Article.kind, Article.draftKind].contains(pointer.address.kind)
    }
}
