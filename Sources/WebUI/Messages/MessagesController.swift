internal import HTTPTypes
internal import Hummingbird
internal import NostrClient
internal import ViewModels

/// Private messages: the conversations, the requests, a search through them, and the inbox relays.
struct MessagesController {
    private let mail: MailRenderer

    init(pages: PageRenderer) {
        mail = MailRenderer(pages: pages, section: .messages)
    }

    func addRoutes(to router: some RouterMethods<WebContext>) {
        router.get("/messages") { try await conversations(requests: false, $0, $1) }
        router.get("/messages/requests") { try await conversations(requests: true, $0, $1) }
        router.get("/messages/search") { try await search("", $0, $1) }
        // Posted, so that what is looked for in private rests in no history of addresses.
        router.post("/messages/search") { try await search($1.form["q"], $0, $1) }
        router.post("/messages/inbox", use: setInbox)
        ConversationController(mail: mail).addRoutes(to: router)
        NewConversationController(mail: mail).addRoutes(to: router)
    }

    private func conversations(
        requests: Bool, _ request: Request, _ context: WebContext
    ) async throws -> Response {
        let view = await ConversationsView.load(requests: requests, of: try context.requireAccount())
        let list = try conversationList(view, open: nil, mail.pages, context)
        if isFragment(request) { return list.response() }
        let back: Path = requests ? "/messages/requests" : "/messages"
        if let gate = try await mail.gate(view.access, "Messages", back: back, request, context) { return gate }
        let completeness = completenessLine(
            await CompletenessItem.ofInbound(.messages, of: try context.requireAccount()), now: mail.pages.now)
        return try await mail.page(
            "Messages", list: "\(list)\(completeness)", messagesWelcome, isOpen: false, request, context)
    }

    private func search(_ text: String, _ request: Request, _ context: WebContext) async throws -> Response {
        let account = try context.requireAccount()
        let view = await MessageSearchView.load(text, of: account)
        if let gate = try await mail.gate(
            view.access, "Search messages", back: "/messages/search", request, context)
        {
            return gate
        }
        let main = messageSearchView(
            view, token: try context.requireSession().formToken, mail.pages.noteStyle(context))
        let list = try conversationList(await .load(of: account), open: nil, mail.pages, context)
        return try await mail.page("Search messages", list: list, main, isOpen: true, request, context)
    }

    @Sendable private func setInbox(_ request: Request, _ context: WebContext) async throws -> Response {
        try await MessageActions(of: try context.requireAccount()).setInbox(context.form["relays"])
        return redirect(to: "/messages")
    }
}

/// The conversations of a folder beside what is open; nothing while they cannot be read.
///
/// - Parameter word: the conversation that is open; empty for a page that is none, `nil` where the list is the page.
func conversationList(
    _ view: ConversationsView, open word: String?, _ pages: PageRenderer, _ context: WebContext
) throws -> HTML {
    guard view.access == .open else { return HTML() }
    return conversationListView(
        ConversationList(
            view: view, open: word, token: try context.requireSession().formToken, style: pages.noteStyle(context)))
}
