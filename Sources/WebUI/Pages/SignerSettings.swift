internal import HTTPTypes
internal import Hummingbird
internal import ViewModels

/// What holds for all apps, and how the signer's relays are doing.
func addSignerSettings(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/signer/relays") { request, context in
        let state = await (try await signerDesk(context, house)).relays().send(.opened)
        return try await signerRelaysPage(state, request, context, house)
    }
    router.get("/signer/settings") { request, context in
        let state = await (try await signerDesk(context, house)).settings().send(.opened)
        return try await signerSettingsPage(state, request, context, house)
    }
    router.post("/signer/settings/:act") { request, context in
        let form = context.form
        let model = try await signerDesk(context, house).settings()
        let now = await model.send(.opened)
        let input: SignerSettingsState.Input =
            switch try context.parameters.require("act") {
            case "kinds":
                .protect(now.kinds.map { String($0.number) }.filter { form.has("kind_" + $0) }, more: form["more"])
            case "default-kinds": .reset
            case "relays": .listen(form["relays"])
            default: throw HTTPError(.notFound)
            }
        let state = await model.send(input)
        guard let done = state.done else { return try await signerSettingsPage(state, request, context, house) }
        try context.requireSession().browser.leave(Notice(sentence: done))
        return redirect(to: "/signer/settings")
    }
}

private func signerSettingsPage(
    _ state: SignerSettingsState, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    if case .failed(let trouble) = state.phase { throw trouble }
    let values: [String: Any] = [
        "csrf": try context.requireSession().formToken, "isPaused": state.isPaused, "relays": state.relays,
        "kinds": state.kinds.map {
            ["number": Int($0.number), "label": $0.title, "isChosen": $0.isProtected] as [String: Any]
        },
        "more": context.form["more"], "hasProblem": state.problem != nil, "problem": state.problem ?? "",
        "mostRelays": SignerSettingsState.mostRelays, "canWake": house.waking != nil,
        "proxyName": house.waking?.proxyName ?? "",
    ]
    return try await signerPage(
        "Signer settings", at: .settings, house.templates.render("signer-settings", values), request, context, house,
        status: state.problem == nil ? .ok : .unprocessableContent)
}

private func signerRelaysPage(
    _ state: SignerRelaysState, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    if case .failed(let trouble) = state.phase { throw trouble }
    let now = house.clock.now()
    let values: [String: Any] = [
        "isEmpty": state.rows.isEmpty, "listening": state.listening, "count": state.rows.count,
        "hasLast": state.lastRequest != nil, "lastUTC": state.lastRequest.map(utc) ?? "",
        "last": state.lastRequest.map { spoken($0, now: now) } ?? "",
        "rows": state.rows.map { row -> [String: Any] in
            [
                "name": row.name, "health": row.health, "words": row.words, "problem": row.problem ?? "",
                "hasProblem": row.problem != nil, "isOwn": row.isOwn, "apps": row.apps.joined(separator: ", "),
                "hasApps": !row.apps.isEmpty, "hasLast": row.lastRequest != nil,
                "lastUTC": row.lastRequest.map(utc) ?? "", "last": row.lastRequest.map { spoken($0, now: now) } ?? "",
                "requests": spoken(count: row.requests), "taken": spoken(count: row.answersTaken),
                "refused": spoken(count: row.answersRefused), "hasRefused": row.answersRefused > 0,
            ]
        },
    ]
    let table = house.templates.render("signer-relays", values)
    if isFragment(request) { return house.fragment(table) }
    return try await signerPage("Signer relays", at: .relays, table, request, context, house)
}
