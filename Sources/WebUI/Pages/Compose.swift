internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import ViewModels

/// Writing: a note, an answer, a quote; and taking it back.
func addCompose(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/compose") { request, context in
        let form = Form(encoded: request.uri.query ?? "")
        if form.has("draft") {
            guard let (model, draft) = try await (try context.requireDesk()).takeUp(form["draft"]) else {
                throw HTTPError(.notFound, message: "This draft is gone, or it is no note.")
            }
            return try await composePage(await model.send(.opened(draft)), back: form["back"], request, context, house)
        }
        let model = composeModel(form, try context.requireDesk())
        let state = await model.send(.opened(ComposeState.Draft(text: form["text"])))
        return try await composePage(state, back: form["back"], request, context, house)
    }
    router.post("/compose") { request, context in
        let desk = try context.requireDesk()
        let form = context.form
        let model = composeModel(form, desk)
        if form["do"] == "preview" {
            let state = await model.send(.preview(draft(form)))
            if isFragment(request) { return house.fragment(preview(state, house, context)) }
            return try await composePage(state, back: form["back"], request, context, house)
        }
        if form["do"] == "draft" {
            let state = await model.send(.keep(draft(form)))
            guard state.isKept else { return try await composePage(state, back: form["back"], request, context, house) }
            try context.requireSession().browser.leave(Notice(sentence: "Kept, encrypted, for you only."))
            return redirect(to: "/drafts?kept=1")
        }
        let state = await model.send(.publish(draft(form)))
        guard let id = await desk.hold(state, in: house.outgoing) else {
            return try await composePage(state, back: form["back"], request, context, house)
        }
        let back = backPath(context, else: "/home")
        return redirect(to: back + (back.contains("?") ? "&" : "?") + "held=" + id)
    }
    router.get("/compose/complete") { request, context in
        let word = Form(encoded: request.uri.query ?? "")["word"]
        let found = await (try context.requireDesk()).completions(word)
        return house.fragment(house.templates.render("completions", ["found": completionValues(found, house, context)]))
    }
    router.get("/compose/held") { request, context in
        let id = Form(encoded: request.uri.query ?? "")["id"]
        let html = await house.pages.heldNote(id)
        if isFragment(request) { return house.fragment(html) }
        if case .published(let event) = await house.outgoing.standing(id) { return redirect(to: "/note/\(event.hex)") }
        return redirect(to: "/home?held=" + encodePercent(id))
    }
    router.post("/compose/undo") { request, context in
        let desk = try context.requireDesk()
        guard let taken = await house.outgoing.undo(context.form["id"], of: desk.own) else {
            throw HTTPError(
                .conflict, message: "It is too late: the note is on its way. You can ask relays to delete it.")
        }
        let model = desk.compose(replyTo: taken.replyTo, quote: taken.quote, keptAs: taken.keptAs)
        let state = await model.send(.opened(taken.draft))
        return try await composePage(state, back: "", request, context, house)
    }
    router.post("/compose/skip-work") { _, context in
        let id = context.form["id"]
        await house.outgoing.skipWork(on: id, of: try context.requireDesk().own)
        return redirect(to: "/compose/held?id=" + encodePercent(id))
    }
    router.post("/compose/now") { _, context in
        let id = context.form["id"]
        // Work may take minutes: then the page does not wait for it, and shows how far it is.
        if try await (try context.requireDesk()).workChoice().notes > 0 {
            await house.outgoing.hasten(id)
        } else {
            await house.outgoing.publishNow(id)
        }
        return redirect(to: "/compose/held?id=" + encodePercent(id))
    }
}

private func composeModel(_ form: Form, _ desk: Desk) -> ScreenModel<ComposeState> {
    // A reference that is none is left out; the page then shows a new note.
    desk.compose(
        replyTo: try? EventID(hex: form["reply"]), quote: try? EventID(hex: form["quote"]),
        keptAs: form["kept"].isEmpty ? nil : form["kept"])
}

private func draft(_ form: Form) -> ComposeState.Draft {
    ComposeState.Draft(
        text: form["text"], mentions: mentionFields(form), warning: form.has("warned") ? form["warning"] : nil)
}

/// The people picked while writing, by the name written after `@`.
func mentionFields(_ form: Form) -> [String: PublicKey] {
    var mentions: [String: PublicKey] = [:]
    for line in form["mentions"].split(separator: "\n").prefix(100) {
        let halves = line.split(separator: "\t")
        // A line that holds no key was not written by our script; leave it out.
        guard halves.count == 2, let key = try? PublicKey(hex: String(halves[1])) else { continue }
        mentions[String(halves[0])] = key
    }
    return mentions
}

private func composePage(
    _ state: ComposeState, back: String, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    let style = house.noteStyle(context)
    var values: [String: Any] = [
        "csrf": try context.requireSession().formToken, "text": state.draft.text,
        "reply": state.replyTo?.hex ?? "", "quote": state.quote?.hex ?? "", "back": back,
        "isReply": state.replyTo != nil, "isQuote": state.quote != nil, "isWarned": state.draft.warning != nil,
        "warning": state.draft.warning ?? "", "hasProblem": state.problem != nil, "problem": state.problem ?? "",
        "canSign": try context.requireDesk().canSign, "kept": state.keptAs ?? "",
        "keepsDrafts": try context.requireDesk().hasLists, "longest": ComposeState.longest,
        "mentions": state.draft.mentions.map { "\($0.key)\t\($0.value.hex)" }.sorted().joined(separator: "\n"),
    ]
    values["answeredHTML"] = state.answered.map { NoteMarkup(note: $0, style: style).card() }
    values["answeredName"] = state.answered?.author.name ?? "someone"
    values["quotedHTML"] = state.quoted.map { NoteMarkup(note: $0, style: style).card() }
    values["previewHTML"] = preview(state, house, context)
    let title = state.replyTo != nil ? "Answer" : (state.quote != nil ? "Quote" : "New note")
    values["title"] = title
    return try await house.page(
        title: title, at: .compose, house.templates.render("compose", values),
        beside: house.templates.render("aside-compose", [:] as [String: Any]), request: request, context: context,
        status: state.problem == nil ? .ok : .unprocessableContent)
}

private func preview(_ state: ComposeState, _ house: House, _ context: WebContext) -> HTML {
    guard state.preview != nil || state.problem != nil else { return HTML() }
    return house.templates.render(
        "preview",
        [
            "textHTML": richText(state.preview ?? [], drawsMedia: false), "hasProblem": state.problem != nil,
            "problem": state.problem ?? "", "isWarned": state.draft.warning != nil,
            "warning": state.draft.warning ?? "",
        ])
}

func completionValues(_ found: [Completion], _ house: House, _ context: WebContext) -> [[String: Any]] {
    let style = house.noteStyle(context)
    return found.enumerated().map { index, completion in
        switch completion {
        case .person(let person):
            [
                "index": index, "isPerson": true, "person": PersonFields(person: person, style: style, isOwn: false),
                "insert": "@" + person.name, "name": person.name, "key": person.key.hex, "label": person.handle,
            ]
        case .emoji(let emoji, let name):
            ["index": index, "isPerson": false, "insert": emoji, "name": emoji, "key": "", "label": ":\(name):"]
        }
    }
}
