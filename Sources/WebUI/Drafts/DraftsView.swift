internal import NostrCore
internal import ViewModels

/// The drafts of an account.
struct DraftsView {
    /// The drafts, or why they cannot be read.
    let rows: Result<[DraftRow], Trouble>
    let isLocked: Bool
    let token: FormToken
    let now: Timestamp
}

/// The main column of the drafts.
func draftsView(_ view: DraftsView) -> HTML {
    """
    <div class="head"><h1>Drafts</h1></div>
    \(list(view))
    """
}

private func list(_ view: DraftsView) -> HTML {
    let rows: [DraftRow]
    switch view.rows {
    case .success(let read): rows = read
    case .failure(let trouble):
        return view.isLocked ? closed(trouble.sentence) : troubleState(trouble.sentence, retry: "/drafts")
    }
    guard !rows.isEmpty else {
        return emptyState(
            title: "No drafts",
            """
            <p>“Save draft” keeps what you are writing here, encrypted, and on your other devices.</p><p><a class="button" href="/compose">Write a note</a></p>
            """)
    }
    return """
        <ul class="rows">
        \(each: rows, { draftRow($0, view) })
        </ul>
        """
}

private func closed(_ sentence: String) -> HTML {
    """
    <div class="empty is-trouble">\(icon(.lock))<p class="empty-title">Your drafts are closed</p><p>\(sentence)</p><p><a class="button" href="/unlock">Unlock</a></p></div>
    """
}

private func draftRow(_ row: DraftRow, _ view: DraftsView) -> HTML {
    let edit: Path = "/compose?draft=\(row.id)"
    return """
        <li class="entry"><span class="row-words">\(if: row.text.isEmpty, "<span class=\"hint\">No words yet</span>", else: "<span class=\"draft-text\" dir=\"auto\">\(row.text)</span>")<span class="hint">\(if: row.replyTo != nil, "A reply · ")\(if: row.quote != nil, "A quote · ")\(moment(row.changedAt, now: view.now))\(some: row.expires, { " · relays keep it until \(fullMoment($0))" })</span></span><form method="post" action="/drafts/delete">\(view.token.field)\(hidden("id", row.id))\(if: row.isEditable, "<a class=\"button small\" href=\"\(edit)\">Continue</a>", else: "<span class=\"hint\">of another app</span>")<button class="button quiet small">Delete</button></form></li>
        """
}
