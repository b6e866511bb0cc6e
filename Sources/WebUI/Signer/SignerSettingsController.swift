internal import HTTPTypes
internal import Hummingbird
internal import ViewModels

/// What holds for all apps, and how the signer's relays are doing.
struct SignerSettingsController {
    let signer: SignerPages
    /// Who wakes browsers; `nil` where no push proxy is known.
    let proxyName: String?

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/signer/relays", use: relays)
        router.get("/signer/settings") {
            try await page(try await .load(of: try await signer.service($1)), $0, $1)
        }
        router.post("/signer/settings/:act", use: change)
    }

    @Sendable private func relays(_ request: Request, _ context: WebContext) async throws -> Response {
        let view = try await SignerRelaysView.load(of: try await signer.service(context))
        let table = signerRelaysView(view, signer.pages.noteStyle(context))
        if isFragment(request) { return table.response() }
        return try await signer.page("Signer relays", at: .relays, table, request, context)
    }

    @Sendable private func change(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = context.form
        let service = try await signer.service(context)
        let change: SignerSettingsView.Change
        switch try context.parameters.require("act") {
        case "kinds":
            let kinds = try await SignerSettingsView.load(of: service).kinds.map { String($0.number) }
            change = .protect(kinds.filter { form.has("kind_" + $0) }, more: form["more"])
        case "default-kinds": change = .reset
        case "relays": change = .listen(form["relays"])
        case "passphrase": change = .askForPassphrase(form["ask"] == "1")
        default: throw HTTPError(.notFound)
        }
        let view = try await SignerSettingsView.apply(change, of: service)
        guard let done = view.done else { return try await page(view, request, context) }
        try context.requireSession().browser.leave(Notice(sentence: done))
        return redirect(to: "/signer/settings")
    }

    private func page(
        _ view: SignerSettingsView, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let body = signerSettingsView(
            view, more: context.form["more"], proxyName: proxyName, try context.requireSession().formToken)
        return try await signer.page(
            "Signer settings", at: .settings, body, request, context,
            status: view.problem == nil ? .ok : .unprocessableContent)
    }
}
