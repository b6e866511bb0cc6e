internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// Articles by their addresses, with the comments below them.
struct ArticlesController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/article/:code", use: article)
    }

    @Sendable private func article(_ request: Request, _ context: WebContext) async throws -> Response {
        let (code, pointer) = try context.requireArticle()
        let account = try context.requireAccount()
        // What is no id is as good as none: the first comments are shown.
        let reply = request.uri.queryParameters["after"].flatMap { try? EventID(hex: String($0)) }
        let isUnveiled = request.uri.queryParameters["show"] == "1"
        let page: Result<ArticlePage?, Trouble>
        do {
            page = .success(
                try await ArticlePage.load(pointer, after: reply, evenMuted: isUnveiled, of: account))
        } catch {
            page = .failure(error)
        }
        let style = pages.noteStyle(context)
        let view = ArticleView(
            page: page, path: "/article/\(code)", token: try context.requireSession().formToken, style: style)
        return try await pages.page(
            title: view.article?.title ?? "Article", at: .none, articleView(view),
            beside: view.article?.note.map { articleAside($0, style) } ?? HTML(), parts: [.notes, .articles],
            request: request, context: context, status: view.isMissing ? .notFound : .ok)
    }
}
