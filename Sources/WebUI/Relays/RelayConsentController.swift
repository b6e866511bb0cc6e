internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import ViewModels

/// Relays that want to know who the person is: the questions, and the answers to be taken back.
struct RelayConsentController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/relays/auth", use: show)
        router.post("/relays/auth", use: answer)
    }

    @Sendable private func show(_ request: Request, _ context: WebContext) async throws -> Response {
        let page = try await RelayConsentPage.load(from: try context.requireAccount())
        let view = relayConsentView(page, try context.requireSession().formToken)
        return try await pages.page(
            title: "Relays that ask who you are", at: .relays, view, beside: relayConsentAside, request: request,
            context: context)
    }

    @Sendable private func answer(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = context.form
        let account = try context.requireAccount()
        let answer = form["answer"]
        let consent = RelayConsent(rawValue: answer)
        guard consent != nil || answer == "revoke" else { throw HTTPError(.badRequest) }
        // Without an address the answer is for all that wait now.
        let waiting = try await RelayConsentPage.load(from: account).questions.map(\.address)
        try await RelayConsentPage.answer(
            consent, for: form["relay"].isEmpty ? waiting : [form["relay"]], of: account)
        return redirect(to: context.back(else: "/relays/auth"))
    }
}
