internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ViewModels

/// Topics and people that are trending, beside the feed of trending notes.
struct TrendsController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/trending/topics", use: topics)
        router.get("/trending/people", use: people)
    }

    @Sendable private func topics(_ request: Request, _ context: WebContext) async throws -> Response {
        try await page(.topics, request, context)
    }

    @Sendable private func people(_ request: Request, _ context: WebContext) async throws -> Response {
        try await page(.people, request, context)
    }

    private func page(
        _ sort: TrendsPage.Sort, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let query = request.query
        let account = try context.requireAccount()
        let server = context.personal.trendingServer.relay
        let choice = TrendingPage.choice(
            measure: "", span: query["within"], counter: query["from"], server: server)
        let trends = try await TrendsPage.load(sort, choice, server: server, of: account)
        let view = trendsView(trends, own: account.publicKey, pages.noteStyle(context))
        return try await pages.page(
            title: sort == .topics ? "Trending topics" : "Trending people", at: .none, view,
            beside: feedAside(.trending(choice)), request: request, context: context)
    }
}

/// The address of trending topics or people.
func trendsPath(_ sort: TrendsPage.Sort, _ choice: TrendingChoice) -> Path {
    let path: Path = "/trending/\(sort.rawValue)?within=\(choice.span.rawValue)"
    return choice.server == nil ? path : path.with("from", "server")
}
