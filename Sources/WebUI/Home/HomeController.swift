internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import ViewModels

/// Home: the notes of the people an account follows.
struct HomeController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/home", use: home)
        router.get("/home/newer", use: newer)
    }

    @Sendable private func home(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.requireAccount()
        let cursor = request.timelineMark
        if isFragment(request) { return try await notes(of: account, below: cursor, context).response() }
        // While the notes are read, which takes longest.
        async let feeds = FeedChooser.load(at: .following, of: account)
        async let people = cursor == nil ? ActivePeopleRow.load(of: account) : nil
        async let beside = aside(account)
        let list = try await notes(of: account, below: cursor, context)
        let chooser = feedChooserView(await feeds, back: "/home", try context.requireSession().formToken)
        let style = pages.noteStyle(context)
        let online = await people.map { activePeopleView($0, style) } ?? HTML()
        return try await pages.page(
            title: "Home", at: .home, homeView(list, chooser, online, isTop: cursor == nil), beside: await beside,
            request: request, context: context)
    }

    private func notes(
        of account: any Account, below cursor: TimelineCursor?, _ context: WebContext
    ) async throws -> HTML {
        try noteList(
            await ScreenModel(.home, of: account).send(.opened(below: cursor)), at: "/home", context)
    }

    /// What came since a page was drawn, for its script.
    @Sendable private func newer(_ request: Request, _ context: WebContext) async throws -> Response {
        let state = await news(.home, of: try context.requireAccount(), request)
        return try noteList(state, at: "/home", context).response()
    }

    private func noteList(_ state: TimelineState, at path: Path, _ context: WebContext) throws -> HTML {
        noteListView(
            NoteList(
                state: state, path: path, token: try context.requireSession().formToken,
                style: pages.noteStyle(context)))
    }

    private func aside(_ account: any Account) async -> HTML {
        homeAside(
            await ConnectionItem.load(from: account.network),
            completeness: completenessLine(await CompletenessItem.ofHome(of: account), now: pages.now),
            canSign: account.canSign)
    }
}
