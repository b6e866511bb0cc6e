internal import NostrClient
internal import NostrCore
internal import ViewModels

/// The page of an account's files.
struct FilesView {
    let page: Result<FilesPage, Trouble>
    /// What was wrong with what was sent.
    let problem: String?
    let canSign: Bool
    let token: FormToken
    let style: NoteStyle
}

/// The main column of the files.
func filesView(_ view: FilesView) -> HTML {
    """
    <div class="head"><h1>My files</h1><a class="button quiet small" href="/files/servers">Media servers</a></div>
    \(problemLine(view.problem))
    \(if: view.canSign, uploadForm(view.token), else: "<p class=\"strip\">This account can only read, so it keeps no files.</p>")
    \(content(view))
    """
}

private func uploadForm(_ token: FormToken) -> HTML {
    """
    <form class="sheet" method="post" action="/files" enctype="multipart/form-data" data-upload>\(token.field)
    <h2>Upload</h2>
    <div class="field"><label for="new-files">Files</label><input id="new-files" name="upload" type="file" multiple required></div>
    <div class="field"><label for="new-alt">What can be seen or heard</label><input id="new-alt" name="alt" maxlength="1000" dir="auto" aria-describedby="new-alt-hint"><p class="hint" id="new-alt-hint">For people who cannot see or hear it. With several files, it applies to each.</p></div>
    <p class="hint">Everybody who has its address can load a file, and others may copy it.</p>
    <p class="sheet-end"><button class="button">Upload</button></p>
    <div class="uploads" data-uploads></div>
    </form>
    """
}

private func content(_ view: FilesView) -> HTML {
    switch view.page {
    case .failure(let trouble): troubleState(trouble.sentence, retry: "/files")
    case .success(let page):
        """
        \(if: !page.uploads.isEmpty, pending(page.uploads, view.token))
        \(serverLine(page.servers))
        \(kept(page.rows, view))
        """
    }
}

private func pending(_ items: [UploadItem], _ token: FormToken) -> HTML {
    """
    <section aria-labelledby="pending-title"><h2 class="list-title" id="pending-title">On their way</h2><ul class="rows">\(each: items, { item in
        let path: Path = "/files/uploads/\(item.id)"
        return """
            <li class="file-row"><div class="file-words"><strong>\(item.name)</strong> <span class="hint">\(item.size)</span><p class="\(if: item.standing == .failed, "problem", else: "hint")">\(item.words)</p>\(placeList(item.places))</div><div class="file-acts">\(if: item.canRetry, "<form method=\"post\" action=\"\(path)/retry\">\(token.field)<button class=\"button quiet small\" aria-label=\"Try \(item.name) again\">Try again</button></form>")<form method="post" action="\(path)/cancel">\(token.field)<button class="button quiet small" aria-label="Cancel \(item.name)">Cancel</button></form></div></li>
            """
    })</ul></section>
    """
}

private func serverLine(_ servers: [FilesPage.Server]) -> HTML {
    guard !servers.isEmpty else {
        return "<p class=\"strip\">You have no media servers. <a href=\"/files/servers\">Add one</a></p>"
    }
    return """
        <ul class="plain server-states">\(each: servers, { server in
            "<li><strong>\(server.name)</strong> \(some: server.problem, { "<span class=\"problem\">\($0)</span>" })\(if: server.problem == nil, "<span class=\"hint\">answers</span>")</li>"
        })</ul>
        """
}

private func kept(_ rows: [FilesPage.Row], _ view: FilesView) -> HTML {
    guard !rows.isEmpty else {
        return emptyState(title: "No files yet", "<p>What you upload here or while writing a note appears here.</p>")
    }
    return """
        <h2 class="list-title">On your servers</h2>
        <ul class="rows">\(each: rows, { keptRow($0, view) })</ul>
        """
}

