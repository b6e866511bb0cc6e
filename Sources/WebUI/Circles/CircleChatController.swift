internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// One circle's chat, and what is done with its lines.
struct CircleChatController {
    let circles: CirclePages

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/circles/:id", use: open)
        router.post("/circles/:id", use: send)
        router.post("/circles/:id/:line/react", use: react)
        router.post("/circles/:id/:line/delete-everywhere", use: retract)
    }

    @Sendable private func open(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = request.query
        // What is no place or no line is left out; the page then shows the newest.
        let place = MessagePlace(mark: form["before"])
        let draft = MessageDraft(replyTo: try? EventID(hex: form["reply"]))
        let isSeen = !isFragment(request) || form.has("seen")
        let state = await (try circles.model(context)).send(.opened(before: place, isSeen: isSeen, draft: draft))
        return try await page(state, request, context)
    }

    @Sendable private func send(_ request: Request, _ context: WebContext) async throws -> Response {
        let model = try circles.model(context)
        await model.send(.opened(before: nil, isSeen: true, draft: MessageDraft()))
        let state = await model.send(.send(messageDraft(context.form)))
        guard state.pen.sent != nil else {
            if isFragment(request), let problem = state.pen.problem {
                throw HTTPError(.unprocessableContent, message: problem)
            }
            return try await page(state, request, context)
        }
        return try await log(request, context)
    }

    @Sendable private func react(_ request: Request, _ context: WebContext) async throws -> Response {
        let id = try circles.id(context)
        try await circles.actions(context).react(to: try line(context), in: id, with: context.form["content"])
        return try await log(request, context)
    }

    @Sendable private func retract(_ request: Request, _ context: WebContext) async throws -> Response {
        let id = try circles.id(context)
        try await circles.actions(context).retract(try line(context), in: id)
        return try await log(request, context)
    }

    /// After an act: the chat as it is now, to a script, or the way back to it.
    private func log(_ request: Request, _ context: WebContext) async throws -> Response {
        guard isFragment(request) else { return redirect(to: "/circles/\(try context.parameters.require("id"))") }
        let model = try circles.model(context)
        let state = await model.send(.opened(before: nil, isSeen: true, draft: MessageDraft()))
        return try logHTML(state, context).response()
    }

    private func logHTML(_ state: CircleState, _ context: WebContext) throws -> HTML {
        circleLog(state, try context.requireSession().formToken, circles.style(state.item, context))
    }

    private func page(_ state: CircleState, _ request: Request, _ context: WebContext) async throws -> Response {
        if isFragment(request) {
            guard state.access == .open else { throw HTTPError(.conflict, message: ConversationWords.locked) }
            return try logHTML(state, context).response()
        }
        let status: HTTPResponse.Status = state.pen.problem == nil ? .ok : .unprocessableContent
        return try await circles.page(state, at: .chat, request, context, status: status) { item, head in
            circleChatView(
                state, item, head: head, log: try logHTML(state, context), try context.requireSession().formToken)
        }
    }

    private func line(_ context: WebContext) throws -> EventID {
        guard let line = try? EventID(hex: try context.parameters.require("line")) else {
            throw HTTPError(.notFound, message: ConversationWords.noMessage)
        }
        return line
    }
}
