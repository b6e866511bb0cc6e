internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// One's lists: all of them, and one under the pen.
func addLists(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/lists") { request, context in
        let state = await (try context.requireDesk()).lists().send(.opened)
        return try await listsPage(state, request, context, house)
    }
    router.post("/lists") { request, context in
        let model = (try context.requireDesk()).lists()
        await model.send(.opened)
        let form = context.form
        let kind = UInt16(form["kind"]).map { Kind($0) } ?? .followSets
        let state = await model.send(.make(kind, title: form["title"], summary: form["summary"]))
        guard let made = state.made else { return try await listsPage(state, request, context, house) }
        return redirect(to: listPath(made.kind, made.identifier))
    }
    router.get("/lists/:kind") { request, context in
        let model = try listModel(context, Form(encoded: request.uri.query ?? ""))
        return try await listPage(await model.send(.opened), request, context, house)
    }
    router.post("/lists/:kind/:act") { request, context in
        let form = context.form
        let model = try listModel(context, form)
        await model.send(.opened)
        let state = await model.send(try listInput(try context.parameters.require("act"), form))
        guard state.isDeleted || state.done != nil else { return try await listPage(state, request, context, house) }
        let session = try context.requireSession()
        let path = listPath(state.address.kind, state.address.identifier, from: state.start)
        let isNotice = form["notice"] == "back"
        let notice = state.isDeleted ? Notice(sentence: "The list is deleted.") : listNotice(state, path, form)
        session.browser.leave(notice)
        return redirect(to: state.isDeleted ? "/lists" : (isNotice ? backPath(context, else: path) : path))
    }
}

/// The page of a list.
func listPath(_ kind: Kind, _ identifier: String, from start: Int = 0) -> String {
    var query: [String] = []
    if !identifier.isEmpty { query.append("d=" + encodePercent(identifier)) }
    if start > 0 { query.append("from=\(start)") }
    return "/lists/\(kind.rawValue)" + (query.isEmpty ? "" : "?" + query.joined(separator: "&"))
}

private func listModel(_ context: WebContext, _ form: Form) throws -> ScreenModel<ListEditor> {
    guard let kind = UInt16(try context.parameters.require("kind")) else { throw HTTPError(.notFound) }
    return (try context.requireDesk()).list(Kind(kind), identifier: form["d"], from: Int(form["from"]) ?? 0)
}

private func listInput(_ act: String, _ form: Form) throws -> ListEditor.Input {
    switch act {
    case "add":
        return .add(
            ListEditor.Written(
                text: form["text"], sort: ListSort.EntrySort(rawValue: form["sort"]),
                isPrivate: form["part"] != "public", people: mentionFields(form)))
    case "put":
        return .move(try listItem(form), toPrivate: form["part"] != "public")
    case "remove": return .remove(try listItem(form))
    case "rename": return .rename(title: form["title"], summary: form["summary"])
    case "delete": return .delete
    default: throw HTTPError(.notFound)
    }
}

private func listItem(_ form: Form) throws -> ListItem {
    guard let item = ListItem(formWord: form["item"]) else {
        throw HTTPError(.badRequest, message: "This names no entry of a list.")
    }
    return item
}

private func listNotice(_ state: ListEditor, _ path: String, _ form: Form) -> Notice {
    var fields = ["d": state.address.identifier, "from": String(state.start)]
    let root = "/lists/\(state.address.kind.rawValue)/"
    switch state.undo {
    case .put(let item, let isPrivate):
        fields["item"] = item.formWord
        fields["part"] = isPrivate ? "private" : "public"
        return Notice(sentence: state.done ?? "", undo: Notice.Undo(path: root + "put", fields: fields))
    case .remove(let item):
        fields["item"] = item.formWord
        return Notice(sentence: state.done ?? "", undo: Notice.Undo(path: root + "remove", fields: fields))
    case nil: return Notice(sentence: state.done ?? "")
    }
}

private func listsPage(
    _ state: ListsState, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    if case .failed(let trouble) = state.phase { throw trouble }
    let now = house.clock.now()
    let sections = state.sections.map { section -> [String: Any] in
        ["title": section.shelf.title, "slug": section.shelf.rawValue, "rows": section.rows.map { rowValues($0, now) }]
    }
    let chosen = UInt16(context.form["kind"])
    let values: [String: Any] = [
        "csrf": try context.requireSession().formToken, "sections": sections, "title": state.newTitle,
        "problem": state.problem ?? "", "hasProblem": state.problem != nil, "summary": context.form["summary"],
        "isLocked": try context.requireSession().isLocked,
        "kinds": ListSort.sets.map {
            ["kind": Int($0.kind.rawValue), "label": $0.title, "isChosen": $0.kind.rawValue == chosen] as [String: Any]
        },
    ]
    return try await house.page(
        title: "Lists", at: .more, house.templates.render("lists", values),
        beside: house.templates.render("aside-lists", [:] as [String: Any]), request: request, context: context,
        status: state.problem == nil ? .ok : .unprocessableContent)
}

