internal import NostrCore
internal import ViewModels

/// The conversations of a folder, with the way to the other folder, to search and to a new one.
struct ConversationList {
    let view: ConversationsView
    /// The conversation that is open; empty for a page that is none, `nil` where the list is the page.
    let open: String?
    let token: FormToken
    let style: NoteStyle

    /// How many conversations a page lists; older ones are found by search.
    static let most = 200

    fileprivate var shown: ArraySlice<ConversationItem> { view.conversations.prefix(Self.most) }
    fileprivate var path: Path { view.isRequests ? "/messages/requests" : "/messages" }
}

/// The list as a column of its own.
func conversationListView(_ list: ConversationList) -> HTML {
    let left = list.view.conversations.count - list.shown.count
    return """
        <div class="mail-head">\(if: list.open == nil, "<h1>Messages</h1>", else: "<h2><a href=\"/messages\">Messages</a></h2>")<a class="mail-act" href="/messages/search" aria-label="Search messages" data-key="/">\(icon(.search))</a><a class="mail-act is-strong" href="/messages/new" aria-label="New message" data-key="n">\(icon(.plus))</a></div>
        \(folderTabs(list.view))
        \(if: list.view.lacksInbox && list.open == nil, inboxForm(list))
        \(some: list.view.trouble, { "<p class=\"problem\" role=\"alert\">\($0.sentence) <a href=\"\(list.path)\">Try again</a></p>" })
        <ul class="mail-rows" data-path="\(list.path)">
        \(each: list.shown, { row($0, list) })
        </ul>
        \(if: left > 0, "<p class=\"mail-end\">\(left) older conversations: <a href=\"/messages/search\">search</a> finds them.</p>")
        \(if: list.view.trouble == nil && list.shown.isEmpty, noConversations(list.view))
        """
}

private func folderTabs(_ view: ConversationsView) -> HTML {
    """
    <nav class="mail-tabs" aria-label="Which conversations"><a href="/messages"\(if: !view.isRequests, " aria-current=\"true\"")>People you know</a><a href="/messages/requests"\(if: view.isRequests, " aria-current=\"true\"")>Requests\(some: mailCount(view.unread.requests, "unread"), { " \($0)" })</a></nav>
    """
}

private func inboxForm(_ list: ConversationList) -> HTML {
    """
    <form class="mail-note" method="post" action="/messages/inbox">\(list.token.field)<p><b>Others cannot write to you yet.</b> Name relays where you read private messages; Linnet tells everyone.</p><label class="visually-hidden" for="relays">Your inbox relays, one a line</label><textarea id="relays" name="relays" rows="3" spellcheck="false" placeholder="wss://…">\(list.view.suggestedInbox.joined(separator: "\n"))</textarea><button class="button small">Use these relays</button></form>
    """
}

private func row(_ item: ConversationItem, _ list: ConversationList) -> HTML {
    let path: Path = "/messages/\(item.word)"
    return """
        \(mailRow(
            path, pictures: conversationPicture(item, list.style), title: item.title,
            moment: item.moment.map { moment($0, now: list.style.now) },
            excerpt: "\(some: item.excerptAuthor, { "\($0): " })\(item.excerpt)",
            count: mailCount(item.unread, "unread"), isOpen: item.word == list.open))

        """
}

/// The picture of a conversation: of the one other, or of two of a group.
func conversationPicture(_ item: ConversationItem, _ style: NoteStyle) -> HTML {
    guard !item.isGroup else { return groupPicture(item.people, style) }
    return "\(some: item.people.first, { avatar($0, .medium, style, isOwn: item.isToSelf, loading: .lazyPicture) })"
}

private func noConversations(_ view: ConversationsView) -> HTML {
    let isLooking = view.isCatchingUp
    return """
        <div class="empty mail-empty">\(bird(isLooking: isLooking))\(if: view.isRequests, """
            <p class="empty-title">No requests</p><p>When somebody you do not know writes to you, it waits here until you accept it.</p>
            """, else: isLooking ? """
            <p class="empty-title">Asking your inbox relays</p><p>Messages appear here as they are found.</p>
            """ : """
            <p class="empty-title">No messages yet</p><p>Write to somebody. Only they can read it.</p><p><a class="button small" href="/messages/new">New message</a></p>
            """)</div>
        """
}

/// What stands beside the list while no conversation is open.
let messagesWelcome: HTML = """
    <div class="empty mail-welcome">\(bird())<p class="empty-title">Just between you</p><p>Messages are sealed on this machine and kept encrypted here. Only the people you write to can open them.</p><p><a class="button" href="/messages/new">New message</a></p><p class="hint"><kbd>j</kbd> <kbd>k</kbd> next, previous · <kbd>n</kbd> new · <kbd>/</kbd> search</p></div>
    """
