internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// The first message to one person or several.
func addNewConversation(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/messages/new") { request, context in
        let form = Form(encoded: request.uri.query ?? "")
        let state = await (try context.requireDesk()).newConversation().send(.opened(.init(to: form["to"])))
        return try await newPage(state, request, context, house)
    }
    router.post("/messages/new") { request, context in
        let form = context.form
        var filled = NewConversationState.Filled(
            people: keys(form["people"]), to: form["to"], draft: messageDraft(form))
        let model = (try context.requireDesk()).newConversation()
        if form.has("remove") {
            filled.people.removeAll { $0.hex == form["remove"] }
            return try await newPage(await model.send(.look(filled)), request, context, house)
        }
        if form.has("add") {
            // A button that names no key was not written by us.
            if let key = try? PublicKey(hex: form["add"]) { filled.people.append(key) }
            filled.to = ""
            return try await newPage(await model.send(.look(filled)), request, context, house)
        }
        let input: NewConversationState.Input = form["do"] == "send" ? .send(filled) : .look(filled)
        return try await newPage(await model.send(input), request, context, house)
    }
    router.get("/messages/people") { request, context in
        let text = Form(encoded: request.uri.query ?? "")["word"]
        let found = await (try context.requireDesk()).people(called: text)
        let values = completionValues(found.map { Completion.person($0) }, house, context)
        return house.fragment(house.templates.render("completions", ["found": values]))
    }
}

private func keys(_ text: String) -> [PublicKey] {
    text.split(whereSeparator: \.isWhitespace).prefix(NewConversationState.mostPeople + 1).compactMap { word in
        // A line that holds no key was not written by us; leave it out.
        try? PublicKey(hex: String(word))
    }
}

private func newPage(
    _ state: NewConversationState, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    if let word = state.leadsTo { return redirect(to: "/messages/\(word)") }
    if let gate = try await messageGate(state.access, back: "/messages/new", house, context) {
        return try await mailPage("New message", list: HTML(), gate, isOpen: false, request, context, house)
    }
    let desk = try context.requireDesk()
    let style = house.noteStyle(context)
    var values = penValues(state.draft, usual: .kept)
    values["csrf"] = try context.requireSession().formToken
    values["chosen"] = state.people.map { PersonFields(person: $0, style: style, isOwn: $0.key == state.own) }
    values["people"] = state.people.map(\.key.hex).joined(separator: "\n")
    values["to"] = state.to
    values["candidates"] = state.candidates.map { PersonFields(person: $0, style: style, isOwn: false) }
    values["hasCandidates"] = !state.candidates.isEmpty
    values["hasProblem"] = state.problem != nil
    values["problem"] = state.problem ?? ""
    let list = try conversationList(await desk.conversations().send(.opened), open: "", house, context)
    return try await mailPage(
        "New message", list: list, house.templates.render("messages-new", values), isOpen: true, request, context,
        house, status: state.problem == nil ? .ok : .unprocessableContent)
}
