internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// Pairing: one's own token as a code and as text, and an app's token pasted or followed here.
func addSignerConnect(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/signer/connect") { request, context in
        let model = try await signerDesk(context, house).connect(now: house.clock.now())
        var state = await model.send(.opened)
        // A link an app or another page leads here with; it only shows what is asked.
        let uri = Form(encoded: request.uri.query ?? "")["uri"]
        if !uri.isEmpty { state = await model.send(.paste(uri)) }
        return try await connectPage(state, request, context, house)
    }
    router.post("/signer/connect") { request, context in
        let model = try await signerDesk(context, house).connect(now: house.clock.now())
        await model.send(.opened)
        return try await connectPage(await model.send(.paste(context.form["uri"])), request, context, house)
    }
    router.post("/signer/connect/renew") { request, context in
        let model = try await signerDesk(context, house).connect(now: house.clock.now())
        await model.send(.opened)
        let state = await model.send(.renew)
        guard state.problem == nil else { return try await connectPage(state, request, context, house) }
        try context.requireSession().browser.leave(
            Notice(sentence: "This is a new token. The one before lets nobody in any more."))
        return redirect(to: "/signer/connect")
    }
    router.post("/signer/connect/pair") { request, context in
        let form = context.form
        let model = try await signerDesk(context, house).connect(now: house.clock.now())
        await model.send(.opened)
        let read = await model.send(.paste(form["uri"]))
        let granted = (read.token?.wishes ?? []).map(\.word).filter { form.has("grant_" + $0) }
        let state = await model.send(
            .pair(ConnectState.Terms(name: form["name"], trust: form["trust"], granted: granted)))
        return try await connectPage(state, request, context, house)
    }
}

private func connectPage(
    _ state: ConnectState, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    let style = house.noteStyle(context)
    var values: [String: Any] = [
        "csrf": try context.requireSession().formToken, "invitation": state.invitation ?? "",
        "hasInvitation": state.invitation != nil, "relays": state.relays, "pasted": state.pasted,
        "hasProblem": state.problem != nil, "problem": state.problem ?? "", "isTrouble": false,
        "longest": AppState.longestName, "told": state.told, "isOneTold": state.told == 1,
        "isHeardOf": state.isHeardOf, "isTold": state.told > 0,
    ]
    if case .failed(let trouble) = state.phase {
        values["isTrouble"] = true
        values["trouble"] = trouble.sentence
    }
    if let invitation = state.invitation, let code = qrCode(invitation, title: "Code with your signer's token") {
        values["codeHTML"] = code
    }
    values["token"] = state.token.map(tokenValues)
    values["paired"] = state.paired.map { appValues($0, style) }
    if isFragment(request) {
        let part = request.method == .post ? "signer-paired" : "signer-invitation"
        // What was asked for is not what the page for others of its kind shows.
        return house.fragment(
            house.templates.render(state.paired == nil && part == "signer-paired" ? "signer-token" : part, values))
    }
    let name = state.paired != nil ? "signer-paired" : (state.token != nil ? "signer-token" : "signer-connect")
    let isUnder = name != "signer-connect"
    return try await signerPage(
        isUnder ? "Connect an app" : "Connect", at: .connect, back: isUnder ? "/signer/connect" : nil,
        house.templates.render(name, values), request, context, house,
        status: state.problem == nil ? .ok : .unprocessableContent)
}

private func tokenValues(_ token: TokenItem) -> [String: Any] {
    [
        "text": token.text, "name": token.name, "hasName": !token.name.isEmpty, "page": token.page,
        "hasPage": !token.page.isEmpty, "mark": token.mark, "relays": token.relays,
        "wishes": wishValues(token.wishes), "hasWishes": !token.wishes.isEmpty,
        "trusts": token.trustChoices.map(trustValues),
    ]
}
