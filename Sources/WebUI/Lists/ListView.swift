internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// One list, to be read and changed.
struct ListView {
    let state: ListEditor
    /// The people picked while writing, as the page's script keeps them.
    let mentions: String
    let token: FormToken
    let style: NoteStyle

    fileprivate var sort: ListSort { state.sort }
    fileprivate var root: Path { "/lists/\(state.address.kind.rawValue)" }
    /// The hidden fields that say which list a form is about.
    fileprivate var which: HTML { "\(token.field)\(hidden("d", state.address.identifier))" }
    /// The same with the page of it that is shown.
    fileprivate var place: HTML { "\(which)\(hidden("from", String(state.start)))" }
}

/// The main column of a list.
func listView(_ view: ListView) -> HTML {
    let state = view.state
    return """
        <div class="head"><a class="back" href="/lists" aria-label="All lists">\(icon(.back))</a><h1>\(state.title)</h1></div>
        <p class="list-lead">\(if: view.sort.isSet, "\(view.sort.title). \(state.summary.isEmpty ? view.sort.lead : state.summary)", else: "\(view.sort.lead)")</p>
        \(if: state.address.kind == RelayList.kind, "<p class=\"list-lead\"><a href=\"/relays\">Change it under Relays</a></p>")
        \(if: [.emojiList, .emojiSets].contains(state.address.kind), "<p class=\"list-lead\"><a href=\"/emoji\">Packs you use, and packs to find</a></p>")
        \(if: state.canBeRead, "<p class=\"list-lead\"><a href=\"\(notesPath(state.address))\">\(if: FeedChoice.content(of: state.address.kind) == .relays, "Read what these relays give out", else: "Read it as a feed")</a></p>")
        \(if: state.isLocked, "<p class=\"strip\">\(icon(.lock)) The private part is closed while your key is locked. <a href=\"/unlock\">Unlock</a></p>")
        \(if: state.isUnreadable, "<p class=\"strip alarm\">\(icon(.alert)) The private part cannot be read: it is damaged or encrypted to another key. Linnet changes nothing here, so that nothing in it is lost. An earlier version may be in the <a href=\"/history\">time machine</a>.</p>")
        \(if: state.canChange, "\(addForm(view))\(candidates(view))", else: problemLine(state.problem))
        \(if: !view.sort.isPublicOnly, privatePart(view))
        \(if: !view.sort.isPrivateOnly || state.publicCount > 0, publicPart(view))
        \(if: state.unknownCount > 0, unknownLine(state.unknownCount))
        \(turning(state))
        \(if: view.sort.isSet && state.canChange, renameForm(view))
        """
}

private func notesPath(_ address: EventAddress) -> Path {
    let path: Path = "/lists/\(address.kind.rawValue)/notes"
    return address.identifier.isEmpty ? path : path.with("d", address.identifier)
}

private func addForm(_ view: ListView) -> HTML {
    let state = view.state
    let action: Path = "\(view.root)/add"
    let hint = view.sort.takes.map(\.hint).joined(separator: " · ")
    return """
        <form class="sheet add" method="post" action="\(action)" data-suggest>
        \(view.place)
        <textarea name="mentions" class="visually-hidden" hidden>\(view.mentions)</textarea>
        \(problemLine(state.problem))
        <div class="field compose-text"><label for="text">Add to the list</label><input id="text" name="text" value="\(state.written.text)" autocomplete="off" spellcheck="false" required aria-describedby="add-hint"><p class="hint" id="add-hint">\(hint)</p>\(if: view.sort.takes.contains(.person), completionList)</div>
        \(sortChoice(view))
        <p class="sheet-end">\(if: view.sort.isPublicOnly, """
            \(hidden("part", "public"))<button class="button">Add</button><span class="hint">Everybody can see this list.</span>
            """, else: view.sort.isPrivateOnly ? """
            \(hidden("part", "private"))<button class="button">\(icon(.lock)) Add</button><span class="hint">Only you can see this list.</span>
            """ : """
            <button class="button" name="part" value="private">\(icon(.lock)) Add privately</button><button class="button quiet" name="part" value="public">Add for all to see</button>
            """)</p>
        </form>
        """
}

/// Where one text can be read in several ways, its writer says which.
private func sortChoice(_ view: ListView) -> HTML {
    let choices = view.sort.takes.filter { [.word, .hashtag, .person].contains($0) }
    guard choices.count > 1 else { return HTML() }
    return """
        <fieldset class="pills"><legend class="visually-hidden">What it is</legend><label class="pill"><input type="radio" name="sort" value="" checked><span>as written</span></label>\(each: choices, { choice in
            """
            <label class="pill"><input type="radio" name="sort" value="\(choice.rawValue)"\(flag: "checked", if: choice == view.state.written.sort)><span>\(choice.one)</span></label>
            """
        })</fieldset>
        """
}

/// The people a name can mean.
private func candidates(_ view: ListView) -> HTML {
    guard !view.state.candidates.isEmpty else { return HTML() }
    return """
        <section class="sheet" aria-labelledby="candidates-title"><h2 id="candidates-title">Whom do you mean?</h2><ul class="rows is-inner">\(each: view.state.candidates, { candidate($0, view) })</ul></section>
        """
}

