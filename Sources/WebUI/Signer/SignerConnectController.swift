internal import HTTPTypes
internal import Hummingbird
internal import ViewModels

/// Pairing: the signer's token as a code and as text, and an app's token pasted or followed here.
struct SignerConnectController {
    let signer: SignerPages

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/signer/connect", use: open)
        router.post("/signer/connect", use: paste)
        router.post("/signer/connect/renew", use: renew)
        router.post("/signer/connect/pair", use: pair)
    }

    @Sendable private func open(_ request: Request, _ context: WebContext) async throws -> Response {
        let model = try await model(context)
        var state = await model.send(.opened)
        // A link an app or another page leads here with; it only shows what is asked.
        let uri = request.query["uri"]
        if !uri.isEmpty { state = await model.send(.paste(uri)) }
        return try await page(state, request, context)
    }

    @Sendable private func paste(_ request: Request, _ context: WebContext) async throws -> Response {
        let model = try await model(context)
        await model.send(.opened)
        return try await page(await model.send(.paste(context.form["uri"])), request, context)
    }

    @Sendable private func renew(_ request: Request, _ context: WebContext) async throws -> Response {
        let model = try await model(context)
        await model.send(.opened)
        let state = await model.send(.renew(trust: context.form["trust"]))
        guard state.problem == nil else { return try await page(state, request, context) }
        try context.requireSession().browser.leave(Notice(sentence: SignerWords.newToken))
        return redirect(to: "/signer/connect")
    }

    @Sendable private func pair(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = context.form
        let model = try await model(context)
        await model.send(.opened)
        let read = await model.send(.paste(form["uri"]))
        let granted = (read.token?.wishes ?? []).map(\.word).filter { form.has("grant_" + $0) }
        let terms = ConnectState.Terms(name: form["name"], trust: form["trust"], granted: granted)
        return try await page(await model.send(.pair(terms)), request, context)
    }

    private func model(_ context: WebContext) async throws -> ScreenModel<ConnectState> {
        ScreenModel(connect: try await signer.service(context), now: signer.pages.now)
    }

    private func page(_ state: ConnectState, _ request: Request, _ context: WebContext) async throws -> Response {
        let token = try context.requireSession().formToken
        let status: HTTPResponse.Status = state.problem == nil ? .ok : .unprocessableContent
        if isFragment(request) {
            // What was asked for is not what the page for others of its kind shows.
            guard request.method == .post else { return invitationView(state, token).response() }
            return (state.paired.map { pairedView($0, state) } ?? appTokenView(state, token)).response()
        }
        if let paired = state.paired {
            return try await signer.page(
                "Connect an app", at: .connect, back: "/signer/connect", pairedView(paired, state), request, context,
                status: status)
        }
        if state.token != nil {
            return try await signer.page(
                "Connect an app", at: .connect, back: "/signer/connect", appTokenView(state, token), request, context,
                status: status)
        }
        return try await signer.page(
            "Connect", at: .connect, connectView(state, token), request, context, status: status)
    }
}
