internal import NostrClient
internal import NostrCore
internal import ViewModels

/// What concerns the account, as a page draws it.
struct NotificationsView {
    let page: NotificationsPage
    /// Whether it begins with the newest.
    let isFirst: Bool
    /// Whether browsers can be woken at all.
    let canWake: Bool
    let token: FormToken
    let style: NoteStyle

    /// Where it stands.
    fileprivate var path: Path {
        if let only = page.only { "/notifications?only=\(only.rawValue)" } else { "/notifications" }
    }
}

/// The main column.
func notificationsView(_ view: NotificationsView) -> HTML {
    let page = view.page
    return """
        <div class="head"><h1>Notifications</h1>\(if: page.unread > 0, readForm(view))</div>
        <nav class="sieve" aria-label="Which notifications"><a class="sieve-item" href="/notifications"\(currentPage(page.only == nil))>All</a>\(each: page.filters.filter(\.isAlone), { filter in
            let path: Path = "/notifications?only=\(filter.id)"
            return "<a class=\"sieve-item\" href=\"\(path)\"\(currentPage(page.only == filter.filter))>\(filter.title)</a>"
        })</nav>
        \(some: page.summary, { "<p class=\"sum-line\">\($0)</p>" })
        \(happeningsView(view))
        <details class="sheet narrow-choice"><summary>What is shown</summary>\(choiceForm(view))</details>
        \(if: view.canWake, "<details class=\"sheet narrow-choice\"><summary>While no page is open</summary>\(wakingForm(view))</details>")
        """
}

/// What stands beside it.
///
/// - Parameter completeness: how much of what relays hold is here, as a line.
func notificationsAside(completeness: HTML) -> HTML {
    """
    <section class="side"><h2>Where these come from</h2><p>They are read from this machine: what relays sent, without the people, words and conversations you muted. A payment is shown only when your own wallet signed for it.</p>\(completeness)</section>
    """
}

/// The list alone, for a script to put in place, too.
func happeningsView(_ view: NotificationsView) -> HTML {
    let page = view.page
    return """
        <form class="feed" method="post" action="\(view.path)" data-path="\(view.path)" data-happenings data-known="\(page.unread)">
        \(view.token.field)
        \(if: view.isFirst && !page.waiting.isEmpty, waitingList(page.waiting))
        \(each: page.rows, { happening($0, view.style) })
        \(if: page.rows.isEmpty && page.waiting.isEmpty && view.isFirst, nothing(page))
        \(some: page.next, { olderHappenings(view.path, mark: $0.mark) })
        \(if: page.next == nil && !page.rows.isEmpty, "<p class=\"feed-end\">That is all there is so far.</p>")
        </form>
        """
}

private func nothing(_ page: NotificationsPage) -> HTML {
    emptyState(
        title: page.only == nil ? "Nothing yet" : "None of these yet",
        page.isChecking
            ? "<p>Payments are being checked.</p>"
            : "<p>Replies, mentions, reactions and zaps appear here.</p>")
}

private func olderHappenings(_ path: Path, mark: String) -> HTML {
    let older = path.with("before", mark)
    return """
        <p class="more"><a class="button quiet" data-older href="\(older)" data-before="\(mark)">Older notifications</a></p>
        """
}

/// Marks all that the page shows as read, and no more: what came since it was drawn stays unread.
private func readForm(_ view: NotificationsView) -> HTML {
    """
    <form class="head-act" method="post" action="/notifications/read">\(view.token.field)\(hidden("through", String(view.page.readThrough.seconds)))<button class="button quiet small">\(icon(.check))Mark all read</button></form>
    """
}

private func choiceForm(_ view: NotificationsView) -> HTML {
    """
    <form method="post" action="/notifications/shown">\(view.token.field)
    <fieldset class="choices stacked"><legend class="visually-hidden">What is shown and counted</legend>\(each: view.page.filters, {
        choice($0, isChecked: $0.isShown)
    })</fieldset>
    <p class="sheet-end"><button class="button">Save</button></p>
    </form>
    """
}

/// Of what the browsers that a push proxy wakes are told, which is only that there is something new.
private func wakingForm(_ view: NotificationsView) -> HTML {
    let waking = view.page.waking
    let choices = view.page.filters.filter { NotificationWaking.choices.contains($0.filter) }
    return """
        <form method="post" action="/notifications/waking">\(view.token.field)
        <p>Browsers in which you turned on push, under the signer’s settings, get a notice that there is something new. It never says who wrote or what. A request to the signer comes from the push proxy itself, while it is quiet without a sound. Where you leave requests out, the browser asks Linnet, and closes its notice as soon as it is shown, without a sound: browsers end push for a site that shows none.</p>
        <fieldset class="choices stacked"><legend class="visually-hidden">What browsers are told of</legend>\(each: choices, {
            choice($0, isChecked: waking.filters.contains($0.filter))
        })</fieldset>
        <div class="field"><label for="quiet-from">Quiet from</label><input id="quiet-from" name="from" type="time" value="\(waking.quiet.map { timeOfDay($0.from) } ?? "")"></div>
        <div class="field"><label for="quiet-until">Quiet until</label><input id="quiet-until" name="until" type="time" value="\(waking.quiet.map { timeOfDay($0.until) } ?? "")" aria-describedby="quiet-hint"><p class="hint" id="quiet-hint">By the clock of the machine that runs Linnet. What comes meanwhile is told once when they are over, unless you read it before. Leave both empty to be told at any time.</p></div>
        <p class="sheet-end"><button class="button">Save</button></p>
        </form>
        """
}

private func choice(_ filter: NotificationsPage.Filter, isChecked: Bool) -> HTML {
    """
    <label class="choice"><input type="checkbox" name="show-\(filter.id)" value="1"\(flag: "checked", if: isChecked)><span class="choice-label">\(filter.title)</span></label>
    """
}

/// A minute of the day as a form writes it: `22:30`.
private func timeOfDay(_ minute: Int) -> String {
    let (hour, rest) = minute.quotientAndRemainder(dividingBy: 60)
    return (hour < 10 ? "0" : "") + "\(hour):" + (rest < 10 ? "0" : "") + "\(rest)"
}

private func waitingList(_ waiting: [NotificationsPage.Waiting]) -> HTML {
    """
    <ul class="waits">\(each: waiting, { "<li>\(waitingRow($0))</li>" })</ul>
    """
}

private func waitingRow(_ waiting: NotificationsPage.Waiting) -> HTML {
    switch waiting {
    case .requests(let backlog):
        return
            "<a class=\"wait-row\" href=\"/signer\">\(icon(.seal))<span>\(NotificationWords.requests(backlog.count))</span></a>"
    case .circle(let alert):
        let path = alertPath(alert)
        return "<a class=\"wait-row\" href=\"\(path)\">\(icon(.circle))<span>\(alert.sentence)</span></a>"
    case .talk(let item):
        let path: Path = "/circles/\(item.word)"
        return """
            <a class="wait-row" href="\(path)">\(icon(.circle))<span>\(NotificationWords.messages(item.unread, from: item.name))</span></a>
            """
    case .conversation(let conversation):
        let path: Path = "/messages/\(conversation.word)"
        return """
            <a class="wait-row" href="\(path)">\(icon(.mail))<span>\(NotificationWords.messages(conversation.unread, from: conversation.title))</span></a>
            """
    }
}