private func candidate(_ person: PersonItem, _ view: ListView) -> HTML {
    let action: Path = "\(view.root)/add"
    let part = view.state.written.isPrivate ? "private" : "public"
    return """
        <li class="entry"><form method="post" action="\(action)">\(view.which)\(hidden("text", person.key.npub))\(hidden("part", part))\(avatar(person, .small, view.style))<span class="row-words"><span class="name">\(person.name)</span><span class="handle">\(handleView(person))</span></span><button class="button quiet small" aria-label="Choose \(person.name)">Choose</button></form></li>
        """
}

private func privatePart(_ view: ListView) -> HTML {
    let state = view.state
    let nothing: HTML =
        state.isLocked ? "Locked until you unlock your key." : (state.isUnreadable ? "Unreadable." : "Nothing yet.")
    return """
        <section class="part is-private" aria-labelledby="private-title"><h2 class="list-title" id="private-title">\(icon(.lock)) Only you can see <span class="part-count">\(state.privateCount)</span></h2>
        \(entries(state.privateEntries, count: state.privateCount, nothing: nothing, view))
        </section>
        """
}

private func publicPart(_ view: ListView) -> HTML {
    """
    <section class="part" aria-labelledby="public-title"><h2 class="list-title" id="public-title">Everybody can see <span class="part-count">\(view.state.publicCount)</span></h2>
    \(entries(view.state.publicEntries, count: view.state.publicCount, nothing: "Nothing yet.", view))
    </section>
    """
}

private func entries(_ entries: [ListEntry], count: Int, nothing: HTML, _ view: ListView) -> HTML {
    count == 0
        ? "<p class=\"part-empty\">\(nothing)</p>"
        : "<ul class=\"rows\">\(each: entries, { entryRow($0, view) })</ul>"
}

private func entryRow(_ entry: ListEntry, _ view: ListView) -> HTML {
    let action: Path = "\(view.root)/remove"
    return """
        <li class="entry">\(entryWords(entry, view.style))<form method="post" action="\(action)">\(view.place)\(hidden("item", entry.item.formWord))\(if: view.state.canChange, "\(if: canMove(entry, view), moveButton(entry, view))<button class=\"button quiet small\" aria-label=\"Remove \(entry.text)\">Remove</button>")</form></li>
        """
}

/// Whether an entry may stand in the other part too.
private func canMove(_ entry: ListEntry, _ view: ListView) -> Bool {
    !view.sort.isPublicOnly && (!view.sort.isPrivateOnly || !entry.isPrivate)
}

private func moveButton(_ entry: ListEntry, _ view: ListView) -> HTML {
    let action: Path = "\(view.root)/put"
    return entry.isPrivate
        ? """
        <button class="button quiet small" name="part" value="public" formaction="\(action)" aria-label="Show \(entry.text) to everybody">Make public</button>
        """
        : """
        <button class="button quiet small" name="part" value="private" formaction="\(action)" aria-label="Hide \(entry.text) from everybody">Make private</button>
        """
}

private func entryWords(_ entry: ListEntry, _ style: NoteStyle) -> HTML {
    let isPerson = entry.item.sort == .person
    let path: Path? =
        switch entry.target {
        case .person(let key): "/people/\(key)"
        case .note(let id): "/note/\(id)"
        case .topic(let topic): "/tags/\(topic)"
        case .web, nil: nil
        }
    let name: HTML =
        path.map { path -> HTML in "<a class=\"name\" href=\"\(path)\">\(entry.text)</a>" }
        ?? "<span class=\"name\">\(entry.text)</span>"
    return """
        \(some: isPerson ? entry.person : nil, { avatar($0, .small, style, loading: .lazy) })<span class="row-words">\(name)<span class="hint">\(if: !isPerson, "\(entry.item.sort.one)\(if: !entry.detail.isEmpty, " · ")")\(entry.detail)</span></span>
        """
}

private func unknownLine(_ count: Int) -> HTML {
    """
    <p class="list-lead unknown">\(count) \(if: count == 1, "entry Linnet does not know; it stays as it is.", else: "entries Linnet does not know; they stay as they are.")</p>
    """
}

/// The links to the pages of the list before and after this one.
private func turning(_ state: ListEditor) -> HTML {
    let path = { (start: Int) -> Path in
        listPath(state.address.kind, state.address.identifier).with("from", String(start))
    }
    let before = state.start > 0 ? path(max(0, state.start - ListEditor.pageSize)) : nil
    return """
        \(some: before, { "<p class=\"more\"><a class=\"button quiet\" href=\"\($0)\">Earlier entries</a></p>" })\(some: state.next.map(path), { "<p class=\"more\"><a class=\"button quiet\" href=\"\($0)\">More entries</a></p>" })
        """
}

private func renameForm(_ view: ListView) -> HTML {
    let (rename, delete): (Path, Path) = ("\(view.root)/rename", "\(view.root)/delete")
    return """
        <details class="sheet door"><summary><h2>Name and deletion</h2></summary>
        <form method="post" action="\(rename)">\(view.which)
        <div class="field"><label for="list-title">Name</label><input id="list-title" name="title" value="\(view.state.name)" maxlength="100" required autocomplete="off"></div>
        <div class="field"><label for="list-summary">What it is about</label><input id="list-summary" name="summary" value="\(view.state.summary)" maxlength="300" autocomplete="off"></div>
        <p class="sheet-end"><button class="button">Save</button></p></form>
        <form method="post" action="\(delete)">\(view.which)<p class="sheet-end"><button class="button quiet danger-button">Delete this list</button><span class="hint">Its versions stay in the time machine.</span></p></form></details>
        """
}
