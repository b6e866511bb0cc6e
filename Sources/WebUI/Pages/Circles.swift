internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// Private circles: the list, making one, joining one, and invitations nobody asked for.
func addCircles(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/circles") { request, context in
        let state = await (try context.requireDesk()).circles().send(.opened)
        let list = try circleList(state, open: nil, house, context)
        if isFragment(request) { return house.fragment(list) }
        if let gate = try await messageGate(state.access, back: "/circles", house, context) {
            return try await circlesPage("Circles", list: HTML(), gate, isOpen: false, request, context, house)
        }
        let welcome = house.templates.render("circles-welcome", [String: Any]())
        return try await circlesPage("Circles", list: list, welcome, isOpen: false, request, context, house)
    }
    router.post("/circles/invitable") { _, context in
        try await (try context.requireDesk()).becomeInvitable()
        try context.requireSession().browser.leave(
            Notice(sentence: "Others can invite you now; you are asked before you are in."))
        return redirect(to: "/circles")
    }
    router.get("/circles/new") { request, context in
        // A link of an invitation leads here; what stands behind # a script puts in.
        let pasted = Form(encoded: request.uri.query ?? "")["invitation"]
        return try await newCirclePage(["invitation": pasted], nil, request, context, house)
    }
    router.post("/circles/new") { request, context in
        let name = context.form["name"]
        do {
            let word = try await (try context.requireDesk()).foundCircle(name, about: "")
            return redirect(to: "/circles/\(word)/people")
        } catch let trouble as Trouble {
            return try await newCirclePage(["name": name], trouble, request, context, house)
        }
    }
    router.post("/circles/join") { request, context in
        let form = context.form
        do {
            try await (try context.requireDesk()).askToJoin(form["invitation"], name: form["called"])
            try context.requireSession().browser.leave(
                Notice(sentence: "You asked to join. You are in when an admin lets you in."))
            return redirect(to: "/circles")
        } catch let trouble as Trouble {
            let values = ["invitation": form["invitation"], "called": form["called"]]
            return try await newCirclePage(values, trouble, request, context, house)
        }
    }
    for act in ["accept", "decline"] {
        router.post("/circles/invitations/:id/\(act)") { _, context in
            let id = try circleID(context)
            try await (try context.requireDesk()).answerInvitation(to: id, yes: act == "accept")
            return redirect(to: act == "accept" ? "/circles/\(try context.parameters.require("id"))" : "/circles")
        }
    }
    router.post("/circles/asked/:id/withdraw") { _, context in
        try await (try context.requireDesk()).withdrawFromCircle(try circleID(context))
        return redirect(to: "/circles")
    }
}

/// The circle that an address names.
func circleID(_ context: WebContext) throws -> CircleName {
    guard let id = try context.requireDesk().circle(named: try context.parameters.require("id")) else {
        throw HTTPError(.notFound, message: "That is not the name of a circle.")
    }
    return id
}

/// A page about circles: the list on one side, what is open on the other.
///
/// - Parameter isOpen: whether a small screen shows what is open, not the list.
func circlesPage(
    _ title: String, list: HTML, _ main: HTML, isOpen: Bool, _ request: Request, _ context: WebContext,
    _ house: House, status: HTTPResponse.Status = .ok
) async throws -> Response {
    let unread = await (try context.requireDesk()).unread()
    let values: [String: Any] = [
        "listHTML": list, "hasList": !list.isNull, "openHTML": main, "isOpen": isOpen, "access": unread.access.word,
        "unread": unread.known, "requests": unread.requests, "hint": "linnet:circle", "label": "Circles",
    ]
    return try await house.page(
        title: title, at: .circles, house.templates.render("messages", values), isWide: true, request: request,
        context: context, status: status)
}

/// The circles, with what waits for an answer.
func circleList(_ state: CirclesState, open word: String?, _ house: House, _ context: WebContext) throws -> HTML {
    guard state.access == .open else { return HTML() }
    let style = house.noteStyle(context)
    var values: [String: Any] = [
        "csrf": try context.requireSession().formToken, "isTop": word == nil, "isTrouble": false,
        "rows": state.circles.map { rowValues($0, open: word, style) },
        "asked": state.asked.map(waitingValues), "invitations": state.invitations.map(waitingValues),
        "isEmpty": state.circles.isEmpty && state.asked.isEmpty && state.invitations.isEmpty,
    ]
    if case .failed(let trouble) = state.phase {
        values["isTrouble"] = true
        values["trouble"] = trouble.sentence
    }
    return house.templates.render("circles-list", values)
}

private func rowValues(_ item: CircleItem, open word: String?, _ style: NoteStyle) -> [String: Any] {
    var style = style
    style.shown = shownPictures(item)
    return [
        "word": item.word, "title": item.name, "excerpt": item.excerpt, "isOpen": item.word == word,
        "hasNews": item.unread + item.requests > 0, "news": spoken(count: item.unread + item.requests),
        "picturesHTML": circlePictures(item, style), "hasState": item.state != nil, "state": item.state ?? "",
        "author": item.excerptAuthor ?? "", "hasAuthor": item.excerptAuthor != nil, "hasMoment": item.moment != nil,
        "utc": item.moment.map(utc) ?? "", "when": item.moment.map { spoken($0, now: style.now) } ?? "",
    ]
}

private func waitingValues(_ item: WaitingCircleItem) -> [String: Any] {
    ["word": item.word, "name": item.name, "hasName": !item.name.isEmpty, "person": item.person.name]
}

/// The picture of a circle: its own, or else two of its people.
func circlePictures(_ item: CircleItem, _ style: NoteStyle) -> HTML {
    if let picture = item.picture {
        var html = HTML()
        // Its name stands beside it.
        let path = address(of: picture, in: item.word)
        html.add("<span class=\"avatar\"><img src=\"", path, "\" alt=\"\" width=\"44\" height=\"44\"></span>")
        return html
    }
    guard item.people.count > 1 else {
        return item.people.first.map { style.avatar(of: $0, isOwn: true, side: 44, classes: "") } ?? HTML()
    }
    var html = HTML()
    html.add(markup: "<span class=\"avatars\">")
    for person in item.people.prefix(2) { html.add(style.avatar(of: person, isOwn: false, side: 32, classes: "small")) }
    html.add(markup: "</span>")
    return html
}

private func newCirclePage(
    _ filled: [String: String], _ trouble: Trouble?, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    let desk = try context.requireDesk()
    let state = await desk.circles().send(.opened)
    if let gate = try await messageGate(state.access, back: "/circles/new", house, context) {
        return try await circlesPage("New circle", list: HTML(), gate, isOpen: false, request, context, house)
    }
    let ownName = await desk.ownPerson().name
    let values: [String: Any] = [
        "csrf": try context.requireSession().formToken, "name": filled["name"] ?? "",
        "invitation": filled["invitation"] ?? "", "called": filled["called"] ?? ownName,
        "isInvitable": state.isInvitable,
        "hasProblem": trouble != nil, "problem": trouble?.sentence ?? "",
    ]
    return try await circlesPage(
        "New circle", list: try circleList(state, open: "", house, context),
        house.templates.render("circle-new", values), isOpen: true, request, context, house,
        status: trouble == nil ? .ok : .unprocessableContent)
}