private func keptRow(_ row: FilesPage.Row, _ view: FilesView) -> HTML {
    let path: Path = "/files/kept/\(row.hash)"
    let picture = row.isPicture && view.style.loadsOwn(row.url) ? ForeignURL(row.url) : nil
    return """
        <li class="file-row">
        \(some: picture, { "<img class=\"file-picture\" loading=\"lazy\" decoding=\"async\" src=\"\(view.style.source($0, .large))\" alt=\"\(row.description ?? "")\">" })
        <div class="file-words"><strong>\(some: ForeignURL(row.url), { "<a href=\"\(url: $0)\" rel=\"noopener\" target=\"_blank\">\(row.name)</a>" })</strong>
        <p class="hint">\(row.size) · \(row.type) · <time datetime="\(utc(row.uploaded))">\(spoken(row.uploaded, now: view.style.now))</time></p>
        <p class="hint">On \(row.holders.joined(separator: ", "))</p>\(placeList(row.copies))
        \(some: row.upload, { describeForm($0, row, view.token) })
        \(some: view.canSign ? row.upload : nil, { publishForm($0, row, view.token) })
        </div>
        \(if: view.canSign, """
            <div class="file-acts">\(if: row.canMirror, "<form method=\"post\" action=\"\(path)/mirror\">\(view.token.field)<button class=\"button quiet small\" aria-label=\"Copy \(row.name) to your other servers\">Copy to the others</button></form>")<details><summary aria-label="Delete \(row.name)">Delete</summary><form method="post" action="\(path)/delete">\(view.token.field)<p class="hint">Notes will no longer show it.</p><button class="button quiet danger-button small" aria-label="Delete \(row.name) from all servers">Delete from all servers</button></form></details></div>
            """)
        </li>
        """
}

private func describeForm(_ upload: String, _ row: FilesPage.Row, _ token: FormToken) -> HTML {
    let path: Path = "/files/uploads/\(upload)/describe"
    return """
        <form class="file-alt" method="post" action="\(path)">\(token.field)<label for="alt-\(upload)" class="visually-hidden">What can be seen or heard in \(row.name)</label><input id="alt-\(upload)" name="alt" value="\(row.description ?? "")" placeholder="What can be seen or heard" maxlength="1000" dir="auto"> <button class="button quiet small" aria-label="Save the words about \(row.name)">Save</button></form>
        """
}

/// Publishes a file as an event of its own.
private func publishForm(_ upload: String, _ row: FilesPage.Row, _ token: FormToken) -> HTML {
    let path: Path = "/files/uploads/\(upload)/publish"
    return """
        <details><summary aria-label="Publish \(row.name) as a file">Publish as a file</summary><form class="file-alt" method="post" action="\(path)">\(token.field)<label for="words-\(upload)">What to say about it</label><input id="words-\(upload)" name="words" value="\(row.description ?? "")" maxlength="1000" dir="auto" aria-describedby="words-hint-\(upload)"><p class="hint" id="words-hint-\(upload)">People who look for files and GIFs find it by these words and by #topics in them.</p> <button class="button quiet small">Publish</button></form></details>
        """
}

private func placeList(_ places: [UploadItem.Place]) -> HTML {
    let told = places.filter { !$0.words.isEmpty }
    guard !told.isEmpty else { return HTML() }
    return "<ul class=\"plain hint\">\(each: told, { "<li>\($0.name): \($0.words)</li>" })</ul>"
}

/// How uploads stand, for the page's script: each with what a note will say of it.
func uploadViews(_ items: [UploadItem]) -> HTML {
    """
    \(each: items, { item in
        """
        <div class="upload" data-id="\(item.id)" data-standing="\(item.standing.rawValue)" data-name="\(item.name)"\(attribute: "data-url", item.url)><span class="upload-name">\(item.name)</span> <span class="hint">\(item.size)</span> <progress max="100" value="\(item.standing == .stored ? 100 : item.percent ?? 0)" aria-label="How much of \(item.name) is sent"></progress><p class="\(if: item.standing == .failed, "problem", else: "hint")" data-words>\(if: item.standing == .stored, "Uploaded", else: "\(item.words)")</p></div>
        """
    })
    """
}
