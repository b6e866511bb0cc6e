internal import NostrClient
internal import ViewModels

/// The settings of the open account, and what it has of this Linnet.
struct SettingsView {
    /// The open account, as settings show it.
    struct Account {
        let name: String
        let npub: String
        let canSign: Bool
        let isLocked: Bool
    }

    let remoteMedia: PersonalSettings.RemoteMedia
    let look: LookView
    let isSaved: Bool
    let account: Account
    /// How much work goes into what is published; `nil` for an account that cannot sign.
    let work: WorkChoice?
    /// A login link that was just made.
    let link: String?
    let version: String
    let doors: SettingsDoors
    let token: FormToken
}

/// The main column of the settings.
func settingsView(_ view: SettingsView) -> HTML {
    """
    <div class="head"><h1>Settings</h1></div>
    \(if: view.isSaved, "<p class=\"strip\" role=\"status\">Saved.</p>")
    \(lookChoices(view.look, view.token))
    <form class="sheet" method="post" action="/settings" data-autosave>
    \(view.token.field)
    <fieldset class="choices stacked"><legend>Load external media</legend>\(each: [.never, .follows, .always] as [PersonalSettings.RemoteMedia], {
        settingsChoice("media", value: $0.rawValue, label: "\($0.label)", hint: $0.hint, isChosen: $0 == view.remoteMedia)
    })</fieldset>
    <p class="sheet-end"><button class="button">Save</button></p>
    </form>
    \(accountSheet(view))
    \(some: view.work, { workForm($0, view.token) })
    \(if: view.doors.hasMaps, door("maps", "Maps", "Where pictures of maps come from, and what is kept for when there is no network.", path: "/settings/map"))
    \(if: view.doors.hasPlace, door("place", "This machine's place", "Where circles that you share your place with learn it from, when no browser tells.", path: "/settings/place"))
    \(deviceSheet(view))
    \(addressHandlersView())
    <p class="version">Linnet \(view.version) · <a href="/shortcuts" data-help>Keyboard shortcuts</a></p>
    """
}

/// One choice of several, with its hint.
func settingsChoice(
    _ name: HTML, value: String, label: HTML, hint: String? = nil, isChosen: Bool
) -> HTML {
    """
    <label class="choice"><input type="radio" name="\(name)" value="\(value)"\(flag: "checked", if: isChosen)><span class="choice-label">\(label)</span>\(some: hint, { "<span class=\"hint\">\($0)</span>" })</label>
    """
}

private func accountSheet(_ view: SettingsView) -> HTML {
    let account = view.account
    let standing: HTML =
        switch (account.canSign, account.isLocked) {
        case (false, _): "Read-only: Linnet has no key for this account."
        case (true, true): "The key is locked. <a href=\"/unlock\">Unlock it</a>."
        case (true, false): "Linnet can sign for this account."
        }
    return """
        <section class="sheet" aria-labelledby="account-title"><h2 id="account-title">Account</h2><p>\(account.name)</p><p class="npub">\(account.npub)</p><p>\(standing)</p><p class="sheet-end"><a class="button quiet" href="/welcome">Other accounts</a>\(if: view.doors.hasKeys, "<a class=\"button quiet\" href=\"/keys\">Keys and backup</a>")</p></section>
        """
}

/// Work against spam (NIP-13).
private func workForm(_ work: WorkChoice, _ token: FormToken) -> HTML {
    """
    <form class="sheet" method="post" action="/settings/work">\(token.field)<h2>Proof of work</h2><p class="hint" id="work-hint">Some relays and people take what cost its writer some computing (NIP-13). In leading zero bits, 0 for none; each bit more takes twice as long. 20 are about a second, 26 about a minute. You can stop it while it runs.</p><div class="work-fields">\(workField("notes", "Notes", bits: work.notes))\(workField("reactions", "Reactions", bits: work.reactions))\(workField("messages", "Messages, for each recipient", bits: work.messages))</div><p class="sheet-end"><button class="button quiet">Save</button></p></form>
    """
}

private func workField(_ name: HTML, _ label: HTML, bits: Int) -> HTML {
    """
    <div class="field"><label for="work-\(name)">\(label)</label><input id="work-\(name)" name="\(name)" type="number" min="0" max="\(WorkChoice.most)" value="\(bits)" inputmode="numeric" aria-describedby="work-hint"></div>
    """
}

private func door(_ id: HTML, _ title: HTML, _ lead: HTML, path: Path) -> HTML {
    """
    <section class="sheet" aria-labelledby="\(id)-title"><h2 id="\(id)-title">\(title)</h2><p>\(lead)</p><p class="sheet-end"><a class="button quiet" href="\(path)">\(title)</a></p></section>
    """
}

private func deviceSheet(_ view: SettingsView) -> HTML {
    let words: HTML =
        view.link.map { link -> HTML in
            "<p>This link works once, within the hour:</p><p class=\"npub\">\(link)</p>"
        } ?? "<p>A new login link lets one more browser in.</p>"
    return """
        <section class="sheet" aria-labelledby="device-title"><h2 id="device-title">Another browser</h2>\(words)<form method="post" action="/settings/link" class="sheet-end">\(view.token.field)<button class="button quiet">Make a login link</button></form><form method="post" action="/logout" class="sheet-end">\(view.token.field)<button class="button quiet">Log this browser out</button></form></section>
        """
}

/// The main column of the keyboard shortcuts.
let shortcutsView: HTML = """
    <div class="head"><h1>Keyboard shortcuts</h1></div>
    <div class="sheet">\(shortcutList)</div>
    """
