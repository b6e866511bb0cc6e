internal import ViewModels

/// Letting an app in by the signer's token, or bringing an app's token here.
func connectView(_ state: ConnectState, _ token: FormToken) -> HTML {
    """
    <p class="strip" id="app-came" role="status" hidden>The list of apps changed. <a href="/signer/apps">See the apps</a></p>
    \(invitationView(state, token))
    <section class="sheet" aria-labelledby="paste-title"><h2 id="paste-title">Or bring an app's token here</h2>
    <form method="post" action="/signer/connect">\(token.field)\(problemLine(state.problem))<div class="field"><label for="uri">Token of the app</label><textarea id="uri" name="uri" class="secret" rows="3" required spellcheck="false" autocomplete="off" placeholder="nostrconnect://…">\(state.pasted)</textarea></div><p class="sheet-end"><button class="button">Read it</button><span class="hint">You see what it asks for before anything is allowed.</span></p></form></section>
    """
}

/// The token that lets the next app in.
func invitationView(_ state: ConnectState, _ token: FormToken) -> HTML {
    var trouble: String?
    if case .failed(let reason) = state.phase { trouble = reason.sentence }
    return """
        <section class="sheet invitation" id="invitation" data-signer="settings" data-path="/signer/connect" aria-labelledby="invitation-title"><h2 id="invitation-title">Let an app in</h2>
        \(some: state.invitation, { invitation in
            """
            <p>Scan this with the app, or copy it there. It lets one app in, once; then a new one is made.</p>
            <div class="invitation-code">\(qrCode(invitation, title: "Code with your signer's token"))</div>
            <div class="field"><label for="bunker">Token of your signer</label><textarea id="bunker" class="secret" rows="4" readonly spellcheck="false" autocomplete="off">\(invitation)</textarea></div>
            <p id="invitation-gives">\(state.invitationGives)</p>
            <p class="sheet-end"><button class="button" type="button" data-copy="bunker" hidden>Copy</button></p>
            <form method="post" action="/signer/connect/renew">\(token.field)\(trustChoices(state.trustChoices))\(passphraseField(state.passphrase, "token"))<p class="sheet-end"><button class="button quiet">Make a new one</button><span class="hint">Whoever has a token can pair with you until it is used or renewed.</span></p></form>
            """
        })
        \(some: trouble, { "<p class=\"problem\">\($0)</p><p class=\"sheet-end\"><a class=\"button quiet\" href=\"/signer/settings\">Signer settings</a></p>" })</section>
        """
}

/// What an app's token says, and what to allow it.
func appTokenView(_ state: ConnectState, _ token: FormToken) -> HTML {
    """
    <div id="pairing">
    \(problemLine(state.problem))
    \(some: state.token, { tokenForm($0, state.passphrase, token) })
    </div>
    """
}

private func tokenForm(_ item: TokenItem, _ passphrase: PassphraseItem?, _ token: FormToken) -> HTML {
    """
    <form class="sheet" data-pair method="post" action="/signer/connect/pair">\(token.field)\(hidden("uri", item.text))
    <h2>\(if: item.name.isEmpty, "An app that gives no name", else: "An app that claims to be “\(item.name)”")</h2>
    <dl class="facts">\(if: !item.page.isEmpty, "<div><dt>Claims the page</dt><dd>\(item.page)</dd></div>")<div><dt>Known by</dt><dd>\(item.mark)</dd></div><div><dt>Listens on</dt><dd>\(relayNames(item.relays))</dd></div></dl>
    <p class="hint">Nobody has checked these claims. Go on only if you have just begun this in the app yourself.</p>
    \(appNameField(""))
    \(trustChoices(item.trustChoices))
    \(if: item.wishes.isEmpty, "<p class=\"hint\">It does not say what it needs.</p>", else: wishList(item.wishes))
    \(passphraseField(passphrase, "pairing"))
    <p class="sheet-end"><button class="button">Pair</button><a class="button quiet" href="/signer/connect">Not now</a><span class="hint" data-progress role="status"></span></p></form>
    """
}

/// An app that was just paired, and whether it knows.
func pairedView(_ app: AppItem, _ state: ConnectState) -> HTML {
    let relays: HTML = state.told == 1 ? "1 relay" : "\(state.told) relays"
    let words: HTML =
        switch (state.isHeardOf, state.told) {
        case (true, _):
            "It was told on \(relays) and has asked since. You can close it there and come back: Linnet stays reachable."
        case (false, 1...):
            "The answer lies on \(relays). An app that listens takes it when it is open; it is paired either way."
        case (false, _): "No relay it named took the answer. Try again with a new token from the app."
        }
    return """
        <div id="pairing" tabindex="-1">
        <section class="sheet paired" aria-labelledby="paired-title"><h2 id="paired-title">“\(app.title)” \(if: state.isHeardOf, "is paired", else: "has not answered yet")</h2>
        <p class="asker">\(appMark(app))<span class="row-words"><span class="name">\(app.title)</span>\(appHint(app, " · \(app.trustTitle) trust"))</span></p>
        <p>\(words)</p>
        <p class="sheet-end"><a class="button" href="/signer">Back to the signer</a><a class="button quiet" href="\(appPath(app.word))">Permissions and limits</a></p></section>
        </div>
        """
}
