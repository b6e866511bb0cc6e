internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ViewModels

/// Reacting to notes with any emoji, taking that back, and who reacted with what.
struct ReactionsController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/note/:id/react", use: picker)
        router.post("/note/:id/react", use: react)
        router.post("/note/:id/unreact", use: takeBack)
        router.get("/note/:id/reactions", use: reactions)
    }

    @Sendable private func picker(_ request: Request, _ context: WebContext) async throws -> Response {
        try await pickerPage(request, context, back: request.query["back"])
    }

    @Sendable private func react(_ request: Request, _ context: WebContext) async throws -> Response {
        let id = try context.requireNote().id
        let account = try context.requireAccount()
        do {
            try await ReactionLine.react(with: context.form["content"], to: id, of: account)
        } catch {
            if isFragment(request) { throw error }
            return try await pickerPage(request, context, back: context.form["back"], problem: error.sentence)
        }
        return await pages.answer(about: id, of: account, request, context)
    }

    @Sendable private func takeBack(_ request: Request, _ context: WebContext) async throws -> Response {
        let id = try context.requireNote().id
        let account = try context.requireAccount()
        try await ReactionLine.takeBack(context.form["content"], from: id, of: account)
        return await pages.answer(about: id, of: account, request, context)
    }

    /// Who reacted with what, for a script that puts it in place of what it was.
    @Sendable private func reactions(_ request: Request, _ context: WebContext) async throws -> Response {
        let id = try context.requireNote().id
        // Alone it is no page; whoever opens its address is led to the note that it stands below.
        guard isFragment(request) else { return redirect(to: "/note/\(id)") }
        let account = try context.requireAccount()
        guard let note = await NoteItem.load(id, of: account) else { throw HTTPError(.notFound) }
        let lines = await ReactionLine.load(to: id, of: account)
        return reactionsView(lines, to: note, pages.noteStyle(context)).response()
    }

    private func pickerPage(
        _ request: Request, _ context: WebContext, back: String, problem: String? = nil
    ) async throws -> Response {
        let account = try context.requireAccount()
        guard account.canSign, let picker = await EmojiPicker.load(try context.requireNote().id, of: account) else {
            throw HTTPError(.notFound)
        }
        let (token, style) = (try context.requireSession().formToken, pages.noteStyle(context))
        if isFragment(request) { return pickerView(picker, back: back, problem: nil, token, style).response() }
        return try await pages.page(
            title: "React with an emoji", at: .none, reactPage(picker, back: back, problem: problem, token, style),
            request: request, context: context, status: problem == nil ? .ok : .unprocessableContent)
    }
}
