internal import HTTPTypes
internal import Hummingbird
internal import ViewModels

/// What was written and not published.
struct DraftsController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/drafts", use: drafts)
        router.post("/drafts/delete", use: delete)
    }

    @Sendable private func drafts(_ request: Request, _ context: WebContext) async throws -> Response {
        let session = try context.requireSession()
        let account = try context.requireAccount()
        let rows: Result<[DraftRow], Trouble>
        do { rows = .success(try await DraftRow.load(of: account)) } catch { rows = .failure(error) }
        let view = DraftsView(
            rows: rows, isLocked: session.isLocked, token: session.formToken, now: pages.now)
        return try await pages.page(
            title: "Drafts", at: .more, draftsView(view), request: request, context: context)
    }

    @Sendable private func delete(_ request: Request, _ context: WebContext) async throws -> Response {
        try await DraftRow.delete(context.form["id"], of: try context.requireAccount())
        try context.requireSession().browser.leave(Notice(sentence: ComposeWords.draftDeleted))
        return redirect(to: "/drafts")
    }
}
