internal import NostrCore
internal import ViewModels

/// A search through the account's own messages.
func messageSearchView(_ view: MessageSearchView, token: FormToken, _ style: NoteStyle) -> HTML {
    """
    <header class="talk-head"><a class="back" href="/messages" aria-label="All conversations">\(icon(.back))</a><div class="talk-title"><h1>Search messages</h1><p class="handle">Only on this machine: no relay is asked.</p></div></header>
    <div class="mail-page">
    <form class="search" method="post" action="/messages/search" role="search">\(token.field)<label class="visually-hidden" for="q">Search your messages</label>\(icon(.search))<input id="q" name="q" type="search" value="\(view.text)" placeholder="A word, a subject, a person" autocomplete="off" autofocus><button class="button small">Search</button></form>
    \(problemLine(view.trouble?.sentence))
    <ul class="mail-rows hits">
    \(each: view.hits, { hitView($0, style) })
    </ul>
    \(if: view.hits.count >= MessageSearchView.limit, "<p class=\"mail-end\">These are the newest matches. Add words to narrow the search.</p>")
    \(if: view.trouble == nil && view.hits.isEmpty, noHits(view.text))
    </div>
    """
}

private func hitView(_ hit: MessageSearchView.Hit, _ style: NoteStyle) -> HTML {
    let message = hit.message
    let path: Path = "/messages/\(hit.conversation.word)?before=\(message.cursor.justAfter.mark)#m-\(message.id)"
    let author = ConversationWords.author(isOwn: message.isOwn, message.author.name)
    return """
        \(mailRow(
            path, pictures: conversationPicture(hit.conversation, style), title: hit.conversation.title,
            moment: moment(message.createdAt, now: style.now), excerpt: "\(author): \(message.excerpt)", count: nil))

        """
}

private func noHits(_ text: String) -> HTML {
    """
    <div class="empty mail-empty">\(bird())\(if: text.isEmpty, "<p class=\"empty-title\">Find what was said</p><p>What you look for stays on this machine, too.</p>", else: "<p class=\"empty-title\">Nothing found for “\(text)”</p><p>Every word must be in the message, its subject or its writer's name.</p>")</div>
    """
}
