internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import ViewModels

/// The relays: a map, their health, and how complete what the account reads is.
struct RelaysController {
    let pages: PageRenderer
    let settings: any SettingsKeeping
    let opening: any AccountOpening

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/relays", use: relays)
        router.post("/relays/allowed", use: allow)
        router.post("/relays/own", use: setOwn)
        router.post("/relays/own/publish", use: publishOwn)
    }

    @Sendable private func relays(_ request: Request, _ context: WebContext) async throws -> Response {
        try await relaysPage(request, context)
    }

    private func relaysPage(
        _ request: Request, _ context: WebContext, problem: String? = nil
    ) async throws -> Response {
        let account = try context.requireAccount()
        let page = try await RelaysPage.load(from: account.network)
        let own = OwnRelaysForm(
            editor: try await .load(from: account), problem: problem,
            written: problem == nil ? "" : context.form["relay"], canSign: account.canSign,
            token: try context.requireSession().formToken)
        let place = RelaysPlace(
            relays: request.uri.queryParameters["relays"].flatMap { Int($0) } ?? 0,
            people: request.uri.queryParameters["people"].flatMap { Int($0) } ?? 0)
        let lists = try await RelayLists.load(of: account)
        let allowed = AllowedRelaysForm(
            addresses: context.settings.allowedRelays.sorted(), token: try context.requireSession().formToken)
        return try await pages.page(
            title: "Relays", at: .relays, relaysView(page, at: place, own, lists, allowed, now: pages.now),
            beside: relaysAside,
            request: request, context: context, status: problem == nil ? .ok : .unprocessableContent)
    }

    @Sendable private func setOwn(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = context.form
        guard let use = OwnRelaysEditor.Use(rawValue: form["use"]) else { throw HTTPError(.badRequest) }
        let account = try context.requireAccount()
        do {
            let before = try await OwnRelaysEditor.load(from: account).rows.first { $0.address == form["relay"] }
            let sentence = try await OwnRelaysEditor.set(form["relay"], use, of: account)
            let undo = before.map {
                Notice.Undo(path: "/relays/own", fields: ["relay": $0.address, "use": $0.use.rawValue])
            }
            try context.requireSession().browser.leave(Notice(sentence: sentence, undo: undo))
        } catch let trouble as Trouble {
            return try await relaysPage(request, context, problem: trouble.sentence)
        }
        return redirect(to: context.back(else: "/relays"))
    }

    @Sendable private func publishOwn(_ request: Request, _ context: WebContext) async throws -> Response {
        do {
            let sentence = try await OwnRelaysEditor.publish(of: try context.requireAccount())
            try context.requireSession().browser.leave(Notice(sentence: sentence))
        } catch let trouble as Trouble {
            return try await relaysPage(request, context, problem: trouble.sentence)
        }
        return redirect(to: "/relays")
    }

    @Sendable private func allow(_ request: Request, _ context: WebContext) async throws -> Response {
        _ = try context.requireAccount()
        let sentence = try await AllowedRelays(settings, for: opening)
            .set(context.form["relay"], context.form["off"] != "1")
        try context.requireSession().browser.leave(Notice(sentence: sentence))
        return redirect(to: context.back(else: "/relays"))
    }
}
