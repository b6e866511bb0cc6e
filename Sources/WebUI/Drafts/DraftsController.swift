internal import HTTPTypes
internal import Hummingbird
internal import ViewModels

/// What was written and not published.
struct DraftsController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/drafts", use: drafts)
        router.post("/drafts/delete", use: delete)
        router.get("/drafts/earlier", use: earlier)
        router.post("/drafts/relays", use: chooseRelays)
        router.post("/drafts/search", use: search)
    }

    @Sendable private func drafts(_ request: Request, _ context: WebContext) async throws -> Response {
        try await page(nil, request, context)
    }

    @Sendable private func delete(_ request: Request, _ context: WebContext) async throws -> Response {
        try await DraftRow.delete(context.form["id"], of: try context.requireAccount())
        try context.requireSession().browser.leave(Notice(sentence: ComposeWords.draftDeleted))
        return redirect(to: "/drafts")
    }

    @Sendable private func earlier(_ request: Request, _ context: WebContext) async throws -> Response {
        let id = request.query["id"]
        let rows = try await DraftsPage.earlier(of: id, try context.requireAccount())
        return try await pages.page(
            title: "Earlier states", at: .more, earlierDraftsView(rows, of: id, now: pages.now), request: request,
            context: context)
    }

    @Sendable private func chooseRelays(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.requireAccount()
        let form = context.form
        do {
            if form["do"] == "here" {
                try await DraftsPage.keepHere(of: account)
            } else {
                let chosen = form.all.filter { $0.name.hasPrefix("relay-") }.map(\.value)
                try await DraftsPage.keep(on: chosen, of: account)
            }
        } catch {
            return try await page(Trouble(error).sentence, request, context)
        }
        let sentence = form["do"] == "here" ? DraftWords.staysHere : DraftWords.relaysChosen
        try context.requireSession().browser.leave(Notice(sentence: sentence))
        return redirect(to: "/drafts")
    }

    @Sendable private func search(_ request: Request, _ context: WebContext) async throws -> Response {
        do {
            let count = try await DraftsPage.search(context.form["relays"], of: try context.requireAccount())
            let sentence = count == 0 ? DraftWords.searchNone : DraftWords.searchSaved
            try context.requireSession().browser.leave(Notice(sentence: sentence))
            return redirect(to: "/drafts")
        } catch {
            return try await page(Trouble(error).sentence, written: context.form["relays"], request, context)
        }
    }

    /// The page, with what was wrong in a form of it.
    private func page(
        _ problem: String?, written: String? = nil, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let session = try context.requireSession()
        let account = try context.requireAccount()
        let read: Result<DraftsPage, Trouble>
        do { read = .success(try await DraftsPage.load(of: account)) } catch { read = .failure(error) }
        let view = DraftsView(
            page: read, isLocked: session.isLocked, problem: problem, written: written, token: session.formToken,
            now: pages.now)
        return try await pages.page(
            title: "Drafts", at: .more, draftsView(view), request: request, context: context,
            status: problem == nil ? .ok : .unprocessableContent)
    }
}
