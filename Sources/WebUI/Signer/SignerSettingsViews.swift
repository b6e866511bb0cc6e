internal import ViewModels

/// What holds for all apps.
///
/// - Parameters:
///   - more: kinds that were written beside the ticked ones.
///   - proxyName: who wakes browsers; `nil` where nobody does.
func signerSettingsView(
    _ view: SignerSettingsView, more: String, proxyName: String?, _ token: FormToken
) -> HTML {
    """
    \(problemLine(view.problem))
    <form class="sheet" method="post" action="/signer/pause">\(token.field)<h2>Pause</h2>\(if: view.isPaused, """
        <p>The signer is paused: every request waits, whatever you allowed.</p>\(hidden("pause", "0"))<p class="sheet-end"><button class="button">Go on</button></p>
        """, else: """
        <p>While it is paused nothing is done for any app. Requests wait and are kept.</p>\(hidden("pause", "1"))<p class="sheet-end"><button class="button quiet">Pause the signer</button></p>
        """)</form>
    <form class="sheet" method="post" action="/signer/settings/kinds">\(token.field)<h2>Protected kinds</h2><p class="hint" id="kinds-hint">An app of medium trust is asked about for each of these, unless you choose otherwise for it.</p><fieldset class="kind-list" aria-describedby="kinds-hint"><legend class="visually-hidden">Protected kinds</legend>\(each: view.kinds, { kind in
        """
        <label class="check"><input type="checkbox" name="kind_\(kind.number)"\(flag: "checked", if: kind.isProtected)><span>\(kind.title) <span class="hint">\(kind.number)</span></span></label>
        """
    })</fieldset><div class="field"><label for="more-kinds">More kinds</label><input id="more-kinds" name="more" value="\(more)" autocomplete="off" inputmode="numeric" placeholder="30023 30402"></div>\(passphraseField(view.passphrase, "kinds"))<p class="sheet-end"><button class="button">Save</button><button class="button quiet" formaction="/signer/settings/default-kinds">Reset to defaults</button></p></form>
    \(passphraseSection(view, token))
    <form class="sheet" method="post" action="/signer/settings/relays">\(token.field)<h2>Where it listens</h2><div class="field"><label for="signer-relays">Relays, one a line</label><textarea id="signer-relays" name="relays" rows="4" spellcheck="false" autocomplete="off" aria-describedby="relays-hint">\(view.relays)</textarea><p class="hint" id="relays-hint">Two or three run by different people; at most \(SignerSettingsView.mostRelays). Apps learn them with your token. Relays apps bring themselves are listened to as well.</p></div><p class="sheet-end"><button class="button">Save</button><a class="button quiet" href="/signer/relays">How they are doing</a></p></form>
    <section class="sheet" data-notify hidden aria-labelledby="notify-title"><h2 id="notify-title">Notifications</h2><p data-notify-state></p><p class="sheet-end"><button class="button quiet" type="button" data-notify-ask>Notify me in this browser</button><span class="hint">It says which app waits, never what is asked.</span></p></section>
    \(some: proxyName, { wakingSection($0, token) })
    """
}

/// Asking for the passphrase again: off, on, or why it cannot be.
private func passphraseSection(_ view: SignerSettingsView, _ token: FormToken) -> HTML {
    let asks = view.asksForPassphrase
    return """
        <form class="sheet" id="ask-passphrase" method="post" action="/signer/settings/passphrase">\(token.field)<h2>\(SignerWords.asksForPassphrase)</h2>\(if: view.askingPassphrase == nil, "<p>\(SignerWords.cannotAskForPassphrase)</p>", else: """
            <p>\(if: asks, "\(SignerWords.passphraseIsAskedFor)", else: "\(SignerWords.passphraseIsNotAskedFor)")</p>\(hidden("ask", asks ? "0" : "1"))\(passphraseField(view.askingPassphrase, "setting"))<p class="sheet-end"><button class="button\(if: asks, " quiet")">\(if: asks, "Ask no longer", else: "Ask for it")</button></p>
            """)</form>
        """
}

private func wakingSection(_ proxyName: String, _ token: FormToken) -> HTML {
    """
    <section class="sheet" data-push="\(token.word)" aria-labelledby="push-title"><h2 id="push-title">While no page is open</h2><p data-push-state role="status">Only a script of this page can have the browser woken.</p><p class="sheet-end"><button class="button quiet" type="button" data-push-on hidden>Wake this browser</button><button class="button quiet" type="button" data-push-off hidden>Stop waking it</button><span class="hint">\(proxyName) wakes it. It learns that a request came for this account or something happened in one of its circles, and when; never what is asked or happened.</span></p></section>
    """
}

/// How the signer's relays are doing.
func signerRelaysView(_ view: SignerRelaysView, _ style: NoteStyle) -> HTML {
    """
    <div data-signer="relays activity" data-path="/signer/relays">
    \(if: view.rows.isEmpty, """
        <div class="empty">\(bird())<h2 class="empty-title">The signer has no relays</h2><p>Name relays of its own, so that apps can reach it.</p><p><a class="button" href="/signer/settings">Signer settings</a></p></div>
        """, else: relayTable(view, style))
    </div>
    """
}

private func relayTable(_ view: SignerRelaysView, _ style: NoteStyle) -> HTML {
    """
    <dl class="figures is-two"><div><dt>Relays listened to</dt><dd>\(view.listening)<small> of \(view.rows.count)</small></dd></div><div><dt>Last request seen</dt><dd>\(some: view.lastRequest, { moment($0, now: style.now) })\(if: view.lastRequest == nil, "<small>none yet</small>")</dd></div></dl>
    <div class="table-wrap" tabindex="0" role="group" aria-label="Relays of the signer"><table class="table"><thead><tr><th scope="col">Relay</th><th scope="col">State</th><th scope="col">Last request</th><th scope="col" class="num">Requests</th><th scope="col" class="num">Answers taken</th></tr></thead><tbody>
    \(each: view.rows, { relayRow($0, style) })</tbody></table></div>
    <p class="list-lead">Linnet listens on all of them at once. The first relay to bring a request counts it; the others bring repeats, which are answered once.</p>
    """
}

private func relayRow(_ row: SignerRelaysView.Row, _ style: NoteStyle) -> HTML {
    """
    <tr><th scope="row"><span class="relay-name">\(row.name)</span><span class="relay-uses">\(if: row.isOwn, "your signer's own", else: "brought by an app")</span>\(if: !row.apps.isEmpty, "<span class=\"relay-problem\">\(row.apps.joined(separator: ", "))</span>")\(some: row.problem, { "<span class=\"relay-problem\">\($0)</span>" })</th><td><span class="health is-\(row.health)">\(row.words)</span></td><td>\(some: row.lastRequest, { moment($0, now: style.now) })\(if: row.lastRequest == nil, "none")</td><td class="num">\(spoken(count: row.requests))</td><td class="num">\(spoken(count: row.answersTaken))\(if: row.answersRefused > 0, "<span class=\"relay-problem\">\(spoken(count: row.answersRefused)) refused</span>")</td></tr>

    """
}
