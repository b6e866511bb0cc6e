internal import NostrCore
internal import ViewModels

/// The first screen.
struct FirstRunView {
    let state: FirstRunState
    /// What was filled in, shown again when it was wrong; never a secret.
    let name: String
    let publicKey: String
    let hasOpenAccount: Bool
    /// What a browser's extension has to sign; `nil` where no signer elsewhere can be used.
    let challenge: String?
    /// Whether signers of the person's own device can be asked.
    let hasDeviceSigners: Bool
    let token: FormToken

    fileprivate var shortest: Int { FirstRunState.shortestPassphrase }

    /// What is wrong at a door.
    fileprivate func problem(at door: FirstRunState.Door) -> HTML {
        problemLine(state.problem?.door == door ? state.problem?.sentence : nil)
    }
}

/// The body of the first screen.
func firstRunView(_ view: FirstRunView) -> HTML {
    let offersDemo = view.state.offersDemo && !view.state.accounts.contains { $0.custody == .demo }
    return """
        <section class="welcome-head"><h1>Your own home on Nostr</h1><p>Read the people you follow from where they publish. Your key stays on this machine, encrypted.</p></section>
        \(if: !view.state.accounts.isEmpty, accountList(view))
        \(if: offersDemo, demoSheet(view))
        <div class="doors">
        \(createDoor(view))
        \(bringDoor(view))
        \(some: view.challenge, { "\(signerDoor(view))\(deviceDoor(view))\(browserDoor(view, challenge: $0))" })
        \(readDoor(view))
        </div>
        \(if: view.hasOpenAccount, "<p class=\"version\"><a href=\"/home\">Back to Home</a></p>")
        """
}

private func accountList(_ view: FirstRunView) -> HTML {
    """
    <section class="sheet" aria-labelledby="accounts-title"><h2 id="accounts-title">Who lives here</h2>
    \(view.problem(at: .open))
    <ul class="account-list">
    \(each: view.state.accounts, { accountRow($0, view.token) })
    </ul></section>
    """
}

private func accountRow(_ account: AccountSummary, _ token: FormToken) -> HTML {
    let name = account.name.isEmpty ? String(account.key.hex.prefix(8)) : account.name
    let hasKey = account.custody == .key || account.custody == .elsewhere
    return """
        <li class="account">\(feathers(of: account.key, .medium))<span class="account-words"><span class="name">\(name)</span><span class="handle">\(account.custody.words)</span></span>
        \(if: hasKey, unlockForm(account, name: name, token), else: """
            <form class="account-form" method="post" action="/welcome/open">\(token.field)\(hidden("key", account.key.hex))<button class="button small">Open</button></form>
            """)</li>
        """
}

private func unlockForm(_ account: AccountSummary, name: String, _ token: FormToken) -> HTML {
    let key = account.key.hex
    return """
        <form class="account-form" method="post" action="/welcome/unlock">\(token.field)\(hidden("key", key))\(if: account.asksForPassphrase, """
            <label class="visually-hidden" for="p-\(key)">Passphrase of \(name)</label><input id="p-\(key)" name="passphrase" type="password" placeholder="Passphrase" autocomplete="current-password">
            """)<button class="button small">Unlock</button><button class="button quiet small" formaction="/welcome/open">Read-only</button></form>
        """
}

private func demoSheet(_ view: FirstRunView) -> HTML {
    """
    <section class="sheet door-demo" aria-labelledby="demo-title"><h2 id="demo-title">Look around first</h2><p>This Linnet runs inside a simulated Nostr: many relays, hundreds of made-up people. Be one of them and try everything.</p>
    \(view.problem(at: .demo))
    <form method="post" action="/welcome/demo">\(view.token.field)<p class="sheet-end"><button class="button">Be a demo person</button></p></form></section>
    """
}

/// A way in, folded away until it is wanted.
private func door(
    _ view: FirstRunView, _ door: FirstRunState.Door, id: String? = nil, title: HTML, hint: HTML, _ body: HTML
) -> HTML {
    """
    <details class="sheet door" name="door"\(attribute: "id", id)\(flag: "open", if: view.state.problem?.door == door)><summary><h2>\(title)</h2><span class="hint">\(hint)</span></summary>
    \(view.problem(at: door))
    \(body)</details>
    """
}

private func createDoor(_ view: FirstRunView) -> HTML {
    door(
        view, .create, title: "Create a new key", hint: "You are new to Nostr.",
        """
        <form method="post" action="/welcome/create">\(view.token.field)
        <div class="field"><label for="c-name">Name</label><input id="c-name" name="name" value="\(view.name)" autocomplete="nickname" required></div>
        <div class="field"><label for="c-pass">Passphrase</label><input id="c-pass" name="passphrase" type="password" autocomplete="new-password" minlength="\(view.shortest)" required aria-describedby="c-hint"><p class="hint" id="c-hint">At least \(view.shortest) characters. It encrypts your key on this machine. Nobody can reset it.</p></div>
        <div class="field"><label for="c-again">Passphrase again</label><input id="c-again" name="again" type="password" autocomplete="new-password" required></div>
        <p class="sheet-end"><button class="button">Create</button></p></form>
        """)
}

