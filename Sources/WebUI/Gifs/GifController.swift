internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import NostrClient
internal import NostrCore
internal import ViewModels

/// Small pictures of GIFs, by way of this machine, and the settings of a host of GIFs.
struct GifController {
    let pages: PageRenderer
    let personal: any PersonalSettingsKeeping

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/gifs/:id", use: picture)
        router.get("/settings/gifs", use: settings)
        router.post("/settings/gifs", use: save)
    }

    /// The small picture of a GIF that was found lately; no other address is fetched.
    @Sendable private func picture(_ request: Request, _ context: WebContext) async throws -> Response {
        let id = try context.parameters.require("id")
        let gifs = try context.requireAccount().gifs
        guard context.personal.remoteMedia != .never, let gifs,
            let preview = try await troubled({ try await gifs.preview(id) })
        else { throw HTTPError(.notFound, message: GifWords.unknown) }
        let bytes = try Data(contentsOf: preview.intake.file)
        return Response(
            status: .ok,
            headers: [
                .contentType: preview.sort.type, .xContentTypeOptions: "nosniff",
                .contentSecurityPolicy: "default-src 'none'; sandbox",
                .cacheControl: "private, max-age=3600",
            ], body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    @Sendable private func settings(_ request: Request, _ context: WebContext) async throws -> Response {
        try await settingsPage(context.personal.gifs, nil, request, context)
    }

    @Sendable private func save(_ request: Request, _ context: WebContext) async throws -> Response {
        let (form, account) = (context.form, try context.requireAccount())
        let session = try context.requireSession()
        var shown = context.personal.gifs
        do throws(Trouble) {
            if form["do"] == "forget" {
                try await GifHostPage.keep(key: nil, of: account)
                session.browser.leave(Notice(sentence: GifWords.forgotten))
                return redirect(to: "/settings/gifs")
            }
            shown.address = form["host"]
            shown = try GifHostPage.choice(address: form["host"], rating: form["rating"])
            if !form["key"].isEmpty { try await GifHostPage.keep(key: form["key"], of: account) }
            var chosen = context.personal
            chosen.gifs = shown
            let kept = chosen
            try await troubled { try await personal.keep(kept, of: account.publicKey) }
        } catch {
            return try await settingsPage(shown, error.sentence, request, context)
        }
        session.browser.leave(Notice(sentence: GifWords.kept))
        return redirect(to: "/settings/gifs")
    }

    private func settingsPage(
        _ choice: GifHostChoice, _ problem: String?, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let view = GifHostView(
            page: await GifHostPage.load(choice, of: try context.requireAccount()), problem: problem,
            token: try context.requireSession().formToken)
        return try await pages.page(
            title: "GIFs", at: .settings, gifHostView(view), request: request, context: context,
            status: problem == nil ? .ok : .unprocessableContent)
    }
}

// The page where a GIF is chosen stands between two states of the page to write on.
extension ComposeController {
    /// Searches, chooses, or goes back to the note.
    @Sendable func chooseGif(_ request: Request, _ context: WebContext) async throws -> Response {
        let (form, account) = (context.form, try context.requireAccount())
        var draft = draft(form)
        let files = try await NoteFiles.read(from: context, waits: false)
        draft.attachments += files.attachments
        if form["do"] == "search" {
            return try await gifPage(draft, left: files.left, words: form["q"], request, context)
        }
        var problem: String?
        if form["do"] != "back" {
            guard let tag = Tag(attached: form["gif"]) else {
                return try await gifPage(
                    draft, left: files.left, words: form["q"], problem: GifWords.unknown, request, context)
            }
            do throws(Trouble) {
                let gif = try await ChosenGif.load(tag, of: account)
                problem = draft.add(gif)
                if let notice = gif.notice { try? context.requireSession().browser.leave(Notice(sentence: notice)) }
            } catch {
                return try await gifPage(
                    draft, left: files.left, words: form["q"], problem: error.sentence, request, context)
            }
        }
        let model = model(form, account)
        var state = await model.send(.opened(draft))
        if let problem { state = await model.send(.failed(Trouble(problem))) }
        return try await composePage(state, left: files.left, back: form["back"], request, context)
    }

    /// The page where a GIF is chosen for a note.
    func gifPage(
        _ draft: ComposeState.Draft, left: [UploadItem], words: String, problem: String? = nil, _ request: Request,
        _ context: WebContext
    ) async throws -> Response {
        let account = try context.requireAccount()
        let picker: Result<GifPicker, Trouble>
        do throws(Trouble) {
            picker = .success(try await GifPicker.load(words, from: context.personal.gifs, of: account))
        } catch { picker = .failure(error) }
        let view = GifPickerView(
            picker: picker, draft: draftFields(context.form, draft, left: left), problem: problem,
            token: try context.requireSession().formToken, showsPictures: context.personal.remoteMedia != .never)
        return try await pages.page(
            title: "Add a GIF", at: .compose, gifPickerView(view), parts: [.sheets, .gifs], request: request,
            context: context, status: problem == nil ? .ok : .unprocessableContent)
    }
}
