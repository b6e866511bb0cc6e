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
        let state = await (try context.requireDesk()).drafts().send(.opened)
        let view = DraftsView(
            state: state, isLocked: session.isLocked, token: session.formToken, now: pages.clock.now())
        return try await pages.page(
            title: "Drafts", at: .more, draftsView(view), request: request, context: context)
    }

    @Sendable private func delete(_ request: Request, _ context: WebContext) async throws -> Response {
        let state = await (try context.requireDesk()).drafts().send(.delete(context.form["id"]))
        if case .failed(let trouble) = state.phase { throw trouble }
        try context.requireSession().browser.leave(Notice(sentence: "The draft is deleted."))
        return redirect(to: "/drafts")
    }
}
