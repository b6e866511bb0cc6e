internal import NostrNIPs
internal import ViewModels

/// The media servers of an account, to be changed.
struct MediaServersView {
    let choice: MediaServerChoice
    /// What went wrong with what was just sent, and what was written then.
    let problem: String?
    let written: String
    let canSign: Bool
    let token: FormToken
}

/// The main column of the media servers.
func mediaServersView(_ view: MediaServersView) -> HTML {
    let choice = view.choice
    return """
        <div class="head"><a class="back" href="/files" aria-label="My files">\(icon(.back))</a><h1>Media servers</h1></div>
        \(problemLine(view.problem))
        <section class="sheet" aria-labelledby="servers-title"><h2 id="servers-title">Your servers</h2>
        <p>\(if: choice.isPublished, "Files go to the first that takes them, and are copied to the others. Everybody can see this list, and finds your files by it when one server is gone.", else: "You have not published a list yet. Until you do, files go to the server below.")</p>
        \(if: choice.isPublished, serverList(view))
        \(if: !choice.near.isEmpty, "<p class=\"hint\">\(FileWords.near(choice.near.map(\.domain)))</p>")
        \(if: view.canSign, addForm(view))
        </section>
        <form class="sheet" method="post" action="/files/servers/usual">\(view.token.field)<h2>Without a list</h2><div class="field"><label for="usual">Server to use while your list names none</label><input id="usual" name="usual" value="\(choice.usual)" maxlength="300" autocomplete="off" autocapitalize="none" spellcheck="false" inputmode="url" aria-describedby="usual-hint"><p class="hint" id="usual-hint">Empty for none: then nothing is uploaded anywhere.</p></div><p class="sheet-end"><button class="button quiet">Save</button></p></form>
        """
}

private func serverList(_ view: MediaServersView) -> HTML {
    guard !view.choice.servers.isEmpty else { return "<p class=\"hint\">The list is empty.</p>" }
    return """
        <ol class="plain media-servers">\(each: Array(view.choice.servers.enumerated()), { entry in
            let server = entry.element
            return """
                <li><span class="relay-name">\(server.address)</span>\(if: view.canSign, """
                    <form method="post" action="/files/servers">\(view.token.field)\(hidden("server", server.address))\(if: entry.offset > 0, "<button class=\"button quiet small\" name=\"do\" value=\"raise\" aria-label=\"Move \(server.domain) up\">Up</button>") <button class="button quiet small" name="do" value="remove" aria-label="Remove \(server.domain)">Remove</button></form>
                    """)</li>
                """
        })</ol>
        """
}

private func addForm(_ view: MediaServersView) -> HTML {
    """
    <form class="add-relay" method="post" action="/files/servers">\(view.token.field)<div class="field"><label for="media-server">Add a server</label><input id="media-server" name="server" value="\(view.written)" maxlength="300" placeholder="https://blossom.example" autocomplete="off" autocapitalize="none" spellcheck="false" inputmode="url" required></div><button class="button">Add</button></form>
    """
}
