internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// One circle's chat, and what one does with its lines.
func addCircle(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/circles/:id") { request, context in
        let form = Form(encoded: request.uri.query ?? "")
        // What is no place or no line is left out; the page then shows the newest.
        let place = MessagePlace(mark: form["before"])
        let draft = MessageDraft(replyTo: try? EventID(hex: form["reply"]))
        let isSeen = !isFragment(request) || form.has("seen")
        let model = try await circleModel(context, house)
        let state = await model.send(.opened(before: place, isSeen: isSeen, draft: draft))
        return try await circlePage(state, request, context, house)
    }
    router.post("/circles/:id") { request, context in
        let model = try await circleModel(context, house)
        await model.send(.opened(before: nil, isSeen: true, draft: MessageDraft()))
        let state = await model.send(.send(messageDraft(context.form)))
        guard state.sent != nil else {
            if isFragment(request), let problem = state.problem {
                throw HTTPError(.unprocessableContent, message: problem)
            }
            return try await circlePage(state, request, context, house)
        }
        return try await chat(request, context, house)
    }
    for act in ["react", "delete-everywhere"] {
        router.post("/circles/:id/:line/\(act)") { request, context in
            let id = try circleID(context)
            guard let line = try? EventID(hex: try context.parameters.require("line")) else {
                throw HTTPError(.notFound, message: "That is not the name of a message.")
            }
            let desk = try context.requireDesk()
            if act == "react" {
                try await desk.react(to: line, in: id, with: context.form["content"])
            } else {
                try await desk.takeBack(line, in: id)
            }
            return try await chat(request, context, house)
        }
    }
}

/// The screen of the circle that an address names.
func circleModel(_ context: WebContext, _ house: House) async throws -> ScreenModel<CircleState> {
    try context.requireDesk().circle(try circleID(context))
}

/// After an act: the chat as it is now, to a script, or the way back to it.
private func chat(_ request: Request, _ context: WebContext, _ house: House) async throws -> Response {
    guard isFragment(request) else { return redirect(to: "/circles/\(try context.parameters.require("id"))") }
    let model = try await circleModel(context, house)
    let state = await model.send(.opened(before: nil, isSeen: true, draft: MessageDraft()))
    return house.fragment(chatHTML(state, house, context))
}

private func chatHTML(_ state: CircleState, _ house: House, _ context: WebContext) -> HTML {
    var values: [String: Any] = [
        "logHTML": TalkMarkup(state: state, style: circleStyle(state.item, house, context)).log(), "word": state.word,
        "hasOlder": state.older != nil, "isAtNewest": state.isAtNewest, "csrf": context.session?.formToken ?? "",
    ]
    values["older"] = state.older?.mark
    return house.templates.render("circle-log", values)
}

/// A page of one circle, if it can be read: the list beside it, its head above it.
///
/// - Parameter main: what stands below the head.
func openCirclePage(
    _ state: CircleState, at part: String, _ request: Request, _ context: WebContext, _ house: House,
    status: HTTPResponse.Status = .ok, _ main: (CircleItem, HTML) async throws -> HTML
) async throws -> Response {
    if case .failed(let trouble) = state.phase { throw trouble }
    let path = "/circles/\(state.word)"
    if let gate = try await messageGate(state.access, back: path, house, context) {
        return try await circlesPage("Circles", list: HTML(), gate, isOpen: false, request, context, house)
    }
    guard let item = state.item else { throw HTTPError(.notFound, message: "There is no such circle here.") }
    let list = try circleList(
        await (try context.requireDesk()).circles().send(.opened), open: state.word, house, context)
    let style = circleStyle(item, house, context)
    var values: [String: Any] = [
        "word": item.word, "title": item.name, "picturesHTML": circlePictures(item, style),
        "names": peopleInARow(item.people), "requests": state.requests.count,
        "hasRequests": !state.requests.isEmpty, "hasWarning": state.warning != nil, "warning": state.warning ?? "",
    ]
    for name in ["chat", "map", "people"] { values["at_" + name] = name == part }
    let html = try await main(item, house.templates.render("circle-head", values))
    return try await circlesPage(
        item.name, list: list, html, isOpen: true, request, context, house, status: status)
}

private func circlePage(
    _ state: CircleState, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    if isFragment(request) {
        guard state.access == .open else { throw HTTPError(.conflict, message: "Your key is locked.") }
        return house.fragment(chatHTML(state, house, context))
    }
    let status: HTTPResponse.Status = state.problem == nil ? .ok : .unprocessableContent
    return try await openCirclePage(state, at: "chat", request, context, house, status: status) { item, head in
        var values = penValues(state.draft, usual: .kept)
        values["csrf"] = try context.requireSession().formToken
        values["word"] = item.word
        values["title"] = item.name
        values["headHTML"] = head
        values["logHTML"] = chatHTML(state, house, context)
        values["canSpeak"] = state.canSpeak
        values["hasProblem"] = state.problem != nil
        values["problem"] = state.problem ?? ""
        values["answeredWords"] = state.answered?.excerpt ?? "an earlier message"
        values["answeredAuthor"] = state.answered.map { $0.isOwn ? "yourself" : $0.author.name } ?? ""
        return house.templates.render("circle", values)
    }
}
