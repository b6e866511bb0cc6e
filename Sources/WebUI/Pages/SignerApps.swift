internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// The apps, and one app: its name, trust, permissions, limits, history, and unpairing it.
func addSignerApps(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/signer/apps") { request, context in
        let state = await (try await signerDesk(context, house)).apps().send(.opened)
        if case .failed(let trouble) = state.phase { throw trouble }
        let style = house.noteStyle(context)
        let list = house.templates.render(
            "signer-apps",
            ["isEmpty": state.apps.isEmpty, "apps": state.apps.map { appValues($0, style) }] as [String: Any])
        if isFragment(request) { return house.fragment(list) }
        return try await signerPage("Apps", at: .apps, list, request, context, house)
    }
    router.get("/signer/app") { request, context in
        let model = try await appModel(Form(encoded: request.uri.query ?? ""), context, house)
        return try await appPage(await model.send(.opened), request, context, house)
    }
    router.post("/signer/app/:act") { request, context in
        let form = context.form
        let model = try await appModel(form, context, house)
        await model.send(.opened)
        let state = await model.send(try appInput(try context.parameters.require("act"), form))
        let browser = try context.requireSession().browser
        if state.isGone {
            browser.leave(Notice(sentence: "“\(state.app?.title ?? "")” is unpaired: it may not do anything any more."))
            return redirect(to: "/signer/apps")
        }
        guard let done = state.done else { return try await appPage(state, request, context, house) }
        browser.leave(Notice(sentence: done))
        return redirect(to: appPath(form["app"]))
    }
}

/// The page of an app.
func appPath(_ word: String) -> String { "/signer/app?app=" + encodePercent(word) }

private func appModel(_ form: Form, _ context: WebContext, _ house: House) async throws -> ScreenModel<AppState> {
    guard let model = try await signerDesk(context, house).app(form["app"], now: house.clock.now()) else {
        throw HTTPError(.notFound)
    }
    return model
}

private func appInput(_ act: String, _ form: Form) throws -> AppState.Input {
    switch act {
    case "rename": return .rename(form["name"], trust: form["trust"])
    case "choose":
        return .choose(
            AppState.Choice(
                permission: form["permission"], verdict: form["verdict"],
                span: Int64(form["span"]).flatMap { $0 > 0 ? .seconds($0) : nil }, perHour: form["per-hour"]))
    case "limit": return .limit(perHour: form["per-hour"], from: form["from"], until: form["until"])
    case "unpair": return .unpair
    default: throw HTTPError(.notFound)
    }
}

private func appPage(
    _ state: AppState, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    if case .failed(let trouble) = state.phase { throw trouble }
    guard let app = state.app else { throw HTTPError(.notFound, message: "This app is not paired.") }
    let style = house.noteStyle(context)
    let asked = Form(encoded: request.uri.query ?? "")["permission"]
    let hours = state.shownHours
    let extra = state.permissions.filter(\.isMoreThanGranted)
    let values: [String: Any] = [
        "csrf": try context.requireSession().formToken, "app": appValues(app, style), "formWord": app.word,
        "name": state.name, "longest": AppState.longestName,
        "trusts": state.trustChoices.map(trustValues),
        "permissions": state.permissions.map { permissionValues($0, style) },
        "hasPermissions": !state.permissions.isEmpty, "extra": extra.count, "hasExtra": !extra.isEmpty,
        "isOneExtra": extra.count == 1, "limit": state.perHour.map(String.init) ?? "", "from": hours?.from ?? "",
        "until": hours?.until ?? "", "relays": state.relays, "hasRelays": !state.relays.isEmpty,
        "lines": state.history.map { activityValues($0, style) }, "hasLines": !state.history.isEmpty,
        "hasProblem": state.problem != nil, "problem": state.problem ?? "",
        "asked": context.form["permission"].isEmpty ? asked : context.form["permission"],
        "isChoosing": !asked.isEmpty || state.problem != nil && context.form.has("permission"),
        "isLimiting": state.problem != nil && context.form.has("from"), "isAsking": !asked.isEmpty,
    ]
    return try await signerPage(
        app.title, at: .apps, back: "/signer/apps", house.templates.render("signer-app", values), request, context,
        house, status: state.problem == nil ? .ok : .unprocessableContent)
}

/// A level of trust for the templates.
func trustValues(_ choice: TrustChoice) -> [String: Any] {
    ["value": choice.word, "label": choice.title, "hint": choice.lead, "isChosen": choice.isChosen]
}

private func permissionValues(_ item: PermissionItem, _ style: NoteStyle) -> [String: Any] {
    let words: [PermissionItem.Standing: String] = [.allowed: "allowed", .asked: "you are asked", .refused: "refused"]
    return [
        "word": item.word, "title": item.title, "standing": item.standing.rawValue,
        "standingWords": words[item.standing] ?? "", "isChosen": item.isChosen, "isRequested": item.isRequested,
        "isGiven": item.isGiven,
        "isMore": item.isMoreThanGranted, "hasEnd": item.expires != nil && !item.isExpired,
        "endUTC": item.expires.map(utc) ?? "", "isExpired": item.isExpired, "hasLimit": item.perHour != nil,
        "limit": item.perHour ?? 0, "href": appPathSuffix(item.word),
    ]
}

private func appPathSuffix(_ permission: String) -> String { "&permission=" + encodePercent(permission) + "#choose" }
