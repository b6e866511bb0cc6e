internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// The first message to one person or several.
struct NewConversationController {
    let mail: MailRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/messages/new", use: open)
        router.post("/messages/new", use: fill)
        router.get("/messages/people", use: complete)
    }

    @Sendable private func open(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = request.query
        let account = try context.requireAccount()
        return try await page(await NewConversationView.open(.init(to: form["to"]), of: account), request, context)
    }

    @Sendable private func fill(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = context.form
        let account = try context.requireAccount()
        var filled = NewConversationView.Filled(
            people: keys(form["people"]), to: form["to"], draft: messageDraft(form))
        if form.has("remove") {
            filled.people.removeAll { $0.hex == form["remove"] }
        } else if form.has("add") {
            // A button that names no key was not written by us.
            if let key = try? PublicKey(hex: form["add"]) { filled.people.append(key) }
            filled.to = ""
        } else if form["do"] == "send" {
            return try await page(await NewConversationView.send(filled, of: account), request, context)
        }
        return try await page(await NewConversationView.look(filled, of: account), request, context)
    }

    /// What completes a name, for the page's script.
    @Sendable private func complete(_ request: Request, _ context: WebContext) async throws -> Response {
        let text = request.query["word"]
        let found = await MessageActions(of: try context.requireAccount()).people(called: text)
        return completionsView(found.map { Completion.person($0) }, mail.pages.noteStyle(context)).response()
    }

    private func page(
        _ view: NewConversationView, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        if let word = view.leadsTo { return redirect(to: "/messages/\(word)") }
        if let gate = try await mail.gate(view.access, "New message", back: "/messages/new", request, context) {
            return gate
        }
        let list = try conversationList(
            await .load(of: try context.requireAccount()), open: "", mail.pages, context)
        let main = newConversationView(
            view, token: try context.requireSession().formToken, mail.pages.noteStyle(context))
        return try await mail.page(
            "New message", list: list, main, isOpen: true, request, context,
            status: view.problem == nil ? .ok : .unprocessableContent)
    }

    private func keys(_ text: String) -> [PublicKey] {
        text.split(whereSeparator: \.isWhitespace).prefix(NewConversationView.mostPeople + 1).compactMap { word in
            // A line that holds no key was not written by us; leave it out.
            try? PublicKey(hex: String(word))
        }
    }
}
