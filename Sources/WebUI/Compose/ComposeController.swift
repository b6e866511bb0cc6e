internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ServiceLifecycle
internal import ViewModels

/// Writing: a note, an answer, a quote; and taking it back.
struct ComposeController {
    let pages: PageRenderer
    let outgoing: OutgoingNotes

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/compose", use: open)
        router.post("/compose", use: submit)
        router.post("/compose/gif", use: chooseGif)
        router.get("/compose/complete", use: complete)
        router.get("/compose/held", use: held)
        router.post("/compose/undo", use: undo)
        router.post("/compose/skip-work", use: skipWork)
        router.post("/compose/now", use: publishNow)
    }

    @Sendable private func open(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = request.query
        let account = try context.requireAccount()
        if form.has("draft") {
            let (id, earlier) = (form["draft"], form["earlier"])
            let found =
                earlier.isEmpty
                ? try await UnfinishedNote.load(draft: id, of: account)
                : try await UnfinishedNote.load(checkpoint: earlier, of: id, account)
            guard let kept = found else {
                throw HTTPError(.notFound, message: ComposeWords.draftGone)
            }
            let model = ScreenModel(kept, of: account)
            return try await composePage(await model.send(.opened(kept.draft)), back: form["back"], request, context)
        }
        let state = await model(form, account).send(.opened(ComposeState.Draft(text: form["text"])))
        return try await composePage(state, back: form["back"], request, context)
    }

    @Sendable private func submit(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = context.form
        let account = try context.requireAccount()
        let model = model(form, account)
        let isPreview = form["do"] == "preview"
        var draft = draft(form)
        let files = try await NoteFiles.read(from: context, waits: !isPreview && form["do"] != "gif")
        draft.attachments += files.attachments
        if form["do"] == "gif" { return try await gifPage(draft, left: files.left, words: "", request, context) }
        if let problem = files.problem, !isPreview {
            _ = await model.send(.opened(draft))
            let state = await model.send(.failed(Trouble(problem)))
            return try await composePage(state, left: files.left, back: form["back"], request, context)
        }
        switch form["do"] {
        case "preview":
            let state = await model.send(.preview(draft))
            if isFragment(request) { return previewView(state).response() }
            return try await composePage(state, left: files.left, back: form["back"], request, context)
        case "attach":
            let state = await model.send(.attach(draft))
            return try await composePage(state, back: form["back"], request, context)
        case "draft":
            let state = await model.send(.keep(draft))
            guard state.isKept else { return try await composePage(state, back: form["back"], request, context) }
            try context.requireSession().browser.leave(Notice(sentence: ComposeWords.draftKept))
            return redirect(to: "/drafts?kept=1")
        default:
            let state = await model.send(.publish(draft))
            let personal = context.personal
            guard
                let id = await outgoing.hold(
                    state, undo: personal.undoTime, client: personal.client, signsAtOnce: await signsAtOnce(account),
                    of: account)
            else { return try await composePage(state, back: form["back"], request, context) }
            return redirect(to: context.back(else: "/home").with("held", id))
        }
    }

    /// What completes the word under the caret, for the page's script.
    @Sendable private func complete(_ request: Request, _ context: WebContext) async throws -> Response {
        let found = await Completion.matching(request.query["word"], of: try context.requireAccount())
        return completionsView(found, pages.noteStyle(context)).response()
    }

    @Sendable private func held(_ request: Request, _ context: WebContext) async throws -> Response {
        let id = request.query["id"]
        if isFragment(request) { return await pages.heldNote(id, context).response() }
        switch await outgoing.standing(id) {
        case .queued(let event), .published(let event), .refused(let event): return redirect(to: "/note/\(event)")
        case .held, .publishing, .waitingForKey, .failed, nil: return redirect(to: "/home?held=\(id)")
        }
    }

    @Sendable private func undo(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.requireAccount()
        guard let taken = await outgoing.undo(context.form["id"], of: account.publicKey) else {
            throw HTTPError(.conflict, message: ComposeWords.tooLate)
        }
        let state = await ScreenModel(taken, of: account).send(.opened(taken.draft))
        return try await composePage(state, back: "", request, context)
    }

    @Sendable private func skipWork(_ request: Request, _ context: WebContext) async throws -> Response {
        let id = context.form["id"]
        await outgoing.skipWork(on: id, of: try context.requireAccount().publicKey)
        return redirect(to: "/compose/held?id=\(id)")
    }

    @Sendable private func publishNow(_ request: Request, _ context: WebContext) async throws -> Response {
        let id = context.form["id"]
        if try await signingTakesLong(try context.requireAccount()) {
            // The page goes on at once and shows how far it is.
            await outgoing.hasten(id)
        } else {
            // A browser's extension may never answer. What is not signed when the program ends rests on disk.
            await cancelWhenGracefulShutdown { await outgoing.publishNow(id) }
        }
        return redirect(to: "/compose/held?id=\(id)")
    }

    /// Whether signing may take minutes: work goes into it, or a signer elsewhere is asked, which may say nothing.
    ///
    /// A browser's extension is asked by the page that sent the form, which therefore stays.
    private func signingTakesLong(_ account: any Account) async throws -> Bool {
        if await pages.hasRemoteSigner(account) { return true }
        return try await WorkChoice.load(from: account.mining).notes > 0
    }

    func model(_ form: Form, _ account: any Account) -> ScreenModel<ComposeState> {
        // A reference that is none is left out; the page then shows a new note.
        ScreenModel(
            replyTo: try? EventID(hex: form["reply"]), quote: try? EventID(hex: form["quote"]),
            keptAs: form["kept"].isEmpty ? nil : form["kept"], of: account)
    }

    /// Whether a note can be signed now: its key is here, and no work goes into it.
    private func signsAtOnce(_ account: any Account) async -> Bool {
        guard account.canSign, await pages.elsewhere?.standing(of: account.publicKey) == nil else { return false }
        // Where that is not known, work is assumed.
        return (try? await WorkChoice.load(from: account.mining).notes) == 0
    }

    func draft(_ form: Form) -> ComposeState.Draft {
        var draft = ComposeState.Draft(
            text: form["text"], mentions: mentionFields(form), warning: form.has("warned") ? form["warning"] : nil,
            attachments: attachedFiles(form), mediaPost: MediaPost(chosen: form["as"], title: form["title"]))
        (draft.fileAddress, draft.fileDescription) = (form["file"], form["file-words"])
        return draft
    }

    func composePage(
        _ state: ComposeState, left: [UploadItem] = [], back: String, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let account = try context.requireAccount()
        let view = ComposeView(
            state: state, back: back, canSign: account.canSign, keepsDrafts: account.lists != nil,
            token: try context.requireSession().formToken, style: pages.noteStyle(context),
            left: account.files == nil ? nil : left, undo: context.personal.undoTime,
            hasGifs: account.gifs != nil)
        return try await pages.page(
            title: view.title, at: .compose, composeView(view), beside: composeAside, request: request,
            context: context, status: state.problem == nil ? .ok : .unprocessableContent)
    }
}
