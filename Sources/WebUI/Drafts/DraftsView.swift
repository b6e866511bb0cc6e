internal import NostrCore
internal import ViewModels

/// The drafts of an account.
struct DraftsView {
    /// The drafts and where they go, or why they cannot be read.
    let page: Result<DraftsPage, Trouble>
    let isLocked: Bool
    /// What was wrong in a form.
    let problem: String?
    /// Which relays to search, as it was written and not taken.
    let written: String?
    let token: FormToken
    let now: Timestamp
}

/// The main column of the drafts.
func draftsView(_ view: DraftsView) -> HTML {
    """
    <div class="head"><h1>Drafts</h1></div>
    \(content(view))
    """
}

private func content(_ view: DraftsView) -> HTML {
    switch view.page {
    case .success(let page):
        """
        \(problemLine(view.problem))
        \(if: page.places.isAsked, relayQuestion(page.places, view.token), else: "<p class=\"strip\">\(page.places.sentence) <a href=\"/lists/10013\">Relays for drafts</a></p>")
        <div data-drafts>\(list(page.rows, view))</div>
        \(searchForm(page.places, view))
        """
    case .failure(let trouble):
        view.isLocked ? closed(trouble.sentence) : troubleState(trouble.sentence, retry: "/drafts")
    }
}

private func list(_ rows: [DraftRow], _ view: DraftsView) -> HTML {
    guard !rows.isEmpty else {
        return emptyState(
            title: "No drafts",
            """
            <p>“Save draft” keeps what you are writing, encrypted, for you only.</p><p><a class="button" href="/compose">Write a note</a></p>
            """)
    }
    return """
        <ul class="rows">
        \(each: rows, { draftRow($0, view) })
        </ul>
        """
}

/// Whether drafts may leave this machine: asked once, and answered here.
private func relayQuestion(_ places: DraftsPage.Places, _ token: FormToken) -> HTML {
    let choices = Array(places.offered.enumerated())
    return """
        <form class="sheet" method="post" action="/drafts/relays" aria-labelledby="places-title">\(token.field)
        <h2 id="places-title">On your other devices too?</h2>
        <p>\(places.sentence)</p>
        \(if: choices.isEmpty, """
            <p class="hint">None of the relays you write on is known to ask who reads. On such relays everybody could see when and how long you write, so Linnet offers none. <a href="/lists/10013">Name a relay of your own</a>.</p>
            """, else: """
            <fieldset class="choices stacked"><legend>Relays you write on that ask who reads</legend>\(each: choices, { choice in
                """
                <label class="choice"><input type="checkbox" name="relay-\(choice.offset)" value="\(choice.element.text)"\(flag: "checked", if: choice.offset < 2)><span class="choice-label">\(choice.element.text)</span></label>
                """
            })</fieldset><p class="hint">They see that you write drafts and when, never what. <a href="/lists/10013">Name another relay</a>.</p>
            """)
        <p class="sheet-end">\(if: !choices.isEmpty, "<button class=\"button\" name=\"do\" value=\"relays\">Keep drafts there too</button>")<button class="button quiet" name="do" value="here">Only on this Linnet</button></p>
        </form>
        """
}

private func searchForm(_ places: DraftsPage.Places, _ view: DraftsView) -> HTML {
    let text = view.written ?? places.searched.map(\.text).joined(separator: "\n")
    return """
        \(each: places.unreached, { "<p class=\"list-lead\" role=\"status\">\($0)</p>" })
        <details class="sheet"\(flag: "open", if: view.written != nil)><summary>Drafts of other apps</summary>
        <form method="post" action="/drafts/search">\(view.token.field)
        <div class="field"><label for="searched">Relays to search beside your own</label><textarea id="searched" name="relays" rows="5" spellcheck="false" autocapitalize="none" aria-describedby="searched-hint">\(text)</textarea><p class="hint" id="searched-hint">One address a line, at most \(DraftsPage.mostSearched). Some apps put drafts on large relays and not on yours. Those relays learn that you look for drafts; leave it empty to ask none.</p></div>
        <p class="sheet-end"><button class="button quiet">Save</button></p>
        </form></details>
        """
}

private func closed(_ sentence: String) -> HTML {
    """
    <div class="empty is-trouble">\(icon(.lock))<p class="empty-title">Your drafts are locked</p><p>\(sentence)</p><p><a class="button" href="/unlock">Unlock</a></p></div>
    """
}

private func draftRow(_ row: DraftRow, _ view: DraftsView) -> HTML {
    let edit: Path = "/compose?draft=\(row.id)"
    let earlier: Path = "/drafts/earlier?id=\(row.id)"
    return """
        <li class="entry" data-draft="\(row.id)">\(words(row, now: view.now))<form method="post" action="/drafts/delete">\(view.token.field)\(hidden("id", row.id))\(if: row.isEditable, "<a class=\"button small\" href=\"\(edit)\">Continue</a>", else: "<span class=\"hint\">of another app</span>")\(if: row.hasEarlier, "<a class=\"button quiet small\" href=\"\(earlier)\">Earlier states</a>")<button class="button quiet small">Delete</button></form></li>
        """
}

private func words(_ row: DraftRow, now: Timestamp) -> HTML {
    """
    <span class="row-words">\(if: row.text.isEmpty, "<span class=\"hint\">No words yet</span>", else: "<span class=\"draft-text\" dir=\"auto\">\(row.text)</span>")<span class="hint">\(each: row.marks, { "\($0) · " })\(if: row.replyTo != nil, "A reply · ")\(if: row.quote != nil, "A quote · ")\(moment(row.changedAt, now: now))\(some: row.expires, { " · relays keep it until \(fullMoment($0))" })</span></span>
    """
}

/// The main column of a draft's earlier states.
func earlierDraftsView(_ rows: [DraftRow], of id: String, now: Timestamp) -> HTML {
    """
    <div class="head"><a class="back" href="/drafts" aria-label="Drafts">\(icon(.back))</a><h1>Earlier states</h1></div>
    \(if: rows.isEmpty, emptyState(title: "No earlier states", "<p>This draft was not found here.</p>"), else: """
        <ul class="rows">\(each: rows, { row in
            let edit: Path = "/compose?draft=\(id)&earlier=\(row.id)"
            return """
                <li class="entry">\(words(row, now: now))\(if: row.isEditable, "<a class=\"button small\" href=\"\(edit)\">Continue from here</a>")</li>
                """
        })</ul>
        """)
    """
}
