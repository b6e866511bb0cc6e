internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// A conversation, and what one does with a note.
func addThread(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/note/:id") { request, context in
        try await threadPage(request, context, house)
    }
    router.get("/note/:id/card") { request, context in
        let (id, _) = try notePointer(context)
        guard let note = await (try context.requireDesk()).note(id) else { throw HTTPError(.notFound) }
        return house.fragment(NoteMarkup(note: note, style: house.noteStyle(context)).article())
    }
    router.get("/note/:id/receipts") { _, context in
        let (id, _) = try notePointer(context)
        let receipts = try await (try context.requireDesk()).receipts(of: id)
        return house.fragment(house.templates.render("receipts", receiptValues(receipts, house)))
    }
    router.post("/note/:id/:act") { request, context in
        let (id, _) = try notePointer(context)
        let desk = try context.requireDesk()
        switch try context.parameters.require("act") {
        case "like": try await desk.like(id)
        case "repost": try await desk.repost(id)
        case "delete":
            try await desk.delete(id)
            return redirect(to: backPath(context, else: "/home"))
        default: throw HTTPError(.notFound)
        }
        if isFragment(request), let note = await desk.note(id) {
            return house.fragment(NoteMarkup(note: note, style: house.noteStyle(context)).article())
        }
        return redirect(to: backPath(context, else: "/note/\(id.hex)"))
    }
}

private func threadPage(_ request: Request, _ context: WebContext, _ house: House) async throws -> Response {
    let (id, hints) = try notePointer(context)
    let desk = try context.requireDesk()
    let state = await desk.thread(id, hints: hints).send(.opened)
    let style = house.noteStyle(context)
    var values: [String: Any] = [
        "csrf": try context.requireSession().formToken, "back": "/note/\(id.hex)", "id": id.hex,
        "ancestorsHTML": notesHTML(state.ancestors, style, isInThread: true), "isOwn": state.focus?.isOwn ?? false,
        "repliesHTML": repliesHTML(state.replies, style),
        "hasReplies": !state.replies.isEmpty, "isLoading": state.isLoading, "isMissing": state.focus == nil,
        "canSign": desk.canSign, "isTrouble": false, "hasReceipts": !state.receipts.isEmpty,
    ]
    values["focusHTML"] = state.focus.map { NoteMarkup(note: $0, style: style, isFocus: true).article() }
    values["author"] = state.focus?.author.name
    values["receiptsHTML"] = house.templates.render("receipts", receiptValues(state.receipts, house))
    if case .failed(let trouble) = state.phase {
        values["isTrouble"] = true
        values["trouble"] = trouble.sentence
    }
    let aside = state.focus.map { focus -> HTML in
        house.templates.render(
            "aside-thread",
            [
                "author": PersonFields(person: focus.author, style: style, isOwn: focus.isOwn),
                "utc": utc(focus.createdAt),
            ])
    }
    let status: HTTPResponse.Status = state.focus == nil && !state.isLoading ? .notFound : .ok
    let title = state.focus.map { "Note by \($0.author.name)" } ?? "Note"
    return try await house.page(
        title: title, at: .none, house.templates.render("thread", values), beside: aside ?? HTML(), request: request,
        context: context, status: status)
}

private func repliesHTML(_ replies: [ThreadState.Reply], _ style: NoteStyle) -> HTML {
    var html = HTML()
    for reply in replies {
        html.add(NoteMarkup(note: reply.note, style: style, depth: reply.depth, isInThread: true).article())
    }
    return html
}

/// The receipts of a note for templates.
func receiptValues(_ receipts: [ReceiptItem], _ house: House) -> [String: Any] {
    let accepted = receipts.count { if case .accepted = $0.standing { true } else { false } }
    let rows = receipts.map { receipt -> [String: Any] in
        let (state, words): (String, String) =
            switch receipt.standing {
            case .accepted: ("accepted", "Accepted")
            case .waiting: ("waiting", "Will be offered again")
            case .givenUp: ("given-up", "Given up")
            }
        return [
            "relay": receipt.relay, "purpose": receipt.purpose, "state": state, "words": words,
            "answer": receipt.answer, "hasAnswer": !receipt.answer.isEmpty,
        ]
    }
    return ["receipts": rows, "accepted": accepted, "asked": receipts.count, "hasReceipts": !receipts.isEmpty]
}

/// The note an address names: hex, `note1…` or `nevent1…`.
func notePointer(_ context: WebContext) throws -> (EventID, [RelayURL]) {
    let text = try context.parameters.require("id")
    // What does not decode is tried the other way, and then is nothing.
    if let id = try? EventID(hex: text) { return (id, []) }
    switch try? NostrEntity(text) {
    case .note(let id): return (id, [])
    case .nevent(let pointer): return (pointer.id, pointer.relays)
    default: throw HTTPError(.notFound, message: "That is not the name of a note.")
    }
}

/// Where a form wants to go back to: a path of this program.
func backPath(_ context: WebContext, else fallback: String) -> String {
    let path = context.form["back"]
    let isOurs =
        path.hasPrefix("/") && !path.hasPrefix("//")
        && path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
    return isOurs ? path : fallback
}