private func rowValues(_ row: ListsState.Row, _ now: Timestamp) -> [String: Any] {
    var values: [String: Any] = [
        "href": listPath(row.sort.kind, row.identifier), "title": row.title, "sort": row.sort.title,
        "isSet": row.sort.isSet, "lead": row.sort.lead, "hasPublic": row.publicCount > 0, "public": row.publicCount,
        "isClosed": row.privateCount == nil, "isUnreadable": row.isUnreadable,
        "hasPrivate": (row.privateCount ?? 0) > 0, "private": row.privateCount ?? 0,
        "isEmpty": row.publicCount == 0 && row.privateCount == 0 && row.unknown == 0,
        "hasUnknown": row.unknown > 0, "unknown": row.unknown,
    ]
    values["when"] = row.changedAt.map { spoken($0, now: now) }
    values["utc"] = row.changedAt.map(utc)
    return values
}

private func listPage(
    _ state: ListEditor, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    if case .failed(let trouble) = state.phase { throw trouble }
    let session = try context.requireSession()
    let style = house.noteStyle(context)
    let sort = state.sort
    let path = listPath(state.address.kind, state.address.identifier)
    let separator = path.contains("?") ? "&" : "?"
    var values: [String: Any] = [
        "csrf": session.formToken, "root": "/lists/\(state.address.kind.rawValue)", "d": state.address.identifier,
        "from": state.start, "title": state.title, "lead": sort.lead, "isSet": sort.isSet, "sortTitle": sort.title,
        "name": state.name, "canChange": state.canChange, "isPublicOnly": sort.isPublicOnly,
        "isLocked": state.isLocked, "isUnreadable": state.isUnreadable,
        "hasUnknown": state.unknownCount > 0, "unknown": state.unknownCount,
        "isOneUnknown": state.unknownCount == 1, "hasProblem": state.problem != nil, "problem": state.problem ?? "",
        "text": state.written.text, "isPrivate": state.written.isPrivate, "hasNext": state.next != nil,
        "next": path + separator + "from=\(state.next ?? 0)", "hasBefore": state.start > 0,
        "before": path + separator + "from=\(max(0, state.start - ListEditor.pageSize))",
        "publicCount": state.publicCount, "privateCount": state.privateCount,
        "publicEntries": state.publicEntries.map { entryValues($0, sort, style) },
        "privateEntries": state.privateEntries.map { entryValues($0, sort, style) },
        "hasPublic": state.publicCount > 0, "hasPrivate": state.privateCount > 0,
        "takesPeople": sort.takes.contains(.person), "hint": sort.takes.map(\.hint).joined(separator: " · "),
        "candidates": state.candidates.map {
            ["person": PersonFields(person: $0, style: style, isOwn: false), "npub": $0.key.npub] as [String: Any]
        },
        "hasCandidates": !state.candidates.isEmpty, "mentions": context.form["mentions"],
    ]
    // Templates take an empty text for one that is there.
    values["summary"] = state.summary.isEmpty ? nil : state.summary
    // Where one text can be read in several ways, its writer says which.
    let choices = sort.takes.filter { [.word, .hashtag, .person].contains($0) }
    values["sorts"] = choices.map {
        ["value": $0.rawValue, "label": $0.one, "isChosen": $0 == state.written.sort] as [String: Any]
    }
    values["hasSorts"] = choices.count > 1
    return try await house.page(
        title: state.title, at: .more, house.templates.render("list", values),
        beside: house.templates.render("aside-lists", [:] as [String: Any]), request: request, context: context,
        status: state.problem == nil ? .ok : .unprocessableContent)
}

private func entryValues(_ entry: ListEntry, _ sort: ListSort, _ style: NoteStyle) -> [String: Any] {
    var values: [String: Any] = [
        "text": entry.text, "detail": entry.detail, "hasDetail": !entry.detail.isEmpty, "word": entry.item.formWord,
        "isPerson": entry.item.sort == .person, "kind": entry.item.sort.one, "canMove": !sort.isPublicOnly,
        "isKnown": sort.takes.contains(entry.item.sort),
    ]
    values["person"] = entry.person.map { PersonFields(person: $0, style: style, isOwn: false) }
    switch entry.target {
    case .person(let key): values["href"] = "/people/\(key.hex)"
    case .note(let id): values["href"] = "/note/\(id.hex)"
    case .topic(let topic): values["href"] = "/tags/" + encodePercent(topic)
    case .web, nil: break
    }
    return values
}
