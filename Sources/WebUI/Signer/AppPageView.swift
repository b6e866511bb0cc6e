internal import NostrCore
internal import ViewModels

/// One app on its page.
struct AppPage {
    /// What the page opens at.
    struct Chosen {
        /// The permission that is written already; empty for none.
        var permission: String
        var isChoosing: Bool
        var isLimiting = false

        /// A page that a link leads to, perhaps for one permission.
        init(permission: String) {
            self.permission = permission
            isChoosing = !permission.isEmpty
        }

        /// A page that shows a form again.
        init(permission: String, isChoosing: Bool, isLimiting: Bool) {
            (self.permission, self.isChoosing, self.isLimiting) = (permission, isChoosing, isLimiting)
        }
    }

    let view: AppView
    let chosen: Chosen
    let problem: String?
    let token: FormToken
    let style: NoteStyle

    /// The token, and which app a form is about.
    fileprivate var fields: HTML { "\(token.field)\(hidden("app", view.app.word))" }
}

/// The page of one app.
func appPageView(_ page: AppPage) -> HTML {
    """
    \(problemLine(page.problem))
    \(factsSection(page))
    <form class="sheet" method="post" action="/signer/app/rename">\(page.fields)
    \(appNameField(page.view.name))
    \(trustChoices(page.view.trustChoices))
    \(passphraseField(page.view.passphrase, "trust"))
    <p class="sheet-end"><button class="button">Save</button></p></form>
    \(permissionsSection(page))
    \(limitsForm(page))
    \(if: !page.view.history.isEmpty, historySection(page))
    <details class="sheet door burn"><summary><h2>Unpair</h2><span class="hint">It may not do anything any more. The log keeps what it did.</span></summary><form method="post" action="/signer/app/unpair">\(page.fields)<p>Its pending requests are refused. To use it again, pair it again.</p><p class="sheet-end"><button class="button danger-button">Unpair it</button></p></form></details>
    """
}

private func factsSection(_ page: AppPage) -> HTML {
    let app = page.view.app
    return """
        <section class="sheet" aria-label="Who this is"><p class="asker">\(appMark(app))<span class="row-words"><span class="name">\(app.title)</span>\(appHint(app))</span></p>
        <dl class="facts">\(some: app.claimedName, { "<div><dt>Claims to be</dt><dd>\($0)</dd></div>" })\(some: app.claimedPage, { "<div><dt>Claims the page</dt><dd>\($0)</dd></div>" })<div><dt>Paired</dt><dd>\(fullMoment(app.connected))</dd></div><div><dt>Last asked</dt><dd>\(some: app.lastSeen, { moment($0, now: page.style.now) })\(if: app.lastSeen == nil, "never")</dd></div><div><dt>Requests</dt><dd>\(spoken(count: app.requests))</dd></div>\(if: !page.view.relays.isEmpty, "<div><dt>Listens on</dt><dd>\(relayNames(page.view.relays))</dd></div>")</dl></section>
        """
}

/// Relays one after the other.
func relayNames(_ relays: [String]) -> HTML {
    "\(each: relays, { "<span class=\"relay-name\">\($0)</span>" })"
}

private func limitsForm(_ page: AppPage) -> HTML {
    let view = page.view
    return """
        <details class="sheet door"\(flag: "open", if: page.chosen.isLimiting)><summary><h2>Limits</h2><span class="hint">How often and when it may use your key without asking.</span></summary><form method="post" action="/signer/app/limit">\(page.fields)<div class="work-fields"><div class="field"><label for="per-hour">Times an hour</label><input id="per-hour" name="per-hour" type="number" min="1" max="100000" value="\(view.perHour.map(String.init) ?? "")" inputmode="numeric" placeholder="no limit"></div><div class="field"><label for="from">From</label><input id="from" name="from" type="time" value="\(view.hours?.from ?? "")"></div><div class="field"><label for="until">Until</label><input id="until" name="until" type="time" value="\(view.hours?.until ?? "")"></div></div><p class="hint">Times are those of the machine Linnet runs on.</p>\(passphraseField(view.passphrase, "limits"))<p class="sheet-end"><button class="button">Save</button></p></form></details>
        """
}

private func historySection(_ page: AppPage) -> HTML {
    let all: Path = "/signer/activity?app=\(page.view.app.word)"
    return """
        <section aria-labelledby="history-title"><h2 class="list-title" id="history-title">What it did</h2><ol class="rows">\(each: page.view.history, { activityLine($0, page.style) })</ol><p class="more"><a class="button quiet" href="\(all)">All it did</a></p></section>
        """
}

