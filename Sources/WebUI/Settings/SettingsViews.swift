internal import NostrClient
internal import ViewModels

/// The settings of the open account, and what it has of this Linnet.
///
/// One property for each thing that the page asks or shows.
struct SettingsView {
    /// The open account, as settings show it.
    struct Account {
        let name: String
        let npub: String
        let canSign: Bool
        let isLocked: Bool
    }

    let remoteMedia: PersonalSettings.RemoteMedia
    let autoplay: Bool
    let sounds: Bool
    let undoTime: Duration
    let namesClient: Bool
    /// Where events of kinds that are not shown here are opened, and what is wrong with what was written for it.
    let kindHandler: String
    let kindHandlerProblem: String?
    let trending: TrendingServer
    let hidesPollResults: Bool
    /// Whose links are previewed; `nil` where no link is.
    let linkPreviews: PersonalSettings.RemoteMedia?
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
    /// The same link for another device in the house; `nil` where none reaches this home.
    var deviceLink: String?
    /// Whether the account keeps files.
    var hasFiles = false
    /// Whether GIFs are looked for.
    var hasGifs = false
    /// Whether pictures of others are kept here.
    var hasPictures = false
    /// What stands on home beside notes.
    var home = HomeChoice(articles: false, films: false)
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
    <label class="check"><input type="checkbox" name="autoplay" value="1"\(flag: "checked", if: view.autoplay)><span>Play short films by themselves, without sound</span></label>
    <label class="check"><input type="checkbox" name="sounds" value="1"\(flag: "checked", if: view.sounds)><span>Play a short tone when something new concerns you</span></label>
    \(writingChoices(view))
    \(pollSettings(isHidden: view.hidesPollResults))
    \(some: view.linkPreviews, previewChoices)
    <div class="field"><label for="handler">Open what Linnet does not show at</label><input id="handler" name="handler" type="url" value="\(view.kindHandler)" placeholder="https://…" autocomplete="off" aria-describedby="handler-hint"><p class="hint" id="handler-hint">A site whose address can be followed by a Nostr code. Leave it empty for no link.</p>\(problemLine(view.kindHandlerProblem))</div>
    <p class="sheet-end"><button class="button">Save</button></p>
    </form>
    \(homeForm(view.home, view.token))
    \(trendingForm(view.trending, view.token))
    \(accountSheet(view))
    \(some: view.work, { workForm($0, view.token) })
    \(if: view.hasFiles, door("files", "Media servers", "Where your pictures and other files are kept.", path: "/files/servers"))
    \(if: view.hasGifs, door("gifs", "GIFs", "Relays are asked for GIFs. Choose a host that is asked too, and give your key for it.", path: "/settings/gifs"))
    \(if: view.hasPictures, door("pictures", "Pictures of others", "Whether this Linnet fetches them for your browser, films and sounds too, and how many it keeps.", path: "/settings/pictures"))
    \(if: view.doors.hasMaps, door("maps", "Maps", "Where pictures of maps come from, and what is kept for when there is no network.", path: "/settings/map"))
    \(if: view.doors.hasPlace, door("place", "This machine's place", "How circles that you share your place with learn it when no browser tells them.", path: "/settings/place"))
    \(deviceSheet(view))
    \(addressHandlersView())
    <p class="version">Linnet \(view.version) · <a href="/shortcuts" data-help>Keyboard shortcuts</a></p>
    """
}

/// How long a note can be undone, and what it tells of this program.
private func writingChoices(_ view: SettingsView) -> HTML {
    """
    <div class="field"><label for="undo">Undo a note before it leaves</label><select id="undo" name="undo">\(each: PersonalSettings.undoChoices, { choice in
        "<option value=\"\(choice.components.seconds)\"\(flag: "selected", if: choice == view.undoTime)>\(if: choice == .zero, "not at all", else: "for \(choice.components.seconds) seconds")</option>"
    })</select></div>
    <label class="check"><input type="checkbox" name="client" value="1"\(flag: "checked", if: view.namesClient)><span>Tell in your notes that Linnet wrote them</span></label>
    """
}

private func previewChoices(_ chosen: PersonalSettings.RemoteMedia) -> HTML {
    """
    <fieldset class="choices stacked"><legend>Preview links</legend>\(each: [.never, .follows, .always] as [PersonalSettings.RemoteMedia], {
        settingsChoice("previews", value: $0.rawValue, label: "\($0.label)", hint: $0.previewHint, isChosen: $0 == chosen)
    })</fieldset>
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

/// A server that counts what is trending.
private func homeForm(_ home: HomeChoice, _ token: FormToken) -> HTML {
    """
    <form class="sheet" method="post" action="/settings/home">\(token.field)<h2>Home</h2><p class="hint">Notes, reposts, pictures, films and polls of people you follow always stand there.</p><label class="check"><input type="checkbox" name="articles" value="1"\(flag: "checked", if: home.articles)><span>Show their articles, too</span></label><label class="check"><input type="checkbox" name="films" value="1"\(flag: "checked", if: home.films)><span>Show films that they may still change, too</span></label><label class="check"><input type="checkbox" name="comments" value="1"\(flag: "checked", if: home.comments)><span>Show what they say under articles, films and the like, too</span></label><p class="sheet-end"><button class="button quiet">Save</button></p></form>
    """
}

private func trendingForm(_ server: TrendingServer, _ token: FormToken) -> HTML {
    """
    <form class="sheet" method="post" action="/settings/trending">\(token.field)<h2>Trending</h2><p class="hint" id="trending-hint">What is <a href="/trending">trending</a> is counted here from what your relays gave you. A server can count for everybody; it decides what stands there, and learns when you look.</p><label class="choice"><input type="checkbox" name="used"\(flag: "checked", if: server.isUsed)><span class="choice-label">Offer what a server counts, too</span></label><div class="field"><label for="trending-server">Its address</label><input id="trending-server" name="server" value="\(server.address)" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="trending-hint"></div><p class="sheet-end"><button class="button quiet">Save</button></p></form>
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
    <form class="sheet" method="post" action="/settings/work">\(token.field)<h2>Proof of work</h2><p class="hint" id="work-hint">Some relays and people accept only what took some computing (NIP-13). In leading zero bits, 0 for none; each extra bit takes twice as long. 20 are about a second, 26 about a minute. You can stop it while it runs.</p><div class="work-fields">\(workField("notes", "Notes", bits: work.notes))\(workField("reactions", "Reactions", bits: work.reactions))\(workField("messages", "Messages, for each recipient", bits: work.messages))</div><p class="sheet-end"><button class="button quiet">Save</button></p></form>
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
            "<p>This link works once, within the hour:</p><p class=\"npub\">\(link)</p>\(some: view.deviceLink, deviceCode)"
        } ?? "<p>A new login link lets one more browser in.</p>"
    return """
        <section class="sheet" aria-labelledby="device-title"><h2 id="device-title">Another browser</h2>\(words)<form method="post" action="/settings/link" class="sheet-end">\(view.token.field)<button class="button quiet">Make a login link</button></form><form method="post" action="/logout" class="sheet-end">\(view.token.field)<button class="button quiet">Log this browser out</button></form></section>
        """
}

/// The link for a phone to scan; whoever sees the code can come in with it, once.
private func deviceCode(_ link: String) -> HTML {
    """
    <details><summary>Code for a phone on your network</summary><p class="hint">Scan it with the phone's camera. It is the same link, so it works once; show it to nobody else.</p>\(some: qrCode(link, title: "The login link as a QR code"), { "<div class=\"qr-frame\">\($0)</div>" })<p class="npub">\(link)</p></details>
    """
}

/// The main column of the keyboard shortcuts.
let shortcutsView: HTML = """
    <div class="head"><h1>Keyboard shortcuts</h1></div>
    <div class="sheet">\(shortcutList)</div>
    """
