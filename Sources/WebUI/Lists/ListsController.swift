internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// The account's lists: all of them, and one to change.
struct ListsController {
    let pages: PageRenderer

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/lists", use: lists)
        router.post("/lists", use: make)
        router.get("/lists/:kind", use: list)
        router.post("/lists/:kind/:act", use: change)
    }

    @Sendable private func lists(_ request: Request, _ context: WebContext) async throws -> Response {
        try await listsPage(request, context)
    }

    @Sendable private func make(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = context.form
        let kind = UInt16(form["kind"]).map { Kind($0) } ?? .followSets
        do {
            let made = try await ListsPage.makeSet(
                kind, title: form["title"], summary: form["summary"], of: try context.requireAccount())
            return redirect(to: made.map { listPath($0.kind, $0.identifier) } ?? "/lists")
        } catch let trouble as Trouble {
            return try await listsPage(request, context, problem: trouble.sentence)
        }
    }

    @Sendable private func list(_ request: Request, _ context: WebContext) async throws -> Response {
        try await listPage(try await load(context, request.query), request, context)
    }

    @Sendable private func change(_ request: Request, _ context: WebContext) async throws -> Response {
        let form = context.form
        let change = try asked(try context.parameters.require("act"), form)
        var state = try await load(context, form)
        await state.perform(change, of: try context.requireAccount())
        guard state.isDeleted || state.done != nil else { return try await listPage(state, request, context) }
        let browser = try context.requireSession().browser
        if state.isDeleted {
            browser.leave(Notice(sentence: ListWords.deleted))
            return redirect(to: "/lists")
        }
        browser.leave(notice(state))
        let path = listPath(state.address.kind, state.address.identifier, from: state.start)
        return redirect(to: form["notice"] == "back" ? context.back(else: path) : path)
    }

    private func load(_ context: WebContext, _ form: Form) async throws -> ListEditor {
        guard let kind = UInt16(try context.parameters.require("kind")) else { throw HTTPError(.notFound) }
        let account = try context.requireAccount()
        let address = EventAddress(kind: Kind(kind), author: account.publicKey, identifier: form["d"])
        return try await .load(address, from: Int(form["from"]) ?? 0, of: account)
    }

    private func asked(_ act: String, _ form: Form) throws -> ListEditor.Change {
        switch act {
        case "add":
            return .add(
                ListEditor.Written(
                    text: form["text"], sort: ListSort.EntrySort(rawValue: form["sort"]),
                    isPrivate: form["part"] != "public", people: mentionFields(form)))
        case "put": return .move(try item(form), toPrivate: form["part"] != "public")
        case "remove": return .remove(try item(form))
        case "rename": return .rename(title: form["title"], summary: form["summary"])
        case "delete": return .delete
        default: throw HTTPError(.notFound)
        }
    }

    private func item(_ form: Form) throws -> ListItem {
        guard let item = ListItem(formWord: form["item"]) else {
            throw HTTPError(.badRequest, message: ListWords.noEntry)
        }
        return item
    }

    /// What was done, and how to take it back.
    private func notice(_ state: ListEditor) -> Notice {
        var fields = ["d": state.address.identifier, "from": String(state.start)]
        let root: Path = "/lists/\(state.address.kind.rawValue)"
        let sentence = state.done ?? ""
        switch state.undo {
        case .put(let item, let isPrivate):
            fields["item"] = item.formWord
            fields["part"] = isPrivate ? "private" : "public"
            return Notice(sentence: sentence, undo: Notice.Undo(path: "\(root)/put", fields: fields))
        case .remove(let item):
            fields["item"] = item.formWord
            return Notice(sentence: sentence, undo: Notice.Undo(path: "\(root)/remove", fields: fields))
        case nil: return Notice(sentence: sentence)
        }
    }

    private func listsPage(
        _ request: Request, _ context: WebContext, problem: String? = nil
    ) async throws -> Response {
        let session = try context.requireSession()
        let form = context.form
        let view = ListsView(
            page: try await .load(of: try context.requireAccount()), problem: problem,
            chosenKind: UInt16(form["kind"]).map { Kind($0) }, title: form["title"], summary: form["summary"],
            isLocked: session.isLocked, token: session.formToken)
        return try await pages.page(
            title: "Lists", at: .more, listsView(view), beside: listsAside, request: request, context: context,
            status: problem == nil ? .ok : .unprocessableContent)
    }

    private func listPage(
        _ state: ListEditor, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let view = ListView(
            state: state, mentions: context.form["mentions"], token: try context.requireSession().formToken,
            style: pages.noteStyle(context))
        return try await pages.page(
            title: state.title, at: .more, listView(view), beside: listsAside, request: request, context: context,
            status: state.problem == nil ? .ok : .unprocessableContent)
    }
}

/// The page of a list.
func listPath(_ kind: Kind, _ identifier: String, from start: Int = 0) -> Path {
    var path: Path = "/lists/\(kind.rawValue)"
    if !identifier.isEmpty { path = path.with("d", identifier) }
    if start > 0 { path = path.with("from", String(start)) }
    return path
}
