internal import HTTPTypes
internal import Hummingbird
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
        let state = await (try context.requireDesk()).histories().send(.opened)
        if case .failed(let trouble) = state.phase { throw trouble }
        return try await pages.page(
            title: "Time machine", at: .more, historyView(state.rows, now: pages.clock.now()), request: request,
            context: context)
    }

    @Sendable private func versions(_ request: Request, _ context: WebContext) async throws -> Response {
        let model = try model(context, request.query)
        return try await versionsPage(await model.send(.opened), request, context)
    }

    @Sendable private func restore(_ request: Request, _ context: WebContext) async throws -> Response {
        let model = try model(context, context.form)
        await model.send(.opened)
        // What is no id is refused like an id of another event.
        guard let id = try? EventID(hex: context.form["id"]) else { throw HTTPError(.notFound) }
        let state = await model.send(.restore(id))
        guard state.isRestored else { return try await versionsPage(state, request, context) }
        try context.requireSession().browser.leave(
            Notice(sentence: "Restored: that version is in force again, as the newest."))
        return redirect(to: historyPath(state.address))
    }

    private func model(_ context: WebContext, _ form: Form) throws -> ScreenModel<VersionsState> {
        guard let kind = UInt16(try context.parameters.require("kind")) else { throw HTTPError(.notFound) }
        return (try context.requireDesk()).versions(Kind(kind), identifier: form["d"])
    }

    private func versionsPage(
        _ state: VersionsState, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        if case .failed(let trouble) = state.phase { throw trouble }
        let view = VersionsView(
            state: state, canSign: try context.requireDesk().canSign, token: try context.requireSession().formToken,
            now: pages.clock.now())
        return try await pages.page(
            title: state.title, at: .more, versionsView(view), request: request, context: context,
            status: state.problem == nil ? .ok : .unprocessableContent)
    }
}
