internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import ViewModels

/// The relays: a map, their health, and how complete what the account reads is.
struct RelaysController {
    let pages: PageRenderer
    let settings: any SettingsKeeping

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/relays", use: relays)
        router.post("/relays/allowed", use: allow)
    }

    @Sendable private func relays(_ request: Request, _ context: WebContext) async throws -> Response {
        let page = try await RelaysPage.load(from: try context.requireAccount().network)
        let place = RelaysPlace(
            relays: request.uri.queryParameters["relays"].flatMap { Int($0) } ?? 0,
            people: request.uri.queryParameters["people"].flatMap { Int($0) } ?? 0)
        let allowed = AllowedRelaysForm(
            addresses: context.settings.allowedRelays.sorted(), token: try context.requireSession().formToken)
        return try await pages.page(
            title: "Relays", at: .relays, relaysView(page, at: place, allowed), beside: relaysAside, request: request,
            context: context)
    }

    @Sendable private func allow(_ request: Request, _ context: WebContext) async throws -> Response {
        try await AllowedRelays(settings).set(context.form["relay"], context.form["off"] != "1")
        return redirect(to: "/relays")
    }
}
