internal import ViewModels

/// The key of an account, and what can be done with it.
struct KeysView {
    let state: KeysPage
    let npub: String
    let token: FormToken

    fileprivate var kind: KeyCustody.Kind { state.custody.kind }
    fileprivate var hasPassphrase: Bool { kind == .file }
    fileprivate var shortest: Int { FirstRunState.shortestPassphrase }

    /// What is wrong at a door.
    fileprivate func problem(at door: KeysPage.Door) -> HTML {
        problemLine(state.problem?.door == door ? state.problem?.sentence : nil)
    }
}

/// The main column of the keys.
func keysView(_ view: KeysView) -> HTML {
    """
    <div class="head"><h1>Keys and backup</h1></div>
    \(custodySheet(view))
    \(if: view.kind == .file || view.kind == .keyring, keyDoors(view))
    \(if: view.kind != .demo, burnDoor(view))
    """
}

private func custodySheet(_ view: KeysView) -> HTML {
    let canLock = view.kind != .readOnly && view.kind != .demo
    return """
        <section class="sheet" aria-labelledby="custody-title"><h2 id="custody-title">\(view.state.name)</h2><p class="npub">\(view.npub)</p><p>\(view.kind.sentence)</p>
        \(if: view.kind == .demo, "<p class=\"hint\">There is nothing to lock, change or lose here.</p>")
        \(if: view.kind == .readOnly, "<p class=\"hint\">There is no key to lock or change. What was read for this account can be removed below.</p>")
        \(if: canLock, "\(lockForm(view))\(autoLockForm(view))")</section>
        """
}

private func lockForm(_ view: KeysView) -> HTML {
    if view.state.custody.isLocked {
        return """
            <p class="sheet-end"><span class="health is-resting">Locked</span><a class="button" href="/unlock">Unlock</a></p>
            """
    }
    return """
        <form method="post" action="/lock">\(view.token.field)\(hidden("back", "/keys"))<p class="sheet-end"><span class="health is-connected">Unlocked</span><button class="button">Lock now</button><span class="hint">Wipes the key and all that was decrypted from memory.</span></p></form>
        """
}

private func autoLockForm(_ view: KeysView) -> HTML {
    let current = view.state.autoLock
    var choices = KeysPage.autoLockChoices
    if !choices.contains(current) { choices.append(current) }
    return """
        <form method="post" action="/keys/auto-lock">\(view.token.field)
        \(view.problem(at: .autoLock))
        <fieldset class="pills"><legend>Auto-lock after</legend>\(each: choices, { choice in
            """
            <label class="pill"><input type="radio" name="after" value="\(choice?.components.seconds ?? 0)"\(flag: "checked", if: choice == current)><span>\(autoLockLabel(choice))</span></label>
            """
        })</fieldset><p class="sheet-end"><button class="button quiet small">Save</button></p></form>
        """
}

private func keyDoors(_ view: KeysView) -> HTML {
    """
    <div class="doors">
    \(if: view.hasPassphrase, "\(passphraseDoor(view))\(encryptedDoor(view))")
    \(if: view.state.custody.hasMnemonic, wordsDoor(view))
    \(backupDoor(view))
    </div>
    """
}

/// Something that can be done with the key, folded away until it is wanted.
private func door(
    _ view: KeysView, _ door: KeysPage.Door, isShown: Bool = false, title: HTML, hint: HTML, _ body: HTML
) -> HTML {
    """
    <details class="sheet door"\(flag: "open", if: isShown || view.state.problem?.door == door)><summary><h2>\(title)</h2><span class="hint">\(hint)</span></summary>
    \(view.problem(at: door))
    \(body)</details>
    """
}

