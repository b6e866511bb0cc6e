internal import NostrClient
internal import NostrCore
internal import ViewModels

/// What a search found.
struct SearchView {
    let page: SearchPage
    /// Whether it begins with the newest notes; only then people stand above them.
    let isFirst: Bool
    let token: FormToken
    let style: NoteStyle

    /// The address of this search.
    var path: Path { address(of: page.request.sort) }

    /// The same search for another sort of thing.
    ///
    /// - Parameter text: what is searched for; `nil` for the same.
    fileprivate func address(of sort: SearchQuestion.Sort, for text: String? = nil) -> Path {
        var path: Path = "/search?q=\(text ?? page.text)"
        if sort != .all { path = path.with("sort", sort.rawValue) }
        if page.request.scope != "usual" { path = path.with("scope", page.request.scope) }
        return path
    }

    /// The address of one relay that is asked; empty where others are.
    fileprivate var relay: String { page.request.scope.contains("://") ? page.request.scope : "" }
}

/// The main column of a search.
func searchView(_ view: SearchView) -> HTML {
    """
    <div class="head"><h1>Search</h1></div>
    <form class="search-form" action="/search" role="search" data-search-form>
    <div class="search"><label class="visually-hidden" for="q">Search people and notes</label>\(icon(.search))<input id="q" name="q" type="search" value="\(view.page.text)" placeholder="A name, a word, npub1…, #topic" autocomplete="off" aria-describedby="search-help"><button class="button small">Search</button></div>
    \(if: view.page.request.sort != .all, hidden("sort", view.page.request.sort.rawValue))
    <details class="search-more"\(flag: "open", if: view.page.request.scope != "usual")><summary>Where and how</summary>
    <fieldset class="choices"><legend>Relays to ask</legend>\(scopeChoice("usual", "The usual few", view))\(scopeChoice("listed", "All my search relays", view))\(scopeChoice("here", "None: only this machine", view))</fieldset>
    <div class="field"><label for="search-relay">Or only this relay</label><input id="search-relay" name="relay" value="\(view.relay)" placeholder="wss://…" inputmode="url" autocomplete="off" spellcheck="false"></div>
    <p class="hint" id="search-help">Searches this machine and relays. <code>from:</code> a name or npub, <code>since:2025-03-01</code> and <code>until:2025-03-31</code> narrow it. <code>language:</code>, <code>domain:</code>, <code>include:spam</code>, <code>nsfw:</code> and <code>sentiment:</code> are for relays that know them.</p>
    </details></form>
    \(if: !view.page.text.isEmpty, sortTabs(view))
    \(some: view.page.request.name, { namedPersonPlace($0, view) })
    \(searchResultsView(view))
    """
}

private func scopeChoice(_ scope: HTML, _ label: HTML, _ view: SearchView) -> HTML {
    let isChosen = scope.text == view.page.request.scope
    return """
        <label class="choice"><input type="radio" name="scope" value="\(scope)"\(flag: "checked", if: isChosen)><span class="choice-label">\(label)</span></label>
        """
}

private func sortTabs(_ view: SearchView) -> HTML {
    """
    <nav class="tabs" aria-label="What is looked for" data-search-tabs>\(each: SearchRequest.sorts, { choice in
        "<a href=\"\(view.address(of: choice.sort))\"\(if: choice.sort == view.page.request.sort, " aria-current=\"page\"")>\(choice.words)</a>"
    })</nav>
    """
}

/// Where the person a name at a domain leads to will stand; a script asks, and without one a link does.
private func namedPersonPlace(_ name: String, _ view: SearchView) -> HTML {
    let path: Path = "/search/name?q=\(name)"
    return """
        <div class="search-named" data-search-name="\(path)" role="status"><p class="hint"><a href="\(path)">Look up \(name)</a></p></div>
        """
}

/// Whom a name leads to, or why to nobody.
func namedPersonView(_ named: NamedPerson, own: PublicKey, _ style: NoteStyle) -> HTML {
    switch named {
    case .found(let person):
        "<ul class=\"people-list\">\(personRow(person, isOwn: person.key == own, style))</ul>"
    case .nobody(let sentence): "<p class=\"hint\">\(sentence)</p>"
    }
}

/// The same as a page.
func namedPersonPage(_ name: String, _ found: HTML) -> HTML {
    let path: Path = "/search?q=\(name)"
    return """
        <div class="head"><h1>Search</h1></div><section class="sheet"><h2>\(name)</h2>\(found)<p class="sheet-end"><a class="button quiet" href="\(path)">Search for it</a></p></section>
        """
}

/// People and notes that were found, for a script to put in place, too.
func searchResultsView(_ view: SearchView) -> HTML {
    let page = view.page
    return """
        <form class="feed" method="post" action="\(view.path)" data-path="\(view.path)" data-search>
        \(noDefaultButton)\(view.token.field)\(hidden("back", view.path.text))
        \(each: page.hints, { "<p class=\"hint search-hint\" role=\"status\">\($0)</p>" })
        \(if: !page.authors.isEmpty, authorsFound(view))
        \(if: view.isFirst, progress(page))
        \(if: view.isFirst && !page.people.isEmpty, peopleFound(view))
        \(if: !page.notes.isEmpty, "<h2 class=\"list-title\">Notes</h2>")
        \(notesHTML(page.notes, view.style))
        \(outcome(page))
        \(some: page.next, { olderLink(view.path, mark: $0.mark) })
        </form>
        """
}

private func progress(_ page: SearchPage) -> HTML {
    """
    \(some: page.progress, { "<p class=\"hint search-hint\">\($0)</p>" })\(some: page.unchosenRelay, { relay in
        "<p class=\"search-hint\">\(relayChoice(relay, isAllowed: false))</p>"
    })
    """
}

/// Who may be meant by a name behind `from:`, to be chosen.
private func authorsFound(_ view: SearchView) -> HTML {
    """
    <section class="people" aria-labelledby="authors-title"><h2 class="list-title" id="authors-title">Whose notes?</h2><ul class="people-list">
    \(each: view.page.authors, { author in
        personRow(
            author.person, isOwn: author.person.key == view.page.own, view.style,
            to: view.address(of: view.page.request.sort, for: author.text))
    })
    </ul></section>
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
///
/// - Parameter path: where it leads; `nil` for their page.
func personRow(_ person: PersonItem, isOwn: Bool, _ style: NoteStyle, to path: Path? = nil) -> HTML {
    let path = path ?? "/people/\(person.key)"
    return """
        <li><a class="person-row" href="\(path)"><span class="avatar">\(portrait(person, side: 44, style, isOwn: isOwn, loading: .lazyPicture))</span><span class="person-row-words"><span class="name">\(person.name)</span><span class="handle">\(handleView(person))</span></span>\(if: person.isFollowed, "<span class=\"chip\">Following</span>")</a></li>
        """
}

/// What to say where nothing was found.
private func outcome(_ page: SearchPage) -> HTML {
    if let trouble = page.trouble {
        return troubleState(title: "The search did not work", trouble.sentence)
    }
    guard page.people.isEmpty, page.notes.isEmpty, page.authors.isEmpty else { return HTML() }
    guard !page.text.isEmpty else {
        return emptyState(
            title: "Search people and notes",
            "<p>Searches this machine and your search relays.</p>")
    }
    if page.isTooShort { return emptyState(title: "Type a little more", "<p>Two letters are enough.</p>") }
    return emptyState(
        title: "Nothing found for “\(page.text)”",
        page.isAsking
            ? "<p>Relays that can search are still being asked.</p>"
            : "<p>Try another word, or paste an npub.</p>")
}
