internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// People: their pages, following them, and the open account's own profile.
struct PeopleController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/people/:key", use: person)
        router.post("/people/:key/:act", use: follow)
        router.get("/avatar/:key", use: drawnAvatar)
        router.get("/profile/edit", use: edit)
        router.post("/profile/edit", use: save)
        router.post("/status", use: setStatus)
    }

    @Sendable private func person(_ request: Request, _ context: WebContext) async throws -> Response {
        let key = try context.requirePerson()
        let desk = try context.requireDesk()
        let withReplies = request.uri.queryParameters["with"] == "answers"
        async let person = desk.person(key)
        let notes = await desk.notes(of: key, withReplies: withReplies, below: request.timelineMark)
        let page: Path = "/people/\(key)"
        let path = withReplies ? page.with("with", "answers") : page
        let token = try context.requireSession().formToken
        let style = pages.noteStyle(context)
        let list = noteListView(NoteList(state: notes, path: path, token: token, style: style))
        if isFragment(request) { return list.response() }
        let shown = try await person
        let isOwn = key == desk.own
        let marks = await desk.marks(of: key)
        let view = PersonView(
            person: shown, isOwn: isOwn, canSign: desk.canSign, hasLists: desk.hasLists,
            isMuted: marks.isMuted, sets: marks.sets, withReplies: withReplies, path: path, token: token, style: style)
        return try await pages.page(
            title: shown.name, at: isOwn ? .profile : .none, personView(view, list),
            beside: personAside(shown), request: request, context: context)
    }

    @Sendable private func follow(_ request: Request, _ context: WebContext) async throws -> Response {
        let key = try context.requirePerson()
        let act = try context.parameters.require("act")
        guard act == "follow" || act == "unfollow" else { throw HTTPError(.notFound) }
        try await (try context.requireDesk()).setFollowing(key, act == "follow")
        return redirect(to: context.back(else: "/people/\(key)"))
    }

    @Sendable private func drawnAvatar(_ request: Request, _ context: WebContext) async throws -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "image/svg+xml", .cacheControl: "private, max-age=31536000, immutable"],
            body: .init(byteBuffer: .init(bytes: identicon(try context.requirePerson()).bytes)))
    }

    @Sendable private func edit(_ request: Request, _ context: WebContext) async throws -> Response {
        try await editPage(await (try context.requireDesk()).profileEdit().send(.opened), request, context)
    }

    @Sendable private func save(_ request: Request, _ context: WebContext) async throws -> Response {
        let desk = try context.requireDesk()
        let model = desk.profileEdit()
        await model.send(.opened)
        var filled: [String: String] = [:]
        for name in ProfileEdit.fieldNames where context.form.has(name) { filled[name] = context.form[name] }
        let state = await model.send(.save(filled))
        if state.isSaved { return redirect(to: "/people/\(desk.own)") }
        return try await editPage(state, request, context)
    }

    @Sendable private func setStatus(_ request: Request, _ context: WebContext) async throws -> Response {
        let desk = try context.requireDesk()
        let form = context.form
        let text = form["do"] == "clear" ? "" : form["status"]
        let lasts = StatusSpan(rawValue: form["lasts"]) ?? .open
        try await desk.setStatus(text, link: form["link"], lasts: lasts.duration, now: pages.now)
        let isCleared = text.allSatisfy(\.isWhitespace)
        try context.requireSession().browser.leave(
            Notice(sentence: isCleared ? "Your status is cleared." : "Your status is set."))
        return redirect(to: "/people/\(desk.own)")
    }

    private func editPage(
        _ state: ProfileEdit, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        if case .failed(let trouble) = state.phase { throw trouble }
        let main = profileEditView(state, try context.requireSession().formToken)
        return try await pages.page(
            title: "Edit profile", at: .profile, main, request: request, context: context,
            status: state.problems.isEmpty ? .ok : .unprocessableContent)
    }
}
