internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import ViewModels

/// One private conversation, and what is done with its messages.
struct ConversationController {
    let mail: MailRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/messages/:word", use: open)
        router.post("/messages/:word", use: send)
        router.post("/messages/:word/accept", use: accept)
        router.post("/messages/:word/forget", use: forget)
        router.get("/messages/:word/:id", use: receipts)
        router.get("/messages/:word/:id/file", use: file)
        router.get("/messages/:word/:id/react", use: picker)
        router.post("/messages/:word/:id/react", use: react)
        router.post("/messages/:word/:id/:act", use: act)
        router.post("/messages/:word/unsent/:file/:act", use: actOnUnsent)
    }

    @Sendable private func open(_ request: Request, _ context: WebContext) async throws -> Response {
        try await page(await model(context).open(request), request, context)
    }

    @Sendable private func send(_ request: Request, _ context: WebContext) async throws -> Response {
        let state = try await model(context).send(context.form, request)
        guard state.pen.isDone else { return try await page(state, request, context) }
        return try await log(request, context)
    }

    @Sendable private func accept(_ request: Request, _ context: WebContext) async throws -> Response {
        let word = try context.parameters.require("word")
        try await actions(context).accept(word)
        if isFragment(request) { return try await log(request, context) }
        return redirect(to: context.back(else: "/messages/\(word)"))
    }

    @Sendable private func forget(_ request: Request, _ context: WebContext) async throws -> Response {
        try await actions(context).forget(try context.parameters.require("word"))
        return redirect(to: context.back(else: "/messages/requests"))
    }

    @Sendable private func react(_ request: Request, _ context: WebContext) async throws -> Response {
        let word = try context.parameters.require("word")
        try await actions(context).react(to: try messageID(context, "id"), in: word, with: context.form["content"])
        return try await log(request, context)
    }

    @Sendable private func act(_ request: Request, _ context: WebContext) async throws -> Response {
        let word = try context.parameters.require("word")
        let id = try messageID(context, "id")
        let actions = try actions(context)
        switch try context.parameters.require("act") {
        case "unreact": try await actions.takeBack(context.form["content"], from: id, in: word)
        case "delete": try await actions.delete(id, in: word, forEveryone: false)
        case "delete-everywhere": try await actions.delete(id, in: word, forEveryone: true)
        case "resend": try await actions.resend(id)
        default: throw HTTPError(.notFound)
        }
        return try await log(request, context)
    }

    /// A file that waits for a media server is tried now, or taken back.
    @Sendable private func actOnUnsent(_ request: Request, _ context: WebContext) async throws -> Response {
        let (word, file) = (try context.parameters.require("word"), try context.parameters.require("file"))
        let actions = try actions(context)
        let act = try context.parameters.require("act")
        do {
            switch act {
            case "retry": try await actions.retryFile(file, in: word)
            case "remove": try await actions.removeFile(file, in: word)
            default: throw HTTPError(.notFound)
            }
        } catch let trouble as Trouble {
            // Pressed twice: the conversation went with the first press.
            if await actions.exists(word) { throw trouble }
        }
        // Where nothing was said yet there is no conversation left.
        guard await actions.exists(word) else {
            guard isFragment(request) else { return redirect(to: "/messages") }
            return ("<span hidden data-gone></span>" as HTML).response()
        }
        return try await log(request, context)
    }

    @Sendable private func file(_ request: Request, _ context: WebContext) async throws -> Response {
        let word = try context.parameters.require("word")
        let id = try messageID(context, "id")
        return openedFile(try await actions(context).openFile(of: id, in: word))
    }

    @Sendable private func receipts(_ request: Request, _ context: WebContext) async throws -> Response {
        let word = try context.parameters.require("word")
        let id = try messageID(context, "id")
        let receipts = MessageReceipts(
            path: "/messages/\(word)", id: id, recipients: try await actions(context).receipts(of: id))
        if isFragment(request) { return messageReceiptsView(receipts).response() }
        let token = try context.requireSession().formToken
        let list = try conversationList(
            await .load(of: try context.requireAccount()), open: word, mail.pages, context)
        return try await mail.page(
            "Where this message is", list: list, messageReceiptsPage(receipts, token), isOpen: true, request, context)
    }

    /// Every emoji there is to react with, where the few beside a message are not enough.
    @Sendable private func picker(_ request: Request, _ context: WebContext) async throws -> Response {
        let (word, id) = (try context.parameters.require("word"), try messageID(context, "id"))
        let account = try context.requireAccount()
        guard account.canSign else { throw HTTPError(.notFound) }
        let view = await ConversationsView.load(of: account)
        let path: Path = "/messages/\(word)"
        if let gate = try await mail.gate(view.access, "Messages", back: path, request, context) { return gate }
        let page = MessageReactPage(
            path: path, id: id, choices: await .load(of: account),
            audience: "Only the people in this conversation see it.")
        let main: HTML = """
            <header class="talk-head"><a class="back is-always" href="\(path)" aria-label="Back to the conversation">\(icon(.back))</a><div class="talk-title"><h1>React with an emoji</h1></div></header>
            <div class="mail-page">\(messageReactView(page, try context.requireSession().formToken, mail.pages.noteStyle(context)))</div>
            """
        let list = try conversationList(view, open: word, mail.pages, context)
        return try await mail.page("React with an emoji", list: list, main, isOpen: true, request, context)
    }

    private func log(_ request: Request, _ context: WebContext) async throws -> Response {
        let path: Path = "/messages/\(try context.parameters.require("word"))"
        return try await model(context).answer(request, at: path) {
            conversationLog(try await talk($0, context))
        }
    }

    private func page(
        _ state: ConversationState, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        if case .failed(let trouble) = state.phase { throw trouble }
        let talk = try await talk(state, context)
        if isFragment(request) {
            try state.requireOpen()
            return conversationLog(talk).response()
        }
        if let gate = try await mail.gate(state.access, "Messages", back: talk.path, request, context) { return gate }
        guard let item = state.conversation else {
            throw HTTPError(.notFound, message: ConversationWords.noConversation)
        }
        let account = try context.requireAccount()
        let list = try conversationList(
            await .load(requests: state.isRequest, of: account), open: state.word, mail.pages, context)
        return try await mail.page(
            item.title, list: list, conversationView(talk, item), isOpen: true, request, context,
            status: state.status)
    }

    private func talk(_ state: ConversationState, _ context: WebContext) async throws -> ConversationTalk {
        ConversationTalk(
            state: state, ownPictures: await state.log.ownPictures(of: try context.requireAccount()),
            token: try context.requireSession().formToken, style: mail.pages.noteStyle(context))
    }

    private func model(_ context: WebContext) throws -> ScreenModel<ConversationState> {
        ScreenModel(conversation: try context.parameters.require("word"), of: try context.requireAccount())
    }

    private func actions(_ context: WebContext) throws -> MessageActions {
        MessageActions(of: try context.requireAccount())
    }
}
