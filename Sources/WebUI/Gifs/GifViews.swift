internal import NostrClient
internal import NostrCore
internal import ViewModels

/// The page where a GIF is chosen for a note; the note goes along in its form.
struct GifPickerView {
    let picker: Result<GifPicker, Trouble>
    let draft: HTML
    let problem: String?
    let token: FormToken
    /// Whether small pictures are shown; without them the words are.
    let showsPictures: Bool
}

/// The main column of the page where a GIF is chosen.
func gifPickerView(_ view: GifPickerView) -> HTML {
    let words = (try? view.picker.get().words) ?? ""
    return """
        <div class="head"><h1>Add a GIF</h1></div>
        <form class="gifs sheet" method="post" action="/compose/gif">\(view.token.field)\(view.draft)
        \(problemLine(view.problem))
        <div class="field"><label for="gif-words">What should it show?</label><input id="gif-words" name="q" type="search" value="\(words)" maxlength="100" autocomplete="off" dir="auto" enterkeyhint="search"></div>
        <p class="sheet-end"><button class="button" name="do" value="search">Search</button><button class="button quiet" name="do" value="back">Back to the note</button></p>
        \(gifResults(view))
        </form>
        """
}

private func gifResults(_ view: GifPickerView) -> HTML {
    let picker: GifPicker
    switch view.picker {
    case .failure(let trouble): return troubleState(trouble.sentence)
    case .success(let found): picker = found
    }
    let isEmpty = picker.ofRelays.isEmpty && picker.ofHost.isEmpty && picker.hostProblem == nil
    if isEmpty {
        return emptyState(
            title: picker.words.isEmpty ? "No GIFs yet" : "No GIFs of “\(picker.words)”",
            "<p>People publish GIFs on relays; yours were asked. <a href=\"/settings/gifs\">A host of GIFs</a> can be asked too, with a key of your own.</p>"
        )
    }
    return """
        \(if: !picker.ofRelays.isEmpty, gifSection("relays", "From relays", picker.ofRelays, view))\(some: picker.credit, { credit in
            """
            <section aria-labelledby="gifs-host"><h2 class="gif-head" id="gifs-host">\(credit)</h2>\(problemLine(picker.hostProblem))\(gifList(picker.ofHost, view))</section>
            """
        })
        """
}

private func gifSection(_ id: HTML, _ title: HTML, _ items: [GifItem], _ view: GifPickerView) -> HTML {
    """
    <section aria-labelledby="gifs-\(id)"><h2 class="gif-head" id="gifs-\(id)">\(title)</h2>\(gifList(items, view))</section>
    """
}

private func gifList(_ items: [GifItem], _ view: GifPickerView) -> HTML {
    guard !items.isEmpty else { return HTML() }
    return """
        <ul class="gif-list">\(each: items, { item in
            """
            <li><button class="gif" name="gif" value="\(item.tag.attachedWord)">\(if: view.showsPictures, gifPicture(item))<span class="gif-title" dir="auto">\(item.title)</span>\(if: !item.facts.isEmpty, "<span class=\"hint\">\(item.facts)</span>")</button></li>
            """
        })</ul>
        """
}

private func gifPicture(_ item: GifItem) -> HTML {
    let path: Path = "/gifs/\(item.id)"
    return "<img class=\"gif-picture\" loading=\"lazy\" decoding=\"async\" src=\"\(path)\" alt=\"\">"
}

/// The note as the form carries it: everything that the page to write on had.
func draftFields(_ form: Form, _ draft: ComposeState.Draft, left: [UploadItem]) -> HTML {
    """
    \(writtenFields(form, draft))\(each: Array(draft.attachments.enumerated()), { file in
        "<input type=\"hidden\" name=\"attached-\(file.offset)\" value=\"\(file.element.attachedWord)\">"
    })\(each: Array(left.enumerated()), { entry in
        "<input type=\"hidden\" name=\"uploading-\(entry.offset)\" value=\"\(entry.element.id)\">"
    })
    """
}

/// What was written, without its files.
private func writtenFields(_ form: Form, _ draft: ComposeState.Draft) -> HTML {
    let mentions = draft.mentions.map { "\($0.key)\t\($0.value.hex)" }.sorted().joined(separator: "\n")
    let fields = [
        hidden("reply", form["reply"]), hidden("quote", form["quote"]), hidden("back", form["back"]),
        hidden("kept", form["kept"]), hidden("text", draft.text), hidden("mentions", mentions),
        hidden("warning", draft.warning ?? form["warning"]), hidden("file", draft.fileAddress),
        hidden("file-words", draft.fileDescription), hidden("as", form["as"]), hidden("title", form["title"]),
    ]
    return "\(fields)\(if: draft.warning != nil, hidden("warned", "1"))"
}

/// What a page of a host's settings shows besides them.
struct GifHostView {
    let page: GifHostPage
    let problem: String?
    let token: FormToken
}

/// The main column of the settings of a host of GIFs.
func gifHostView(_ view: GifHostView) -> HTML {
    let choice = view.page.choice
    let standing: HTML =
        switch view.page.key {
        case .kept: "A key is kept, encrypted, for you only. Leave this empty to keep it."
        case .missing: "Without a key the host is asked nothing. You get one from the host."
        case .locked:
            "Your key is locked, so the host's key cannot be read. <a href=\"/unlock\">Unlock it</a> to change it."
        }
    return """
        <div class="head"><a class="back" href="/settings" aria-label="Settings">\(icon(.back))</a><h1>GIFs</h1></div>
        <form class="sheet" method="post" action="/settings/gifs">\(view.token.field)
        \(problemLine(view.problem))
        <p>GIFs that people published on relays need no key. A host of GIFs can be asked too: it learns what you search for and the address of this machine, never of your browser.</p>
        <div class="field"><label for="gif-host">Address of the host</label><input id="gif-host" name="host" type="text" inputmode="url" value="\(choice.address)" maxlength="200" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="gif-host-hint"><p class="hint" id="gif-host-hint">Leave it empty to ask none.</p></div>
        <div class="field"><label for="gif-key">Your key for it</label><input id="gif-key" name="key" type="password" maxlength="128" autocomplete="off" spellcheck="false" aria-describedby="gif-key-hint"\(flag: "disabled", if: view.page.key == .locked)><p class="hint" id="gif-key-hint">\(standing)</p></div>
        <fieldset class="choices stacked"><legend>Whom its GIFs must suit</legend>\(each: GifHostChoice.Rating.allCases, { rating in
            settingsChoice("rating", value: rating.rawValue, label: "\(GifWords.label(rating))", isChosen: rating == choice.rating)
        })</fieldset>
        <p class="sheet-end"><button class="button">Save</button>\(if: view.page.key == .kept, "<button class=\"button quiet\" name=\"do\" value=\"forget\">Forget the key</button>")</p>
        </form>
        """
}
