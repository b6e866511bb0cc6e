internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// Ending a circle: a page that says what that does and does not do, and asks for the circle's name.
func addBurning(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/circles/:id/burn") { request, context in
        try await burnPage(nil, request, context, house)
    }
    router.post("/circles/:id/burn") { request, context in
        do {
            try await (try context.requireDesk()).burnCircle(try circleID(context), typed: context.form["name"])
        } catch let trouble as Trouble {
            return try await burnPage(trouble, request, context, house)
        }
        try context.requireSession().browser.leave(
            Notice(sentence: "The circle is on its way out; the list shows it until it is gone for good."))
        return withoutCache(redirect(to: "/circles"))
    }
}

/// An answer after which the browser has no pictures of a circle any more.
func withoutCache(_ response: Response) -> Response {
    var response = response
    if let name = HTTPField.Name("Clear-Site-Data") { response.headers[name] = "\"cache\"" }
    return response
}

private func burnPage(
    _ trouble: Trouble?, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    let model = try await circleModel(context, house)
    let state = await model.send(.opened(before: nil, isSeen: false, draft: MessageDraft()))
    let status: HTTPResponse.Status = trouble == nil ? .ok : .unprocessableContent
    return try await openCirclePage(state, at: "people", request, context, house, status: status) { item, head in
        let others = state.members.filter { !$0.isOwn }
        let admins = others.filter(\.isAdmin).map(\.person)
        let values: [String: Any] = [
            "csrf": try context.requireSession().formToken, "word": item.word, "title": item.name, "headHTML": head,
            "hasProblem": trouble != nil, "problem": trouble?.sentence ?? "", "isOver": item.isOver,
            "isForAll": item.isAdmin && !others.isEmpty, "isForOne": !item.isAdmin && !others.isEmpty,
            "isAlone": others.isEmpty,
            "others": others.count == 1 ? "the one other person" : "all \(others.count) others",
            "hasAdmins": item.isAdmin && !admins.isEmpty, "admins": peopleInARow(admins),
            "adminWords": admins.count == 1 ? "is an admin, too, and is removed" : "are admins, too, and are removed",
        ]
        return house.templates.render("circle-burn", values)
    }
}
