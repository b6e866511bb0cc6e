internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import ViewModels

/// Home, the notes of the people an account follows, and the notes with a hashtag.
struct HomeController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/home", use: home)
        router.get("/home/newer", use: newer)
        router.get("/tags/:tag", use: hashtag)
    }

    @Sendable private func home(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.requireAccount()
        let cursor = request.timelineMark
        let list = try noteList(
            await ScreenModel(.home, of: account).send(.opened(below: cursor)), at: "/home", context)
        if isFragment(request) { return list.response() }
        return try await pages.page(
            title: "Home", at: .home, homeView(list, isTop: cursor == nil), beside: await aside(account),
            request: request, context: context)
    }

    /// What came since a page was drawn, for its script.
    @Sendable private func newer(_ request: Request, _ context: WebContext) async throws -> Response {
        let newest = request.uri.queryParameters["after"].flatMap { TimelineCursor(mark: String($0)) }
        let count = request.uri.queryParameters["count"].flatMap { Int($0) } ?? 0
        let state = await ScreenModel(.home, of: try context.requireAccount(), newest: newest).send(
            .showWaiting(count: count))
        return try noteList(state, at: "/home", context).response()
    }

    @Sendable private func hashtag(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.requireAccount()
        let tag = decodePercent(try context.parameters.require("tag"))
        let state = await ScreenModel(.hashtag(tag.lowercased()), of: account).send(
            .opened(below: request.timelineMark))
        let list = try noteList(state, at: "/tags/\(tag)", context)
        if isFragment(request) { return list.response() }
        return try await pages.page(
            title: "#" + tag, at: .none, hashtagView(tag, list), beside: await aside(account),
            parts: [.notes], request: request, context: context)
    }

    private func noteList(_ state: TimelineState, at path: Path, _ context: WebContext) throws -> HTML {
        noteListView(
            NoteList(
                state: state, path: path, token: try context.requireSession().formToken,
                style: pages.noteStyle(context)))
    }

    private func aside(_ account: any Account) async -> HTML {
        homeAside(await ConnectionItem.load(from: account.network), canSign: account.canSign)
    }
}
