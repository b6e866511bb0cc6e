internal import NostrCore
internal import ViewModels

/// What a search found.
struct SearchView {
    let page: SearchPage
    /// Whether it begins with the newest notes; only then people stand above them.
    let isFirst: Bool
    let path: Path
    let token: FormToken
    let style: NoteStyle
}

/// The main column of a search.
func searchView(_ view: SearchView) -> HTML {
    """
    <div class="head"><h1>Search</h1></div>
    <form class="search" action="/search" role="search"><label class="visually-hidden" for="q">Search people and notes</label>\(icon(.search))<input id="q" name="q" type="search" value="\(view.page.text)" placeholder="A name, a word, npub1…, #topic" autocomplete="off"><button class="button small">Search</button></form>
    \(searchResultsView(view))
    """
}

/// People and notes that were found, for a script to put in place, too.
func searchResultsView(_ view: SearchView) -> HTML {
    let page = view.page
    return """
        <form class="feed" method="post" action="\(view.path)" data-path="\(view.path)" data-search>
        \(view.token.field)\(hidden("back", view.path.text))
        \(some: page.nameProblem, { "<p class=\"hint\" role=\"status\">\($0)</p>" })
        \(if: view.isFirst && !page.people.isEmpty, peopleFound(view))
        \(if: !page.notes.isEmpty, "<h2 class=\"list-title\">Notes</h2>")
        \(notesHTML(page.notes, view.style))
        \(outcome(page))
        \(some: page.next, { olderLink(view.path, mark: $0.mark) })
        </form>
        """
}

private func peopleFound(_ view: SearchView) -> HTML {
    """
    <section class="people" aria-labelledby="people-title"><h2 class="list-title" id="people-title">People</h2><ul class="people-list">
    \(each: view.page.people, { personRow($0, isOwn: $0.key == view.page.own, view.style) })
    </ul></section>
    """
}

/// One of several people, to be opened.
func personRow(_ person: PersonItem, isOwn: Bool, _ style: NoteStyle) -> HTML {
    let path: Path = "/people/\(person.key)"
    return """
        <li><a class="person-row" href="\(path)"><span class="avatar">\(portrait(person, side: 44, style, isOwn: isOwn, loading: .lazyPicture))</span><span class="person-row-words"><span class="name">\(person.name)</span><span class="handle">\(handleView(person))</span></span>\(if: person.isFollowed, "<span class=\"chip\">Following</span>")</a></li>
        """
}

/// What to say where nothing was found.
private func outcome(_ page: SearchPage) -> HTML {
    if let trouble = page.trouble {
        return troubleState(title: "The search did not work", trouble.sentence)
    }
    guard page.people.isEmpty, page.notes.isEmpty else { return HTML() }
    guard !page.text.isEmpty else {
        return emptyState(
            title: "Search people and notes",
            "<p>Searches this device and your search relays.</p>")
    }
    return emptyState(
        title: "Nothing found for “\(page.text)”",
        page.isAsking
            ? "<p>Relays that can search are still being asked.</p>"
            : "<p>Try another word, or paste an npub.</p>")
}
