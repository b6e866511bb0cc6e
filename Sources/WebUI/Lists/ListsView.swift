internal import NostrCore
internal import ViewModels

/// All lists of an account, and the form of a new one.
struct ListsView {
    let page: ListsPage
    /// What is wrong with the form of a new list.
    let problem: String?
    /// What was filled in for a new list.
    let chosenKind: Kind?
    let title: String
    let summary: String
    let isLocked: Bool
    let token: FormToken
}

/// The main column of all lists.
func listsView(_ view: ListsView) -> HTML {
    """
    <div class="head"><h1>Lists</h1></div>
    \(if: view.isLocked, "<p class=\"hint list-lead\">Your key is locked, so the private parts are locked. <a href=\"/unlock\">Unlock</a> to see and change them.</p>")
    \(each: view.page.sections, categoryView)
    \(newListForm(view))
    """
}

private func categoryView(_ section: ListsPage.Section) -> HTML {
    let slug = section.category.rawValue
    return """
        <section class="category" aria-labelledby="category-\(slug)"><h2 class="list-title" id="category-\(slug)">\(section.category.title)</h2><ul class="rows">
        \(each: section.rows, listRow)
        </ul></section>
        """
}

/// One list, to be opened.
func listRow(_ row: ListsPage.Row) -> HTML {
    let path = listPath(row.sort.kind, row.identifier)
    return """
        <li><a class="row" href="\(path)"><span class="row-words"><span class="name">\(row.title)</span><span class="hint">\(row.sort.isSet ? row.sort.title : row.sort.lead)</span></span>\(counts(row))</a></li>
        """
}

private func counts(_ row: ListsPage.Row) -> HTML {
    let hidden = row.privateCount ?? 0
    let isEmpty = row.publicCount == 0 && row.privateCount == 0 && row.unknown == 0
    return """
        <span class="counts">\(if: row.publicCount > 0, "<span>\(row.publicCount)<span class=\"visually-hidden\"> everybody can see</span></span>")\(if: hidden > 0, "<span class=\"is-private\">\(icon(.lock))\(hidden)<span class=\"visually-hidden\"> private</span></span>")\(if: row.privateCount == nil, "<span class=\"is-private\">\(icon(.lock))\(if: row.isUnreadable, "unreadable", else: "closed")</span>")\(if: isEmpty, "<span class=\"hint\">empty</span>")\(if: row.unknown > 0, "<span class=\"hint\">\(if: row.publicCount > 0 || hidden > 0, "and ")\(row.unknown) unknown</span>")</span>
        """
}

private func newListForm(_ view: ListsView) -> HTML {
    """
    <details class="sheet door"\(flag: "open", if: view.problem != nil)><summary><h2>New list</h2><span class="hint">People, notes, topics, relays or emoji under a name.</span></summary>
    <form method="post" action="/lists">\(view.token.field)
    \(problemLine(view.problem))
    <div class="field"><label for="kind">What it holds</label><select id="kind" name="kind">\(each: ListSort.sets, { sort in
        "<option value=\"\(sort.kind.rawValue)\"\(flag: "selected", if: sort.kind == view.chosenKind)>\(sort.title)</option>"
    })</select></div>
    <div class="field"><label for="title">Name</label><input id="title" name="title" value="\(view.title)" maxlength="100" required autocomplete="off" aria-describedby="title-hint"><p class="hint" id="title-hint">Everybody can see the name of a list. What you put on it stays private unless you say otherwise.</p></div>
    <div class="field"><label for="summary">What it is about</label><input id="summary" name="summary" value="\(view.summary)" maxlength="300" autocomplete="off"></div>
    <p class="sheet-end"><button class="button">Make the list</button></p></form></details>
    """
}

/// What stands beside lists: their two parts, and that nothing gets lost.
let listsAside: HTML = """
    <section class="side"><h2>Public and private</h2><p>A list has two parts. One is public: relays and everybody can read it. The other is encrypted to your own key before it leaves this machine.</p></section>
    <section class="side"><h2>Nothing gets lost</h2><p>Before a change Linnet reads the newest version from your relays and adds to it. What it does not understand stays as it is. When the newest version cannot be read, nothing is changed.</p><p>Every earlier version is in the <a href="/history">time machine</a>.</p></section>
    """
