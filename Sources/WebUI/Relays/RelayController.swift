internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ViewModels

/// One relay: what is known of it, and what it is to the person.
struct RelayController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/relays/relay", use: show)
        router.post("/relays/relay/list", use: setListed)
    }

    @Sendable private func show(_ request: Request, _ context: WebContext) async throws -> Response {
        try await page(request.query["relay"], request, context)
    }

    private func page(
        _ relay: String, _ request: Request, _ context: WebContext, problem: String? = nil
    ) async throws -> Response {
        let account = try context.requireAccount()
        let view = RelayView(
            page: try await RelayPage.load(relay, of: account), problem: problem, canSign: account.canSign,
            token: try context.requireSession().formToken, style: pages.noteStyle(context))
        return try await pages.page(
            title: view.page.title, at: .relays, view.html, beside: relaysAside, request: request, context: context,
            status: problem == nil ? .ok : .unprocessableContent)
    }

    @Sendable private func setListed(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = context.form
        guard let number = UInt16(form["kind"]) else { throw HTTPError(.badRequest) }
        let (relay, isOn) = (form["relay"], form["off"] != "1")
        do {
            let sentence = try await RelayMembership.set(
                relay, isOn, on: Kind(number), form["d"], of: try context.requireAccount())
            var fields = ["relay": relay, "kind": form["kind"], "d": form["d"]]
            if isOn { fields["off"] = "1" }
            let undo = Notice.Undo(path: "/relays/relay/list", fields: fields)
            try context.requireSession().browser.leave(Notice(sentence: sentence, undo: undo))
        } catch let trouble as Trouble {
            return try await page(relay, request, context, problem: trouble.sentence)
        }
        return redirect(to: relayPath(relay))
    }
}

/// The page of a relay.
func relayPath(_ address: String) -> Path { Path("/relays/relay").with("relay", address) }