private func bringDoor(_ view: FirstRunView) -> HTML {
    door(
        view, .bring, title: "Bring your key", hint: "You have an nsec, an ncryptsec, hex or 12 to 24 words.",
        """
        <form method="post" action="/welcome/bring">\(view.token.field)
        <div class="field"><label for="b-secret">Secret key</label><input id="b-secret" name="secret" type="password" autocomplete="off" spellcheck="false" required aria-describedby="b-hint"><p class="hint" id="b-hint">nsec1…, ncryptsec1…, 64 hex characters, or the words in their order. It never leaves this machine.</p></div>
        <div class="field"><label for="b-pass">Passphrase</label><input id="b-pass" name="passphrase" type="password" autocomplete="off" required aria-describedby="b-hint2"><p class="hint" id="b-hint2">For an ncryptsec, the one it was made with; else a new one of at least \(view.shortest) characters.</p></div>
        <div class="field"><label for="b-again">New passphrase again</label><input id="b-again" name="again" type="password" autocomplete="off" aria-describedby="b-hint3"><p class="hint" id="b-hint3">Leave empty for an ncryptsec.</p></div>
        <p class="sheet-end"><button class="button">Import</button></p></form>
        """)
}

private func signerDoor(_ view: FirstRunView) -> HTML {
    door(
        view, .signer, id: "door-signer", title: "Use a signer elsewhere",
        hint: "Your key stays in another app: a bunker.",
        """
        <form method="post" action="/welcome/bunker">\(view.token.field)
        <div class="field"><label for="s-token">What your signer shows</label><input id="s-token" name="token" type="password" autocomplete="off" spellcheck="false" aria-describedby="s-hint"><p class="hint" id="s-hint">It begins with bunker:// and lets one app in. If your signer would rather read an invitation, leave this empty.</p></div>
        <div class="field"><label for="s-pass">Passphrase</label><input id="s-pass" name="passphrase" type="password" autocomplete="new-password" minlength="\(view.shortest)" required aria-describedby="s-hint2"><p class="hint" id="s-hint2">At least \(view.shortest) characters. It encrypts the key by which your signer knows this Linnet.</p></div>
        <div class="field"><label for="s-again">Passphrase again</label><input id="s-again" name="again" type="password" autocomplete="new-password" required></div>
        <p class="sheet-end"><button class="button">Connect</button><button class="button quiet" formaction="/welcome/invite">Show an invitation</button></p></form>
        """)
}

private func deviceDoor(_ view: FirstRunView) -> HTML {
    guard view.hasDeviceSigners else { return HTML() }
    return door(
        view, .device, id: "door-device", title: "Use a signer on this device", hint: "Your key stays in an app here.",
        """
        <p class="hint">Linnet asks that app by a link for every signature: Linnet’s own signer, Amber, Aegis and others take such links.</p>
        <p class="sheet-end"><a class="button" href="/device-signer">Choose the app</a></p>
        """)
}

private func browserDoor(_ view: FirstRunView, challenge: String) -> HTML {
    door(
        view, .browser, id: "door-browser", title: "Use a browser extension", hint: "Your key stays in this browser.",
        """
        <form method="post" action="/welcome/browser" data-nip07="\(challenge)">\(view.token.field)\(hidden("proof", ""))
        <p class="hint" data-nip07-missing>No extension for Nostr (NIP-07) answers in this browser. Install one, let it use this page, and load the page again; scripts must be allowed.</p>
        <p class="hint" data-nip07-there hidden>Linnet asks the extension for every signature, and only while one of its pages is open in this browser.</p>
        <p class="sheet-end"><button class="button" disabled>Ask the extension</button></p></form>
        """)
}

private func readDoor(_ view: FirstRunView) -> HTML {
    door(
        view, .read, title: "Read-only", hint: "You have a public key.",
        """
        <form method="post" action="/welcome/read">\(view.token.field)
        <div class="field"><label for="r-public">Public key</label><input id="r-public" name="public" value="\(view.publicKey)" autocomplete="off" spellcheck="false" required aria-describedby="r-hint"><p class="hint" id="r-hint">npub1…, nprofile1… or 64 hex characters.</p></div>
        <p class="sheet-end"><button class="button">Read</button></p></form>
        """)
}

/// Unlocking the open account.
struct UnlockView {
    let key: PublicKey
    let name: String
    let asksForPassphrase: Bool
    let token: FormToken
}

/// The body of the page that unlocks the open account.
func unlockView(_ view: UnlockView) -> HTML {
    """
    <section class="sheet narrow"><h1>Unlock \(view.name)</h1>
    <p>With the key unlocked, Linnet can sign what you write until it stops.</p>
    <form method="post" action="/welcome/unlock">\(view.token.field)\(hidden("key", view.key.hex))\(if: view.asksForPassphrase, """
        <div class="field"><label for="passphrase">Passphrase</label><input id="passphrase" name="passphrase" type="password" autocomplete="current-password" required autofocus></div>
        """)<p class="sheet-end"><button class="button">Unlock</button><a class="button quiet" href="/home">Back</a></p></form></section>
    """
}
