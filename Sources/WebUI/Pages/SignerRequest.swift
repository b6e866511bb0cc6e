internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// One request in full, deciding it, and bringing back the version in force instead.
func addSignerRequest(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/signer/requests/:id") { request, context in
        let state = await (try await requestModel(context, house)).send(.opened)
        return try await requestPage(state, request, context, house)
    }
    router.post("/signer/requests/:id/decide") { request, context in
        let model = try await requestModel(context, house)
        let answer = try requestAnswer(context.form)
        let state = await model.send(decision(answer, context.form, about: await model.send(.opened)))
        return try await afterDeciding(state, request, context, house)
    }
    router.post("/signer/requests/:id/restore") { request, context in
        let model = try await requestModel(context, house)
        await model.send(.opened)
        return try await afterDeciding(await model.send(.restore), request, context, house)
    }
}

/// What a form says to a request: to an app that wants to be paired, also what it may from now on.
func decision(_ answer: RequestAnswer, _ form: Form, about state: RequestState) -> RequestState.Input {
    guard let item = state.detail?.item, item.sort == .pairing, answer == .once else {
        return .decide(answer, knowingLoss: form["knowing"] == "1")
    }
    return .pair(granting: item.wishes.map(\.word).filter { form.has("grant_" + $0) })
}

/// What an app would like to be allowed, for the templates.
func wishValues(_ wishes: [WishItem]) -> [[String: Any]] {
    wishes.map { ["word": $0.word, "label": $0.title, "isDelicate": $0.isDelicate] }
}

private func requestModel(_ context: WebContext, _ house: House) async throws -> ScreenModel<RequestState> {
    // What is no id names no request.
    guard let id = try? EventID(hex: try context.parameters.require("id")) else { throw HTTPError(.notFound) }
    return try await signerDesk(context, house).request(id, now: house.clock.now())
}

private func afterDeciding(
    _ state: RequestState, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    guard let done = state.done else { return try await requestPage(state, request, context, house) }
    try context.requireSession().browser.leave(Notice(sentence: done))
    return redirect(to: "/signer")
}

private func requestPage(
    _ state: RequestState, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    if case .failed(let trouble) = state.phase { throw trouble }
    guard let detail = state.detail else {
        return try await signerPage(
            "Request", at: .waiting, back: "/signer", house.templates.render("signer-gone", [:] as [String: Any]),
            request, context, house, status: .notFound)
    }
    var values = requestValues(detail, house.noteStyle(context))
    values["csrf"] = try context.requireSession().formToken
    values["action"] = "/signer/requests/\(state.id.hex)"
    values["isConfirming"] = state.isConfirming
    values["answer"] = state.answer.rawValue
    values["hasProblem"] = state.problem != nil
    values["problem"] = state.problem ?? ""
    values["requestHTML"] = requestMarkup(detail, house, context)
    return try await signerPage(
        "Request", at: .waiting, back: "/signer", house.templates.render("signer-request-page", values), request,
        context, house, status: state.problem == nil ? .ok : .unprocessableContent)
}

/// What a request would do, for people: who asks, what changes, what goes; without the buttons.
///
/// Pages that ask in another way, as for signer links, put their own form below it.
func requestMarkup(_ detail: RequestDetail, _ house: House, _ context: WebContext) -> HTML {
    house.templates.render("signer-request", requestValues(detail, house.noteStyle(context)))
}

/// A request for the templates.
func requestValues(_ item: RequestItem, peer: PersonItem?, _ style: NoteStyle) -> [String: Any] {
    var values: [String: Any] = [
        "id": item.id.hex, "app": appValues(item.app, style), "headline": item.headline,
        "permission": item.permission ?? "", "hasPermission": item.permission != nil,
        "appWord": encodePercent(item.app.word), "permissionWord": encodePercent(item.permissionWord),
        "reason": item.reason, "utc": utc(item.received), "when": spoken(item.received, now: style.now),
        "text": item.text, "hasText": !item.text.isEmpty, "lostCount": item.lostCount, "wonCount": item.wonCount,
        "hasLost": item.lostCount > 0, "hasWon": item.wonCount > 0, "needsSecondStep": item.needsSecondStep,
        "isOneLost": item.lostCount == 1, "isOneWon": item.wonCount == 1,
        "isUnknownKind": item.isUnknownKind, "raw": item.raw, "hasRaw": !item.raw.isEmpty, "isFresh": item.isFresh,
        "isCompared": item.hasComparison, "isLocked": item.isLocked, "isPairing": item.sort == .pairing,
        "wishes": wishValues(item.wishes), "hasWishes": !item.wishes.isEmpty, "isEncryption": item.sort == .encryption,
        "hasCurrent": item.currentFrom != nil, "currentUTC": item.currentFrom.map(utc) ?? "",
        "current": item.currentFrom.map { spoken($0, now: style.now) } ?? "",
        "fields": item.fields.map {
            [
                "name": $0.name, "before": $0.before ?? "", "after": $0.after ?? "",
                "hasBefore": !($0.before ?? "").isEmpty, "hasAfter": !($0.after ?? "").isEmpty,
            ] as [String: Any]
        },
        "hasFields": !item.fields.isEmpty,
    ]
    values["peer"] = peer.map { PersonFields(person: $0, style: style, isOwn: false) }
    return values
}

private func requestValues(_ detail: RequestDetail, _ style: NoteStyle) -> [String: Any] {
    var values = requestValues(detail.item, peer: detail.peer, style)
    values["lost"] = detail.lost.map { changedEntryValues($0, style) }
    values["won"] = detail.won.map { changedEntryValues($0, style) }
    values["moreLost"] = detail.moreLost
    values["hasMoreLost"] = detail.moreLost > 0
    values["moreWon"] = detail.moreWon
    values["hasMoreWon"] = detail.moreWon > 0
    values["deleted"] = detail.deleted.map {
        [
            "href": "/note/\($0.id.hex)", "sort": $0.sort, "excerpt": $0.excerpt, "hasExcerpt": !$0.excerpt.isEmpty,
            "utc": utc($0.moment), "when": spoken($0.moment, now: style.now),
        ] as [String: Any]
    }
    values["hasDeleted"] = !detail.deleted.isEmpty
    return values
}

private func changedEntryValues(_ entry: ListEntry, _ style: NoteStyle) -> [String: Any] {
    var values: [String: Any] = [
        "text": entry.text, "detail": entry.detail, "hasDetail": !entry.detail.isEmpty,
        "isPerson": entry.item.sort == .person, "kind": entry.item.sort.one,
    ]
    values["person"] = entry.person.map { PersonFields(person: $0, style: style, isOwn: false) }
    switch entry.target {
    case .person(let key): values["href"] = "/people/\(key.hex)"
    case .note(let id): values["href"] = "/note/\(id.hex)"
    case .topic(let topic): values["href"] = "/tags/" + encodePercent(topic)
    case .web, nil: break
    }
    return values
}
