internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ViewModels

/// One circle's chat, and what is done with its lines.
struct CircleChatController {
    let circles: CirclePages

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/circles/:id", use: open)
        router.post("/circles/:id", use: send)
        router.get("/circles/:id/:line/shown", use: shown)
        router.get("/circles/:id/:line/file/:number", use: file)
        router.get("/circles/:id/:line/react", use: picker)
        router.post("/circles/:id/:line/react", use: react)
        router.post("/circles/:id/:line/unreact", use: takeBack)
        router.post("/circles/:id/unsent/:file/:act", use: actOnUnsent)
        router.post("/circles/:id/:line/delete-everywhere", use: retract)
    }

    @Sendable private func open(_ request: Request, _ context: WebContext) async throws -> Response {
        try await page(await circles.model(context).open(request), request, context)
    }

    @Sendable private func send(_ request: Request, _ context: WebContext) async throws -> Response {
        let state = try await circles.model(context).send(context.form, request)
        guard state.pen.isDone else { return try await page(state, request, context) }
        return try await log(request, context)
    }

    /// One line that is muted, for whoever asks to see it.
    @Sendable private func shown(_ request: Request, _ context: WebContext) async throws -> Response {
        let state = try await circles.state(context)
        let line = try messageID(context, "line")
        return try await circles.page(state, at: .chat, request, context) { item, head in
            guard let log = try await circles.actions(context).unveiled(line, of: state) else {
                throw HTTPError(.notFound, message: CircleWords.noLine)
            }
            return unveiledCircleLine(
                log, in: state, head: head, ownPictures: await log.ownPictures(of: try context.requireAccount()),
                try context.requireSession().formToken, circles.style(item, context))
        }
    }

    @Sendable private func file(_ request: Request, _ context: WebContext) async throws -> Response {
        let id = try circles.id(context)
        let line = try messageID(context, "line")
        guard let number = Int(try context.parameters.require("number")) else {
            throw HTTPError(.notFound, message: SealedFileError.noFile.sentence)
        }
        return openedFile(try await circles.actions(context).openFile(number, of: line, in: id))
    }

    /// Every emoji there is to react with, where the few beside a line are not enough.
    @Sendable private func picker(_ request: Request, _ context: WebContext) async throws -> Response {
        let state = try await circles.state(context)
        let line = try messageID(context, "line")
        let choices = await EmojiChoices.load(of: try context.requireAccount())
        return try await circles.page(state, at: .chat, request, context) { item, head in
            let page = MessageReactPage(
                path: "/circles/\(state.word)", id: line, choices: choices,
                audience: "Only the members of this circle see it.")
            let token = try context.requireSession().formToken
            return """
                <div class="talk">\(head)<div class="circle-page"><h2>React with an emoji</h2>\(messageReactView(page, token, circles.style(item, context)))</div></div>
                """
        }
    }

    @Sendable private func react(_ request: Request, _ context: WebContext) async throws -> Response {
        let id = try circles.id(context)
        try await circles.actions(context).react(
            to: try messageID(context, "line"), in: id, with: context.form["content"])
        return try await log(request, context)
    }

    @Sendable private func takeBack(_ request: Request, _ context: WebContext) async throws -> Response {
        try await circles.actions(context).takeBack(
            context.form["content"], from: try messageID(context, "line"), in: try circles.id(context))
        return try await log(request, context)
    }

    /// A file that waits for a media server is tried now, or taken back.
    @Sendable private func actOnUnsent(_ request: Request, _ context: WebContext) async throws -> Response {
        let (id, file) = (try circles.id(context), try context.parameters.require("file"))
        let actions = try circles.actions(context)
        switch try context.parameters.require("act") {
        case "retry": try await actions.retryFile(file, in: id)
        case "remove": try await actions.removeFile(file, in: id)
        default: throw HTTPError(.notFound)
        }
        return try await log(request, context)
    }

    @Sendable private func retract(_ request: Request, _ context: WebContext) async throws -> Response {
        let id = try circles.id(context)
        try await circles.actions(context).retract(try messageID(context, "line"), in: id)
        return try await log(request, context)
    }

    private func log(_ request: Request, _ context: WebContext) async throws -> Response {
        let path: Path = "/circles/\(try context.parameters.require("id"))"
        return try await circles.model(context).answer(request, at: path) { try await logHTML($0, context) }
    }

    private func logHTML(_ state: CircleState, _ context: WebContext) async throws -> HTML {
        circleLog(
            state, ownPictures: await state.log.ownPictures(of: try context.requireAccount()),
            try context.requireSession().formToken, circles.style(state.item, context))
    }

    private func page(_ state: CircleState, _ request: Request, _ context: WebContext) async throws -> Response {
        if isFragment(request) {
            try state.requireOpen()
            return try await logHTML(state, context).response()
        }
        return try await circles.page(state, at: .chat, request, context, status: state.status) { item, head in
            circleChatView(
                state, item, head: head, log: try await logHTML(state, context),
                try context.requireSession().formToken)
        }
    }
}
