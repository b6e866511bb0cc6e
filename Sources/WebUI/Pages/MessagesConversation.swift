internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// One private conversation, and what one does with its messages.
func addConversation(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/messages/:word") { request, context in
        let form = Form(encoded: request.uri.query ?? "")
        let word = try context.parameters.require("word")
        // What is no place or no message is left out; the page then shows the newest.
        let place = MessagePlace(mark: form["before"])
        let draft = MessageDraft(replyTo: try? EventID(hex: form["reply"]))
        let isSeen = !isFragment(request) || form.has("seen")
        let model = try context.requireDesk().conversation(word)
        let state = await model.send(.opened(before: place, isSeen: isSeen, draft: draft))
        return try await conversationPage(state, request, context, house)
    }
    router.post("/messages/:word") { request, context in
        let word = try context.parameters.require("word")
        let model = try context.requireDesk().conversation(word)
        await model.send(.opened(before: nil, isSeen: true, draft: MessageDraft()))
        let state = await model.send(.send(messageDraft(context.form)))
        guard state.sent != nil else {
            if isFragment(request), let problem = state.problem {
                throw HTTPError(.unprocessableContent, message: problem)
            }
            return try await conversationPage(state, request, context, house)
        }
        return try await log(word, request, context, house)
    }
    for (act, leadsTo) in [("accept", nil), ("forget", "/messages/requests")] as [(String, String?)] {
        router.post("/messages/:word/\(act)") { request, context in
            let word = try context.parameters.require("word")
            let desk = try context.requireDesk()
            if act == "accept" { try await desk.accept(word) } else { try await desk.forget(word) }
            if act == "accept", isFragment(request) { return try await log(word, request, context, house) }
            return redirect(to: backPath(context, else: leadsTo ?? "/messages/\(word)"))
        }
    }
    router.get("/messages/:word/:id") { request, context in
        try await messageReceiptsPage(request, context, house)
    }
    router.post("/messages/:word/:id/:act") { request, context in
        let word = try context.parameters.require("word")
        let id = try messageID(context)
        let desk = try context.requireDesk()
        switch try context.parameters.require("act") {
        case "react": try await desk.react(to: id, in: word, with: context.form["content"])
        case "delete": try await desk.delete(id, in: word, forEveryone: false)
        case "delete-everywhere": try await desk.delete(id, in: word, forEveryone: true)
        case "resend": try await desk.resend(id)
        default: throw HTTPError(.notFound)
        }
        return try await log(word, request, context, house)
    }
}

/// What a posted form says about a message.
func messageDraft(_ form: Form) -> MessageDraft {
    MessageDraft(
        text: form["text"], mentions: mentionFields(form),
        // What is no message is not answered.
        replyTo: try? EventID(hex: form["reply"]), subject: form["subject"],
        lifetime: MessageLifetime(rawValue: form["lifetime"]))
}

/// After an act: the messages as they are now, to a script, or the way back to them.
private func log(
    _ word: String, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    guard isFragment(request) else { return redirect(to: "/messages/\(word)") }
    let model = try context.requireDesk().conversation(word)
    let state = await model.send(.opened(before: nil, isSeen: true, draft: MessageDraft()))
    return house.fragment(logHTML(state, house, context))
}

private func logHTML(_ state: ConversationState, _ house: House, _ context: WebContext) -> HTML {
    var values: [String: Any] = [
        "logHTML": TalkMarkup(state: state, style: house.noteStyle(context)).log(), "word": state.word,
        "hasOlder": state.older != nil, "isAtNewest": state.isAtNewest, "isEmpty": state.messages.isEmpty,
        "isToSelf": state.conversation?.isToSelf ?? false, "csrf": context.session?.formToken ?? "",
        "names": namesOf(state),
    ]
    values["older"] = state.older?.mark
    return house.templates.render("conversation-log", values)
}

private func namesOf(_ state: ConversationState) -> String {
    guard let item = state.conversation else { return "" }
    return item.isGroup && item.people.count > 3 ? "the \(item.people.count) others" : peopleInARow(item.people)
}

private func conversationPage(
    _ state: ConversationState, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    if case .failed(let trouble) = state.phase { throw trouble }
    if isFragment(request) {
        guard state.access == .open else { throw HTTPError(.conflict, message: "Your key is locked.") }
        return house.fragment(logHTML(state, house, context))
    }
    if let gate = try await messageGate(state.access, back: "/messages/\(state.word)", house, context) {
        return try await mailPage("Messages", list: HTML(), gate, isOpen: false, request, context, house)
    }
    guard let item = state.conversation else {
        throw HTTPError(.notFound, message: "There is no such conversation here.")
    }
    let desk = try context.requireDesk()
    let list = try conversationList(
        await desk.conversations(requests: state.isRequest).send(.opened), open: state.word, house, context)
    let main = house.templates.render("conversation", try conversationValues(state, item, house, context))
    return try await mailPage(
        item.title, list: list, main, isOpen: true, request, context, house,
        status: state.problem == nil ? .ok : .unprocessableContent)
}

