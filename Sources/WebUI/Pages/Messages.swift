internal import HTTPTypes
internal import Hummingbird
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// Private messages: the conversations, the requests, a search through them, and one's inbox.
func addMessages(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/messages") { request, context in
        try await conversationsPage(requests: false, request, context, house)
    }
    router.get("/messages/requests") { request, context in
        try await conversationsPage(requests: true, request, context, house)
    }
    router.get("/messages/search") { request, context in
        try await messageSearchPage("", request, context, house)
    }
    // Posted, so that what one looks for in private rests in no history of addresses.
    router.post("/messages/search") { request, context in
        try await messageSearchPage(context.form["q"], request, context, house)
    }
    router.post("/messages/inbox") { _, context in
        try await (try context.requireDesk()).setInbox(context.form["relays"])
        return redirect(to: "/messages")
    }
}

private func conversationsPage(
    requests: Bool, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    let state = await (try context.requireDesk()).conversations(requests: requests).send(.opened)
    let list = try conversationList(state, open: nil, house, context)
    if isFragment(request) { return house.fragment(list) }
    if let gate = try await messageGate(state.access, back: request.uri.path, house, context) {
        return try await mailPage("Messages", list: HTML(), gate, isOpen: false, request, context, house)
    }
    let welcome = house.templates.render("messages-welcome", ["isCatchingUp": state.isCatchingUp])
    return try await mailPage("Messages", list: list, welcome, isOpen: false, request, context, house)
}

private func messageSearchPage(
    _ text: String, _ request: Request, _ context: WebContext, _ house: House
) async throws -> Response {
    let desk = try context.requireDesk()
    let state = await desk.messageSearch().send(.search(text))
    if let gate = try await messageGate(state.access, back: "/messages/search", house, context) {
        return try await mailPage("Search messages", list: HTML(), gate, isOpen: false, request, context, house)
    }
    var values: [String: Any] = [
        "csrf": try context.requireSession().formToken, "text": state.text, "hasText": !state.text.isEmpty,
        "isEmpty": state.hits.isEmpty, "isFull": state.hits.count >= MessageSearchState.limit, "isTrouble": false,
        "hits": state.hits.map { hitValues($0, house, context) },
    ]
    if case .failed(let trouble) = state.phase {
        values["isTrouble"] = true
        values["trouble"] = trouble.sentence
    }
    let list = try conversationList(
        await desk.conversations().send(.opened), open: nil, house, context)
    return try await mailPage(
        "Search messages", list: list, house.templates.render("messages-search", values), isOpen: true, request,
        context, house)
}

private func hitValues(
    _ hit: MessageSearchState.Hit, _ house: House, _ context: WebContext
) -> [String: Any] {
    let style = house.noteStyle(context)
    return [
        "word": hit.conversation.word, "id": hit.message.id.hex, "mark": hit.message.cursor.justAfter.mark,
        "title": hit.conversation.title, "excerpt": hit.message.excerpt,
        "author": hit.message.isOwn ? "You" : hit.message.author.name, "utc": utc(hit.message.createdAt),
        "when": spoken(hit.message.createdAt, now: style.now), "picturesHTML": roomPictures(hit.conversation, style),
    ]
}

/// A message page: the conversations on one side, what is open on the other.
///
/// - Parameter isOpen: whether a small screen shows what is open, not the list.
func mailPage(
    _ title: String, list: HTML, _ main: HTML, isOpen: Bool, _ request: Request, _ context: WebContext,
    _ house: House, status: HTTPResponse.Status = .ok
) async throws -> Response {
    let unread = await (try context.requireDesk()).unread()
    let values: [String: Any] = [
        "listHTML": list, "hasList": !list.isNull, "openHTML": main, "isOpen": isOpen, "access": unread.access.word,
        "unread": unread.known, "requests": unread.requests,
    ]
    return try await house.page(
        title: title, at: .messages, house.templates.render("messages", values), isWide: true, request: request,
        context: context, status: status)
}

/// The conversations of a folder, with the way to the other folder, to search and to a new one.
func conversationList(
    _ state: ConversationsState, open word: String?, _ house: House, _ context: WebContext
) throws -> HTML {
    guard state.access == .open else { return HTML() }
    let style = house.noteStyle(context)
    let shown = state.conversations.prefix(mostConversations)
    var values: [String: Any] = [
        "csrf": try context.requireSession().formToken, "isKnown": !state.isRequests,
        "isTop": word == nil, "path": !state.isRequests ? "/messages" : "/messages/requests",
        "rows": shown.map { rowValues($0, open: word, style) }, "isEmpty": shown.isEmpty,
        "left": state.conversations.count - shown.count, "hasMore": state.conversations.count > shown.count,
        "requests": state.unread.requests, "hasRequests": state.unread.requests > 0,
        "lacksInbox": state.lacksInbox && word == nil, "inbox": state.suggestedInbox.joined(separator: "\n"),
        "isCatchingUp": state.isCatchingUp, "isTrouble": false,
    ]
    if case .failed(let trouble) = state.phase {
        values["isTrouble"] = true
        values["trouble"] = trouble.sentence
    }
    return house.templates.render("messages-list", values)
}

/// How many conversations a page lists; older ones are found by search.
private let mostConversations = 200

private func rowValues(_ item: ConversationItem, open word: String?, _ style: NoteStyle) -> [String: Any] {
    [
        "word": item.word, "title": item.title, "excerpt": item.excerpt, "hasUnread": item.unread > 0,
        "unread": spoken(count: item.unread), "isOpen": item.word == word, "picturesHTML": roomPictures(item, style),
        "author": item.excerptAuthor ?? "", "hasAuthor": item.excerptAuthor != nil, "hasMoment": item.moment != nil,
        "utc": item.moment.map(utc) ?? "", "when": item.moment.map { spoken($0, now: style.now) } ?? "",
    ]
}

/// The picture of a conversation: of the one other, or of two of a group.
func roomPictures(_ item: ConversationItem, _ style: NoteStyle) -> HTML {
    guard item.isGroup else {
        return item.people.first.map { style.avatar(of: $0, isOwn: item.isToSelf, side: 44, classes: "") } ?? HTML()
    }
    var html = HTML()
    html.add(markup: "<span class=\"avatars\">")
    for person in item.people.prefix(2) { html.add(style.avatar(of: person, isOwn: false, side: 32, classes: "small")) }
    html.add(markup: "</span>")
    return html
}

/// What stands in place of messages that cannot be read now; `nil` when they can.
func messageGate(
    _ access: MessageAccess, back: String, _ house: House, _ context: WebContext
) async throws -> HTML? {
    guard access != .open else { return nil }
    let desk = try context.requireDesk()
    var values: [String: Any] = [
        "csrf": try context.requireSession().formToken, "key": desk.own.hex, "name": await desk.ownPerson().name,
        "back": back, "isLocked": access == .locked, "isOpening": access == .opening, "hasNoKey": access == .noKey,
        "isDamaged": false, "asksForPassphrase": await house.asksForPassphrase(desk.own),
    ]
    if case .damaged(let sentence) = access {
        values["isDamaged"] = true
        values["trouble"] = sentence
    }
    return house.templates.render("messages-gate", values)
}
