internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// One request in full, deciding it, and bringing back the version in force instead.
struct SignerRequestController {
    let signer: SignerPages

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/signer/requests/:id") { try await page(await (try await model($1)).send(.opened), $0, $1) }
        router.post("/signer/requests/:id/decide", use: decide)
        router.post("/signer/requests/:id/restore", use: restore)
    }

    @Sendable private func decide(_ request: Request, _ context: WebContext) async throws -> Response {
        let model = try await model(context)
        let choice = try requestChoice(context.form)
        let state = await model.send(decision(choice, context.form, about: await model.send(.opened)))
        return try await afterDeciding(state, request, context)
    }

    @Sendable private func restore(_ request: Request, _ context: WebContext) async throws -> Response {
        let model = try await model(context)
        await model.send(.opened)
        return try await afterDeciding(await model.send(.restore), request, context)
    }

    private func model(_ context: WebContext) async throws -> ScreenModel<RequestReview> {
        // What is no id names no request.
        guard let id = try? EventID(hex: try context.parameters.require("id")) else { throw HTTPError(.notFound) }
        return ScreenModel(
            request: id, of: try await signer.service(context), try context.requireAccount(),
            now: signer.pages.now)
    }

    private func afterDeciding(
        _ state: RequestReview, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        guard let done = state.done else { return try await page(state, request, context) }
        try context.requireSession().browser.leave(Notice(sentence: done))
        return redirect(to: "/signer")
    }

    private func page(_ state: RequestReview, _ request: Request, _ context: WebContext) async throws -> Response {
        if case .failed(let trouble) = state.phase { throw trouble }
        guard let detail = state.detail else {
            return try await signer.page(
                "Request", at: .waiting, back: "/signer", goneRequest, request, context, status: .notFound)
        }
        let body = requestPage(
            state, detail, try context.requireSession().formToken, signer.pages.noteStyle(context))
        return try await signer.page(
            "Request", at: .waiting, back: "/signer", body, request, context,
            status: state.problem == nil ? .ok : .unprocessableContent)
    }
}

/// What a form says to a request: to an app that wants to be paired, also how far it is trusted and what it may from now on.
func decision(_ choice: RequestChoice, _ form: Form, about state: RequestReview) -> RequestReview.Input {
    guard let item = state.detail?.item, item.sort == .pairing, choice == .once else {
        return .decide(choice, knowingLoss: form["knowing"] == "1")
    }
    return .pair(granting: item.wishes.map(\.word).filter { form.has("grant_" + $0) }, trust: form["trust"])
}
