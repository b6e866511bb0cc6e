internal import Foundation
internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// The account's files: bringing them to media servers, what is kept there, and the servers themselves.
struct FilesController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/files", use: files)
        router.post("/files", use: bring)
        router.get("/files/uploads/:id", use: upload)
        router.post("/files/uploads/:id/:act", use: change)
        router.post("/files/kept/:hash/:act", use: act)
        router.get("/files/servers", use: servers)
        router.post("/files/servers", use: changeServers)
        router.post("/files/servers/usual", use: chooseUsual)
        router.get("/media/:author/:name", use: found)
    }

    @Sendable private func files(_ request: Request, _ context: WebContext) async throws -> Response {
        try await filesPage(nil, request, context)
    }

    /// Takes files up; a script is told how each stands, a browser sees the page.
    @Sendable private func bring(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.requireAccount()
        guard !context.files.isEmpty else {
            if isFragment(request) { throw Trouble(FileWords.noFile) }
            return try await filesPage(FileWords.noFile, request, context)
        }
        let words = context.form["alt"]
        do throws(Trouble) {
            let items = try await NewFiles.add(
                NewFiles.Chosen.all(context.files, description: words), of: account)
            if isFragment(request) { return uploadViews(items).response() }
        } catch {
            if isFragment(request) { throw error }
            return try await filesPage(error.sentence, request, context)
        }
        try context.requireSession().browser.leave(Notice(sentence: FileWords.queued))
        return redirect(to: "/files")
    }

    @Sendable private func upload(_ request: Request, _ context: WebContext) async throws -> Response {
        let id = try context.parameters.require("id")
        guard let found = try await requireFiles(context).upload(id) else {
            throw HTTPError(.notFound, message: FileWords.unknown)
        }
        return uploadViews([UploadItem(found)]).response()
    }

    @Sendable private func change(_ request: Request, _ context: WebContext) async throws -> Response {
        let (id, files) = (try context.parameters.require("id"), try requireFiles(context))
        switch try context.parameters.require("act") {
        case "cancel": try await troubled { try await files.cancel(id) }
        case "retry": try await troubled { try await files.retry(id) }
        case "describe":
            let words = context.form["alt"]
            try await troubled { try await files.describe(id, as: words) }
            try context.requireSession().browser.leave(Notice(sentence: FileWords.described))
        case "publish":
            let words = context.form["words"]
            let event = try await troubled { try await files.publish(id, saying: words) }
            try context.requireSession().browser.leave(Notice(sentence: FileWords.published))
            return redirect(to: "/note/\(event.id.hex)")
        default: throw HTTPError(.notFound)
        }
        if isFragment(request) {
            let left = try await files.upload(id).map { [UploadItem($0)] } ?? []
            return uploadViews(left).response()
        }
        return redirect(to: context.back(else: "/files"))
    }

    @Sendable private func act(_ request: Request, _ context: WebContext) async throws -> Response {
        let action = try await FileAction.load(
            try context.parameters.require("hash"), of: try context.requireAccount())
        let sentence: String
        switch try context.parameters.require("act") {
        case "delete": sentence = try await action.delete()
        case "mirror":
            try await action.mirror()
            sentence = FileWords.mirroring
        default: throw HTTPError(.notFound)
        }
        try context.requireSession().browser.leave(Notice(sentence: sentence))
        return redirect(to: "/files")
    }

    @Sendable private func servers(_ request: Request, _ context: WebContext) async throws -> Response {
        try await serversPage(nil, written: "", request, context)
    }

    @Sendable private func changeServers(_ request: Request, _ context: WebContext) async throws -> Response {
        let (form, account) = (context.form, try context.requireAccount())
        let change: MediaServerChoice.Change =
            switch form["do"] {
            case "remove": .remove(form["server"])
            case "raise": .raise(form["server"])
            default: .add(form["server"])
            }
        do throws(Trouble) {
            let choice = try await MediaServerChoice.load(of: account)
            try await choice.make(change, of: account)
        } catch {
            return try await serversPage(error.sentence, written: form["server"], request, context)
        }
        try context.requireSession().browser.leave(Notice(sentence: FileWords.serversKept))
        return redirect(to: "/files/servers")
    }

    @Sendable private func chooseUsual(_ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.requireAccount()
        do throws(Trouble) {
            try await MediaServerChoice.chooseUsual(context.form["usual"], of: account)
        } catch {
            return try await serversPage(error.sentence, written: "", request, context)
        }
        return redirect(to: "/files/servers")
    }

    /// A picture, film or sound whose address led nowhere: found by its hash where its author keeps files, and verified.
    @Sendable private func found(_ request: Request, _ context: WebContext) async throws -> Response {
        let name = try context.parameters.require("name")
        // What decodes to no key is nobody.
        guard context.personal.remoteMedia != .never,
            let author = try? PublicKey(hex: try context.parameters.require("author")),
            let hash = BlobHash(hex: name.prefix { $0 != "." })
        else { throw HTTPError(.notFound, message: FileWords.unknown) }
        let files = try requireFiles(context)
        guard let file = try await troubled({ try await files.find(hash, of: author) }),
            ["image", "video", "audio"].contains(file.type.prefix { $0 != "/" }),
            let answer = fileResponse(file, to: request, keptFor: nil)
        else { throw HTTPError(.notFound, message: FileWords.unknown) }
        return answer
    }

    private func requireFiles(_ context: WebContext) throws -> any FileKeeping {
        guard let files = try context.requireAccount().files else {
            throw HTTPError(.notFound, message: FileWords.none)
        }
        return files
    }

    private func filesPage(
        _ problem: String?, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let account = try context.requireAccount()
        let page: Result<FilesPage, Trouble>
        do throws(Trouble) {
            page = .success(try await FilesPage.load(of: account))
        } catch { page = .failure(error) }
        let view = FilesView(
            page: page, problem: problem, canSign: account.canSign, token: try context.requireSession().formToken,
            style: pages.noteStyle(context))
        return try await pages.page(
            title: "My files", at: .more, filesView(view), parts: [.sheets, .lists, .files], request: request,
            context: context, status: problem == nil ? .ok : .unprocessableContent)
    }

    private func serversPage(
        _ problem: String?, written: String, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let account = try context.requireAccount()
        let choice = try await MediaServerChoice.load(of: account)
        let view = MediaServersView(
            choice: choice, problem: problem, written: written, canSign: account.canSign,
            token: try context.requireSession().formToken)
        return try await pages.page(
            title: "Media servers", at: .settings, mediaServersView(view), parts: [.sheets, .lists, .files],
            request: request, context: context, status: problem == nil ? .ok : .unprocessableContent)
    }
}

extension NewFiles.Chosen {
    /// The files that came with a form; a still belongs to the film before it.
    static func all(_ files: [ArrivedFile], description: String) -> [Self] {
        files.reduce(into: []) { chosen, file in
            guard file.field == "still" else { return chosen.append(Self(file, description: description)) }
            if let last = chosen.indices.last { chosen[last].still = file.intake }
        }
    }

    /// A file that came with a form.
    init(_ file: ArrivedFile, description: String) {
        self.init(file.intake, name: file.name, type: file.type, description: description)
    }
}
