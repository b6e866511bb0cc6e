internal import NostrClient
internal import NostrCore
internal import ViewModels

/// One thing that concerns the account, or several of one sort.
func happening(_ row: NotificationRow, _ style: NoteStyle) -> HTML {
    """
    <article class="happening is-\(row.sort.rawValue)\(if: row.isUnread, " is-unread")" id="h-\(row.id.hex)" tabindex="-1"><span class="happening-sign">\(icon(sign(of: row.sort)))</span><div class="happening-body"><div class="happening-head"><span class="happening-faces">\(each: row.people, { avatar($0, .small, style, loading: .lazyPicture) })</span>\(moment(row, style))</div><h2 class="happening-words">\(names(row)) \(row.deed)\(some: row.amount, { ": <b>\($0)</b>" })\(if: row.isUnread, "<span class=\"visually-hidden\">, unread</span>")</h2>\(reactions(row))\(texts(row))\(if: row.canReply && style.canSign, replyLink(row))</div></article>
    """
}

private func moment(_ row: NotificationRow, _ style: NoteStyle) -> HTML {
    let time: HTML = "<time datetime=\"\(utc(row.moment))\">\(spoken(row.moment, now: style.now))</time>"
    guard let path = opened(row) else { return "<span class=\"when\">\(time)</span>" }
    return "<a class=\"when\" href=\"\(path)\">\(time)</a>"
}

/// The page it leads to: a note, or the live stream where a line was said.
private func opened(_ row: NotificationRow) -> Path? {
    if let word = row.stream { return "/streams/\(word)" }
    guard let id = row.opens else { return nil }
    return "/note/\(id)"
}

/// "A", "A and B", "A, B and C", "A, B and 3 others".
private func names(_ row: NotificationRow) -> HTML {
    var html = HTML()
    for (index, person) in row.people.enumerated() {
        let path: Path = "/people/\(person.key)"
        if index > 0 { html.append(index == row.people.count - 1 && row.others.isEmpty ? " and " : ", ") }
        html.append("<a class=\"name\" href=\"\(path)\">\(person.name)</a>")
    }
    if !row.others.isEmpty { html.append("\(if: !row.people.isEmpty, " ")\(row.others)") }
    return html
}

private func reactions(_ row: NotificationRow) -> HTML {
    guard !row.reactions.isEmpty else { return HTML() }
    return """
        <p class="happening-reactions">\(each: row.reactions, { reaction in
            "<span class=\"reacted\">\(reaction.content)\(if: reaction.count > 1, " <span class=\"reacted-count\">\(spoken(count: reaction.count))</span>")</span>"
        })</p>
        """
}

private func texts(_ row: NotificationRow) -> HTML {
    let about: HTML = row.about.isEmpty ? HTML() : "<p class=\"happening-about\" dir=\"auto\">\(row.about)</p>"
    guard !row.excerpt.isEmpty else { return about }
    guard let path = opened(row), row.canReply || row.stream != nil else {
        return "<p class=\"happening-text\" dir=\"auto\">\(row.excerpt)</p>\(about)"
    }
    return "\(about)<p class=\"happening-text\" dir=\"auto\"><a href=\"\(path)\">\(row.excerpt)</a></p>"
}

private func replyLink(_ row: NotificationRow) -> HTML {
    let path: Path = "/compose?reply=\(row.id)"
    return """
        <p class="happening-acts"><a class="button quiet small" href="\(path)" aria-label="Reply to \(row.people.first?.name ?? "")">\(icon(.reply))Reply</a></p>
        """
}

private func sign(of sort: AccountNotification.Sort) -> Icon {
    switch sort {
    case .reply: .reply
    case .quote: .quote
    case .mention: .person
    case .reaction: .heart
    case .repost: .repost
    case .zap: .zap
    case .vote: .check
    case .chat: .play
    case .follow: .plus
    }
}
