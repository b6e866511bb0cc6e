internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ViewModels

/// A note with what was said before and after it, and what is done with a note.
struct ThreadController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/note/:id", use: thread)
        router.get("/note/:id/card", use: card)
        router.get("/note/:id/receipts", use: receipts)
        router.post("/note/:id/delete", use: delete)
        router.post("/note/:id/:act", use: act)
    }

    @Sendable private func thread(_ request: Request, _ context: WebContext) async throws -> Response {
        let (id, hints) = try context.requireNote()
        let account = try context.requireAccount()
        // What is no id is as good as none: the first answers are shown.
        let reply = request.uri.queryParameters["after"].flatMap { try? EventID(hex: String($0)) }
        let isUnveiled = request.uri.queryParameters["show"] == "1"
        let page: Result<ThreadPage, Trouble>
        do {
            page = .success(
                try await ThreadPage.load(
                    id, hints: hints, after: reply, evenMuted: isUnveiled, of: account))
        } catch {
            page = .failure(error)
        }
        // An article has a page of its own, which a later version has too.
        if !isFragment(request), let focus = try? page.get().focus, case .article(let article) = focus.content,
            let code = article.code
        {
            let path: Path = "/article/\(code)"
            return redirect(to: isUnveiled ? path.with("show", "1") : path)
        }
        let style = pages.noteStyle(context)
        let view = ThreadView(
            id: id, page: page, token: try context.requireSession().formToken, style: style)
        let focus = view.thread?.focus
        return try await pages.page(
            title: focus.map { "Note by \($0.author.name)" } ?? "Note", at: .none, threadView(view),
            beside: focus.map { threadAside($0, style) } ?? HTML(), parts: [.notes], request: request, context: context,
            status: view.isMissing ? .notFound : .ok)
    }

    /// A note alone, for a script that puts a newer one in the place of an older one.
    @Sendable private func card(_ request: Request, _ context: WebContext) async throws -> Response {
        guard let note = await NoteItem.load(try context.requireNote().id, of: try context.requireAccount()) else {
            throw HTTPError(.notFound)
        }
        return NoteMarkup(note: note, style: pages.noteStyle(context)).article().response()
    }

    @Sendable private func receipts(_ request: Request, _ context: WebContext) async throws -> Response {
        let id = try context.requireNote().id
        // Alone they are no page; whoever opens their address is led to the note they stand below.
        guard isFragment(request) else { return redirect(to: "/note/\(id)#receipts") }
        let receipts = try await ReceiptItem.load(
            of: id, from: try context.requireAccount().publishing)
        return receiptsView(receipts).response()
    }

    @Sendable private func delete(_ request: Request, _ context: WebContext) async throws -> Response {
        let (id, account) = (try context.requireNote().id, try context.requireAccount())
        try await troubled { _ = try await account.publishing.delete([id]) }
        let back = context.back(else: "/home")
        return redirect(to: back.text.hasPrefix("/note/\(id.hex)") ? "/home" : back)
    }

    @Sendable private func act(_ request: Request, _ context: WebContext) async throws -> Response {
        let id = try context.requireNote().id
        let account = try context.requireAccount()
        let isOff = context.form["off"] == "1"
        switch try context.parameters.require("act") {
        case "like": try await NoteAct.like.perform(!isOff, on: id, of: account)
        case "repost": try await NoteAct.repost.perform(!isOff, on: id, of: account)
        default: throw HTTPError(.notFound)
        }
        return await pages.answer(about: id, of: account, request, context)
    }
}
