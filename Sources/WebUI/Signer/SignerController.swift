internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ViewModels

/// The signer: what waits, and deciding it; nothing of these pages is ever cached.
struct SignerController {
    private let signer: SignerPages
    private let waking: (any BrowserWaking)?

    /// - Parameter waking: has browsers woken; `nil` where no push proxy is known.
    init(pages: PageRenderer, signers: any SignerHosting, waking: (any BrowserWaking)?) {
        signer = SignerPages(pages: pages, signers: signers)
        self.waking = waking
    }

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/signer", use: waiting)
        router.post("/signer/decide", use: decide)
        router.post("/signer/pause", use: pause)
        SignerRequestController(signer: signer).addRoutes(to: router)
        SignerAppsController(signer: signer).addRoutes(to: router)
        SignerActivityController(signer: signer).addRoutes(to: router)
        SignerConnectController(signer: signer).addRoutes(to: router)
        SignerSettingsController(signer: signer, proxyName: waking?.proxyName).addRoutes(to: router)
        if let waking { SignerPushController(signer: signer, waking: waking).addRoutes(to: router) }
    }

    @Sendable private func waiting(_ request: Request, _ context: WebContext) async throws -> Response {
        try await page(await (try await model(context)).send(.opened), request, context)
    }

    @Sendable private func decide(_ request: Request, _ context: WebContext) async throws -> Response {
        let model = try await model(context)
        await model.send(.opened)
        let state = await model.send(.decide(chosenRequests(context.form), try requestChoice(context.form)))
        return try await afterDeciding(state, request, context)
    }

    @Sendable private func pause(_ request: Request, _ context: WebContext) async throws -> Response {
        let model = try await model(context)
        await model.send(.opened)
        return try await afterDeciding(await model.send(.pause(context.form["pause"] == "1")), request, context)
    }

    private func model(_ context: WebContext) async throws -> ScreenModel<RequestsState> {
        ScreenModel(
            requestsOf: try await signer.service(context), try context.requireAccount(),
            now: signer.pages.now)
    }

    /// The requests a form is about: all it names, or of those the ones that were ticked.
    private func chosenRequests(_ form: Form) -> [EventID] {
        form["ids"].split(separator: " ").filter { !form.has("picks") || form.has("pick_" + $0) }
            // What is no id is a request that does not wait.
            .compactMap { try? EventID(hex: String($0)) }
    }

    private func afterDeciding(
        _ state: RequestsState, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        if isFragment(request) || state.problem != nil { return try await page(state, request, context) }
        if let done = state.done { try context.requireSession().browser.leave(Notice(sentence: done)) }
        return redirect(to: state.left.map { "/signer/requests/\($0)" } ?? "/signer")
    }

    private func page(_ state: RequestsState, _ request: Request, _ context: WebContext) async throws -> Response {
        if case .failed(let trouble) = state.phase { throw trouble }
        let account = try context.requireAccount()
        let requests = WaitingRequests(
            state: state, token: try context.requireSession().formToken, style: signer.pages.noteStyle(context),
            unlocking: UnlockForm(
                key: account.publicKey, name: await PersonItem.own(of: account).name,
                asksForPassphrase: await signer.pages.opening.asksForPassphrase(account.publicKey)))
        let list = waitingRequestsView(requests)
        if isFragment(request) { return list.response() }
        return try await signer.page(
            "Signer", at: .waiting, list, request, context, status: state.problem == nil ? .ok : .unprocessableContent)
    }
}

/// What a form says to requests.
func requestChoice(_ form: Form) throws -> RequestChoice {
    guard let choice = RequestChoice(rawValue: form["answer"]) else { throw HTTPError(.badRequest) }
    return choice
}
