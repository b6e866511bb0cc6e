internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// Earlier versions of what one published, and bringing one back.
func addHistory(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/history") { request, context in
        let state = await (try context.requireDesk()).histories().send(.opened)
        if case .failed(let trouble) = state.phase { throw trouble }
        let now = house.clock.now()
        let values: [String: Any] = [
            "isEmpty": state.rows.isEmpty,
            "rows": state.rows.map { row -> [String: Any] in
                [
                    "href": historyPath(row.address), "title": row.title, "versions": row.versions,
                    "isOne": row.versions == 1, "when": spoken(row.newest, now: now), "utc": utc(row.newest),
                ]
            },
        ]
        return try await house.page(
            title: "Time machine", at: .more, house.templates.render("history", values), request: request,
            context: context)
    }
    router.get("/history/:kind") { request, context in
        let model = try versionsModel(context, Form(encoded: request.uri.query ?? ""))
        return try await versionsPage(await model.send(.opened), request, context, house)
    }
    router.post("/history/:kind/restore") { request, context in
        let model = try versionsModel(context, context.form)
        await model.send(.opened)
        // What is no id is refused like an id of another event.
        guard let id = try? EventID(hex: context.form["id"]) else { throw HTTPError(.notFound) }
        let state = await model.send(.restore(id))
        guard state.isRestored else { return try await versionsPage(state, request, context, house) }
        try context.requireSession().browser.leave(
            Notice(sentence: "Restored: that version is in force again, as the newest."))
        return redirect(to: historyPath(state.address))
    }
}

private func historyPath(_ address: EventAddress) -> String {
    "/history/\(address.kind.rawValue)"
        + (address.identifier.isEmpty ? "" : "?d=" + encodePercent(address.identifier))
}

private func versionsModel(_ context: WebContext, _ form: Form) throws -> ScreenModel<VersionsState> {
    guard let kind = UInt16(try context.parameters.require("kind")) else { throw HTTPError(.notFound) }
    return (try context.requireDesk()).versions(Kind(kind), identifier: form["d"])
}

private func versionsPage(
    _ state: VersionsState, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    if case .failed(let trouble) = state.phase { throw trouble }
    let now = house.clock.now()
    let canSign = try context.requireDesk().canSign
    let values: [String: Any] = [
        "csrf": try context.requireSession().formToken, "title": state.title, "isEmpty": state.rows.isEmpty,
        "action": "/history/\(state.address.kind.rawValue)/restore", "d": state.address.identifier,
        "hasProblem": state.problem != nil, "problem": state.problem ?? "",
        "isLocked": try context.requireSession().isLocked,
        "rows": state.rows.map { row -> [String: Any] in
            [
                "id": row.id.hex, "short": String(row.id.hex.prefix(8)), "utc": utc(row.madeAt),
                "when": spoken(row.madeAt, now: now), "isCurrent": row.isCurrent, "lines": row.words.lines,
                "lostMost": row.words.lostMost, "hasEntries": row.entries != nil, "entries": row.entries ?? 0,
                "isOneEntry": row.entries == 1, "isClosed": row.isClosed, "canRestore": !row.isCurrent && canSign,
            ]
        },
    ]
    return try await house.page(
        title: state.title, at: .more, house.templates.render("versions", values), request: request, context: context,
        status: state.problem == nil ? .ok : .unprocessableContent)
}
