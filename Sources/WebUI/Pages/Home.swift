internal import HTTPTypes
internal import Hummingbird
internal import ViewModels

/// Home: the notes of the people one follows.
func addHome(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/home") { request, context in
        let place = timelinePlace(request)
        let state = await (try context.requireDesk()).home().send(.opened(below: place))
        if isFragment(request) { return house.fragment(try noteList(state, at: "/home", house, context)) }
        let main = house.templates.render(
            "home", ["listHTML": try noteList(state, at: "/home", house, context), "isTop": place == nil])
        return try await house.page(
            title: "Home", at: .home, main, beside: try await homeAside(house, context), request: request,
            context: context)
    }
    router.get("/home/newer") { request, context in
        let newest = request.uri.queryParameters["after"].flatMap { TimelinePlace(mark: String($0)) }
        let state = await (try context.requireDesk()).home(newest: newest).send(.showWaiting)
        return house.fragment(try noteList(state, at: "/home", house, context))
    }
    router.get("/tags/:tag") { request, context in
        let tag = decodePercent(try context.parameters.require("tag"))
        let state = await (try context.requireDesk()).hashtag(tag).send(.opened(below: timelinePlace(request)))
        let list = try noteList(state, at: "/tags/" + encodePercent(tag), house, context)
        if isFragment(request) { return house.fragment(list) }
        let main = house.templates.render("tag", ["tag": tag, "listHTML": list])
        return try await house.page(
            title: "#" + tag, at: .none, main, beside: try await homeAside(house, context), request: request,
            context: context)
    }
}

/// Where in a timeline an address points.
func timelinePlace(_ request: Request) -> TimelinePlace? {
    request.uri.queryParameters["before"].flatMap { TimelinePlace(mark: String($0)) }
}

/// The notes of a timeline, or what there is to say when there are none.
func noteList(
    _ state: TimelineState, at path: String, _ house: House, _ context: WebContext
) throws -> HTML {
    let style = house.noteStyle(context)
    var values: [String: Any] = [
        "csrf": try context.requireSession().formToken, "back": path, "path": path,
        "notesHTML": notesHTML(state.notes, style), "isEmpty": state.notes.isEmpty,
        "isLoading": state.isLoadingOlder, "isHome": path == "/home", "hasNext": state.next != nil,
        "isEnd": state.next == nil && !state.isLoadingOlder, "isTrouble": false,
    ]
    values["next"] = state.next?.mark
    values["newest"] = state.notes.first?.cursor.mark ?? ""
    if case .failed(let trouble) = state.phase {
        values["isTrouble"] = true
        values["trouble"] = trouble.sentence
    }
    return house.templates.render("notes", values)
}

private func homeAside(_ house: House, _ context: WebContext) async throws -> HTML {
    let desk = try context.requireDesk()
    return house.templates.render(
        "aside-home", ["connection": house.connectionValues(await desk.connection()), "canSign": desk.canSign])
}
