internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ViewModels

/// Live streams: which there are, and one with its chat.
struct StreamsController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/streams", use: list)
        router.get("/streams/:naddr", use: open)
        router.post("/streams/:naddr", use: send)
        router.post("/streams/:naddr/:id/:act", use: act)
    }

    @Sendable private func list(_ request: Request, _ context: WebContext) async throws -> Response {
        let page = try await StreamsPage.load(of: try context.requireAccount())
        let list = streamsList(page, pages.noteStyle(context))
        if isFragment(request) { return list.response() }
        return try await pages.page(
            title: "Live streams", at: .more, streamsView(list), beside: streamsAside,
            parts: [.notes, .sheets, .lists, .streams], request: request, context: context)
    }

    @Sendable private func open(_ request: Request, _ context: WebContext) async throws -> Response {
        try await page(StreamPen(replyTo: request.query["reply"]), request, context)
    }

    @Sendable private func send(_ request: Request, _ context: WebContext) async throws -> Response {
        let word = try word(context)
        let pen = StreamPen(text: context.form["text"], replyTo: context.form["reply"])
        do {
            _ = try await StreamRoom.send(pen.text, replyTo: pen.replyTo, in: word, of: try context.requireAccount())
        } catch {
            // A script keeps what was written and shows the sentence.
            guard !isFragment(request), let trouble = error as? Trouble, !trouble.isMissing else { throw error }
            return try await page(pen.refused(trouble.sentence), request, context)
        }
        return try await done(word, request, context)
    }

    @Sendable private func act(_ request: Request, _ context: WebContext) async throws -> Response {
        let word = try word(context)
        guard let id = try? EventID(hex: try context.parameters.require("id")),
            let act = StreamAct(word: try context.parameters.require("act"))
        else { throw HTTPError(.notFound) }
        _ = try await StreamRoom.act(act, on: id, in: word, of: try context.requireAccount())
        return try await done(word, request, context)
    }

    private func word(_ context: WebContext) throws -> String { try context.parameters.require("naddr") }

    private func done(_ word: String, _ request: Request, _ context: WebContext) async throws -> Response {
        if isFragment(request) { return try await page(StreamPen(), request, context) }
        return redirect(to: "/streams/\(word)")
    }

    private func page(_ pen: StreamPen, _ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.requireAccount()
        let room = try await StreamRoom.load(try word(context), of: account)
        let view = StreamView(
            room: room, pen: pen, token: try context.requireSession().formToken, style: pages.noteStyle(context))
        if isFragment(request) { return view.parts().response() }
        var response = try await pages.page(
            title: room.stream?.title ?? "Live stream", at: .more, view.page(), isWide: true,
            parts: [.notes, .sheets, .lists, .streams], request: request, context: context,
            status: pen.problem == nil ? .ok : .badRequest)
        if let film = room.stream?.film, view.path(of: film) == nil {
            response.headers[.contentSecurityPolicy] = contentPolicy(
                context.personal.remoteMedia, pictureHosts: pages.pictureHosts, film: film.address,
                playsPieces: film.isPlaylist, playsRecordings: context.playsRecordings)
        }
        return response
    }
}

/// What is being written in a chat.
struct StreamPen {
    var text = ""
    /// The line it answers, in hex; empty for none.
    var replyTo = ""
    /// Why it was not sent.
    private(set) var problem: String?

    /// The same text, which was not sent.
    func refused(_ sentence: String) -> StreamPen {
        var pen = self
        pen.problem = sentence
        return pen
    }
}

extension StreamAct {
    /// Reads the last part of an address.
    fileprivate init?(word: String) {
        switch word {
        case "like": self = .react("+")
        case "unlike": self = .unreact
        case "delete": self = .delete
        default: return nil
        }
    }
}
