internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import ViewModels

/// The relays: a map, their health, and how complete what the account reads is.
struct RelaysController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/relays", use: relays)
    }

    @Sendable private func relays(_ request: Request, _ context: WebContext) async throws -> Response {
        let page = try await RelaysPage.load(from: try context.requireAccount().network)
        return try await pages.page(
            title: "Relays", at: .relays, relaysView(page), beside: relaysAside, request: request, context: context)
    }
}