// MARK: Permissions

private func permissionsSection(_ page: AppPage) -> HTML {
    let items = page.view.permissions
    let extra = items.count { $0.isMoreThanGranted }
    return """
        <section class="sheet" aria-labelledby="may-title"><h2 id="may-title">Permissions</h2>
        \(if: extra > 0, "<p class=\"strip\">It asked for \(extra) \(if: extra == 1, "permission", else: "permissions") you did not give.</p>")
        \(if: items.isEmpty, "<p class=\"hint\">No choices yet: its trust level decides.</p>", else: "<ul class=\"rows is-inner\">\(each: items, { permissionView($0, page) })</ul>")
        \(choiceForm(page))</section>
        """
}

private func permissionView(_ item: PermissionItem, _ page: AppPage) -> HTML {
    """
    <li class="entry"><span class="row-words"><span class="name">\(item.title)</span><span class="hint"><code>\(item.word)</code>\(permissionNotes(item, now: page.style.now))</span></span><span class="standing is-\(item.standing.rawValue)">\(item.standing.words)</span><form method="post" action="/signer/app/choose">\(page.fields)\(hidden("permission", item.word))\(if: item.isMoreThanGranted, "<button class=\"button quiet small\" name=\"verdict\" value=\"allow\" aria-label=\"Give \(item.title)\">Give</button>")\(if: item.isChosen, "<button class=\"button quiet small\" name=\"verdict\" value=\"\" aria-label=\"Forget the choice for \(item.title)\">Forget</button>")</form></li>
    """
}

private func permissionNotes(_ item: PermissionItem, now: Timestamp) -> HTML {
    """
    \(if: !item.isExpired, "\(some: item.expires, { " · until \(shortMoment($0, now: now))" })")\(if: item.isExpired, " · run out")\(some: item.perHour, { " · at most \($0) an hour" })\(if: item.isGiven, " · asked for, given", else: item.isChosen ? " · your choice" : HTML())\(if: item.isMoreThanGranted, " · <span class=\"claim\">asked for, not given</span>")
    """
}

private func choiceForm(_ page: AppPage) -> HTML {
    """
    <details class="door-inner" id="choose"\(flag: "open", if: page.chosen.isChoosing)><summary>Choose for one permission</summary><form method="post" action="/signer/app/choose">\(page.fields)
    <div class="field"><label for="permission">Permission</label><input id="permission" name="permission" value="\(page.chosen.permission)" required autocomplete="off" spellcheck="false" aria-describedby="permission-hint" list="permissions"\(flag: "autofocus", if: page.problem == nil && page.chosen.isChoosing)><p class="hint" id="permission-hint">A method like <code>nip44_decrypt</code>, or the number of a kind it may sign.</p><datalist id="permissions"><option value="sign_event">any event</option><option value="sign_event:1">notes</option><option value="sign_event:7">reactions</option><option value="nip44_encrypt">encrypt</option><option value="nip44_decrypt">decrypt</option><option value="nip04_encrypt">encrypt, old style</option><option value="nip04_decrypt">decrypt, old style</option></datalist></div>
    <fieldset class="pills"><legend>Then</legend><label class="pill"><input type="radio" name="verdict" value="allow" checked><span>Allow</span></label><label class="pill"><input type="radio" name="verdict" value="ask"><span>Ask me</span></label><label class="pill"><input type="radio" name="verdict" value="refuse"><span>Refuse</span></label></fieldset>
    <fieldset class="pills"><legend>For</legend><label class="pill"><input type="radio" name="span" value="0" checked><span>Always</span></label><label class="pill"><input type="radio" name="span" value="3600"><span>An hour</span></label><label class="pill"><input type="radio" name="span" value="86400"><span>A day</span></label><label class="pill"><input type="radio" name="span" value="604800"><span>A week</span></label></fieldset>
    <div class="field"><label for="grant-limit">At most this often an hour; beyond that you are asked</label><input id="grant-limit" name="per-hour" type="number" min="1" max="100000" inputmode="numeric" placeholder="no limit"></div>
    \(passphraseField(page.view.passphrase, "choice"))
    <p class="sheet-end"><button class="button">Keep this choice</button></p></form></details>
    """
}
