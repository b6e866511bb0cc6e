internal import HTTPTypes
internal import Hummingbird
internal import ViewModels

/// The apps, and one app: its name, trust, permissions, limits, history, and unpairing it.
struct SignerAppsController {
    let signer: SignerPages

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/signer/apps", use: list)
        router.get("/signer/app", use: app)
        router.post("/signer/app/:act", use: change)
    }

    @Sendable private func list(_ request: Request, _ context: WebContext) async throws -> Response {
        let list = appListView(
            try await AppItem.all(of: try await signer.service(context)), signer.pages.noteStyle(context))
        if isFragment(request) { return list.response() }
        return try await signer.page("Apps", at: .apps, list, request, context)
    }

    @Sendable private func app(_ request: Request, _ context: WebContext) async throws -> Response {
        let query = request.query
        return try await page(query["app"], AppPage.Chosen(permission: query["permission"]), request, context)
    }

    @Sendable private func change(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = context.form
        let change = try appChange(try context.parameters.require("act"), form)
        let outcome = try await change.apply(
            to: form["app"], of: try await signer.service(context), now: signer.pages.now)
        let browser = try context.requireSession().browser
        switch outcome {
        case .saved(let sentence):
            browser.leave(Notice(sentence: sentence))
            return redirect(to: appPath(form["app"]))
        case .unpaired(let sentence):
            browser.leave(Notice(sentence: sentence))
            return redirect(to: "/signer/apps")
        case .refused(let problem):
            let chosen = AppPage.Chosen(
                permission: form["permission"], isChoosing: form.has("permission"), isLimiting: form.has("from"))
            return try await page(form["app"], chosen, problem: problem, request, context)
        case .noApp: throw HTTPError(.notFound, message: SignerWords.notPaired)
        }
    }

    private func appChange(_ act: String, _ form: Form) throws -> AppChange {
        switch act {
        case "rename": return .rename(form["name"], trust: form["trust"])
        case "choose":
            return .choose(
                AppChange.Choice(
                    permission: form["permission"], verdict: form["verdict"],
                    span: Int64(form["span"]).flatMap { $0 > 0 ? .seconds($0) : nil }, perHour: form["per-hour"]))
        case "limit": return .limit(perHour: form["per-hour"], from: form["from"], until: form["until"])
        case "unpair": return .unpair
        default: throw HTTPError(.notFound)
        }
    }

    private func page(
        _ word: String, _ chosen: AppPage.Chosen, problem: String? = nil, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        guard
            let view = try await AppView.load(
                word, of: try await signer.service(context), now: signer.pages.now)
        else { throw HTTPError(.notFound, message: SignerWords.notPaired) }
        let page = AppPage(
            view: view, chosen: chosen, problem: problem, token: try context.requireSession().formToken,
            style: signer.pages.noteStyle(context))
        return try await signer.page(
            view.app.title, at: .apps, back: "/signer/apps", appPageView(page), request, context,
            status: problem == nil ? .ok : .unprocessableContent)
    }
}
