internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ViewModels

/// Earlier versions of what the account published, and bringing one back.
struct HistoryController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/history", use: histories)
        router.get("/history/:kind", use: versions)
        router.post("/history/:kind/restore", use: restore)
    }

    @Sendable private func histories(_ request: Request, _ context: WebContext) async throws -> Response {
        let rows = try await HistoryRow.load(of: try context.requireAccount())
        return try await pages.page(
            title: "Time machine", at: .more, historyView(rows, now: pages.now), request: request,
            context: context)
    }

    @Sendable private func versions(_ request: Request, _ context: WebContext) async throws -> Response {
        try await versionsPage(try await page(context, request.query), request, context)
    }

    @Sendable private func restore(_ request: Request, _ context: WebContext) async throws -> Response {
        let page = try await page(context, context.form)
        // What is no id is refused like an id of another event.
        guard let id = try? EventID(hex: context.form["id"]) else { throw HTTPError(.notFound) }
        do {
            try await page.restore(id, of: try context.requireAccount())
        } catch let trouble as Trouble {
            return try await versionsPage(page, problem: trouble.sentence, request, context)
        }
        try context.requireSession().browser.leave(
            Notice(sentence: HistoryWords.restored))
        return redirect(to: historyPath(page.address))
    }

    private func page(_ context: WebContext, _ form: Form) async throws -> VersionsPage {
        guard let kind = UInt16(try context.parameters.require("kind")) else { throw HTTPError(.notFound) }
        return try await .load(Kind(kind), identifier: form["d"], of: try context.requireAccount())
    }

    private func versionsPage(
        _ page: VersionsPage, problem: String? = nil, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let view = VersionsView(
            page: page, problem: problem, canSign: try context.requireAccount().canSign,
            token: try context.requireSession().formToken, now: pages.now)
        return try await pages.page(
            title: page.title, at: .more, versionsView(view), request: request, context: context,
            status: problem == nil ? .ok : .unprocessableContent)
    }
}