private func conversationValues(
    _ state: ConversationState, _ item: ConversationItem, _ house: House, _ context: WebContext
) throws -> [String: Any] {
    let style = house.noteStyle(context)
    var values = penValues(state.draft, usual: state.usualLifetime)
    values["csrf"] = try context.requireSession().formToken
    values["word"] = state.word
    values["title"] = item.title
    values["subject"] = item.subject ?? ""
    values["hasSubject"] = item.subject != nil
    values["isGroup"] = item.isGroup
    values["isToSelf"] = item.isToSelf
    values["isRequest"] = state.isRequest
    values["back"] = state.isRequest ? "/messages/requests" : "/messages"
    values["picturesHTML"] = roomPictures(item, style)
    values["people"] = item.people.map { PersonFields(person: $0, style: style, isOwn: item.isToSelf) }
    values["names"] = peopleInARow(item.people)
    values["key"] = item.people.first?.key.hex ?? ""
    values["handle"] = item.people.first?.handle ?? ""
    values["logHTML"] = logHTML(state, house, context)
    values["hasUnreachable"] = !state.unreachable.isEmpty
    values["unreachable"] = peopleInARow(state.unreachable)
    values["isOneUnreachable"] = state.unreachable.count == 1
    values["hasProblem"] = state.problem != nil
    values["problem"] = state.problem ?? ""
    values["answeredWords"] = state.answered?.excerpt ?? "an earlier message"
    values["answeredAuthor"] = state.answered.map { $0.isOwn ? "yourself" : $0.author.name } ?? ""
    return values
}

/// What the pen of a message shows.
func penValues(_ draft: MessageDraft, usual: MessageLifetime) -> [String: Any] {
    let chosen = draft.lifetime ?? usual
    return [
        "text": draft.text, "reply": draft.replyTo?.hex ?? "", "isReply": draft.replyTo != nil,
        "newSubject": draft.subject, "longestSubject": MessageDraft.longestSubject,
        "mentions": draft.mentions.map { "\($0.key)\t\($0.value.hex)" }.sorted().joined(separator: "\n"),
        "lifetimes": MessageLifetime.allCases.map { lifetime -> [String: Any] in
            ["value": lifetime.rawValue, "label": label(lifetime), "isChosen": lifetime == chosen]
        },
    ]
}

private func label(_ lifetime: MessageLifetime) -> String {
    switch lifetime {
    case .kept: "Kept"
    case .hour: "Gone after an hour"
    case .day: "Gone after a day"
    case .week: "Gone after a week"
    case .month: "Gone after 30 days"
    }
}

private func messageReceiptsPage(
    _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    let word = try context.parameters.require("word")
    let id = try messageID(context)
    let desk = try context.requireDesk()
    let recipients = try await desk.messageReceipts(of: id)
    let style = house.noteStyle(context)
    var values: [String: Any] = [
        "csrf": try context.requireSession().formToken, "word": word, "id": id.hex,
        "recipients": recipients.map { recipientValues($0, style, house) }, "isEmpty": recipients.isEmpty,
        "canResend": recipients.contains { $0.stored < $0.relays.count },
    ]
    let part = house.templates.render("message-receipts", values)
    if isFragment(request) { return house.fragment(part) }
    values["receiptsHTML"] = part
    let list = try conversationList(await desk.conversations().send(.opened), open: word, house, context)
    return try await mailPage(
        "Where this message is", list: list, house.templates.render("message-receipts-page", values), isOpen: true,
        request, context, house)
}

private func recipientValues(_ item: RecipientItem, _ style: NoteStyle, _ house: House) -> [String: Any] {
    var values = receiptValues(item.relays, house)
    values["person"] = PersonFields(person: item.person, style: style, isOwn: item.isOwn)
    values["isOwn"] = item.isOwn
    values["basis"] = item.basisSentence
    return values
}

private func messageID(_ context: WebContext) throws -> EventID {
    let text = try context.parameters.require("id")
    do { return try EventID(hex: text) } catch {
        throw HTTPError(.notFound, message: "That is not the name of a message.")
    }
}