private func passphraseDoor(_ view: KeysView) -> HTML {
    door(
        view, .passphrase, title: "Change the passphrase", hint: "Encrypts the key with a new passphrase.",
        """
        <form method="post" action="/keys/passphrase">\(view.token.field)<input class="visually-hidden" type="text" name="account" value="\(view.npub)" autocomplete="username" readonly tabindex="-1" aria-hidden="true">
        <div class="field"><label for="old">Passphrase now</label><input id="old" name="old" type="password" autocomplete="current-password" required></div>
        <div class="field"><label for="new">New passphrase</label><input id="new" name="passphrase" type="password" autocomplete="new-password" minlength="\(view.shortest)" required></div>
        <div class="field"><label for="again">New passphrase again</label><input id="again" name="again" type="password" autocomplete="new-password" required></div>
        <p class="sheet-end"><button class="button">Change it</button></p></form>
        """)
}

private func encryptedDoor(_ view: KeysView) -> HTML {
    var body: HTML = """
        <form method="post" action="/keys/encrypted">\(view.token.field)<p class="sheet-end"><button class="button">Show it</button></p></form>
        """
    var isShown = false
    if case .encrypted(let text) = view.state.shown {
        isShown = true
        body = """
            <div class="field"><label for="ncryptsec">Opens with your passphrase only</label><textarea id="ncryptsec" class="secret" rows="4" readonly spellcheck="false" autocomplete="off">\(text)</textarea></div><p class="sheet-end"><button class="button quiet" type="button" data-copy="ncryptsec" hidden>Copy</button></p>
            """
    }
    return door(
        view, .encrypted, isShown: isShown, title: "Encrypted key",
        hint: "An ncryptsec, for a safe place or another app.", body)
}

private func wordsDoor(_ view: KeysView) -> HTML {
    var words: [Substring]?
    if case .words(let text) = view.state.shown { words = text.split(separator: " ") }
    return door(
        view, .words, isShown: words != nil, title: "The words", hint: "Whoever has them owns the account.",
        """
        \(some: words, { words in
            """
            <p>Write them on paper, in this order.</p><ol class="seed-words">\(each: words, { "<li>\($0)</li>" })</ol><p class="sheet-end"><a class="button quiet" href="/keys">Hide them</a></p>
            """
        })
        <form method="post" action="/keys/words">\(view.token.field)\(if: view.hasPassphrase, passphraseField("words-pass", isRequired: true))<p class="sheet-end"><button class="button">Show the words</button></p></form>
        """)
}

private func backupDoor(_ view: KeysView) -> HTML {
    door(
        view, .backup, title: "Backup", hint: "One encrypted file: key, messages, lists and every version of them.",
        """
        <form method="post" action="/keys/backup">\(view.token.field)
        <div class="field"><label for="backup-pass">Passphrase of the file</label><input id="backup-pass" name="passphrase" type="password" autocomplete="new-password" minlength="\(view.shortest)" required aria-describedby="backup-hint"><p class="hint" id="backup-hint">Nobody can open the file without it. <code>linnet restore</code> reads it on another machine.</p></div>
        <div class="field"><label for="backup-again">Again</label><input id="backup-again" name="again" type="password" autocomplete="new-password" required></div>
        <p class="sheet-end"><button class="button">Download the backup</button></p></form>
        """)
}

private func burnDoor(_ view: KeysView) -> HTML {
    """
    <details class="sheet door burn"\(flag: "open", if: view.state.problem?.door == .burn)><summary><h2>Delete account from this machine</h2><span class="hint">Removes it with everything that belongs to it.</span></summary>
    \(view.problem(at: .burn))
    <form method="post" action="/keys/burn">\(view.token.field)
    <p>Key, messages, drafts, versions and what waits to be sent are deleted here for good. What is on relays stays there. Without a backup or the key itself nobody can bring the account back.</p>
    <div class="field"><label for="burn-name">Type <strong>\(view.state.name)</strong></label><input id="burn-name" name="name" autocomplete="off" spellcheck="false" required></div>
    \(if: view.hasPassphrase || view.kind == .elsewhere, passphraseField("burn-pass", isRequired: view.hasPassphrase))
    <p class="sheet-end"><button class="button danger-button">Delete account</button></p></form></details>
    """
}

private func passphraseField(_ id: HTML, isRequired: Bool) -> HTML {
    """
    <div class="field"><label for="\(id)">Passphrase</label><input id="\(id)" name="passphrase" type="password" autocomplete="current-password"\(flag: "required", if: isRequired)></div>
    """
}
