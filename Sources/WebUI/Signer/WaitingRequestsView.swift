internal import NostrCore
internal import ViewModels

/// The requests that wait, on the page of all.
struct WaitingRequests {
    let state: RequestsState
    let token: FormToken
    let style: NoteStyle
    let unlocking: UnlockForm

    /// How many requests of one group are told apart.
    static let most = 200

    fileprivate func peer(of item: RequestItem) -> PersonItem? { item.peer.flatMap { state.people[$0] } }
}

/// What unlocks the key that requests wait for.
struct UnlockForm {
    let key: PublicKey
    let name: String
    let asksForPassphrase: Bool
}

/// The list of what waits; a script replaces the entries that changed.
func waitingRequestsView(_ requests: WaitingRequests) -> HTML {
    let state = requests.state
    return """
        <div class="asks" id="asks" data-signer="waiting settings" data-path="/signer" data-count="\(state.count)" data-done="\(state.done ?? "")" tabindex="-1" aria-label="Pending requests" role="region">
        \(problemLine(state.problem))
        \(if: state.isPaused, """
            <form class="strip alarm" data-decide method="post" action="/signer/pause">\(requests.token.field)\(hidden("pause", "0"))<span>The signer is paused: every request waits.</span><button class="button quiet small">Go on</button></form>
            """)
        \(if: state.locked > 0, lockedView(state.locked, requests))
        \(if: state.groups.isEmpty, nothingWaits(hasApps: state.apps > 0))
        \(each: state.groups, { $0.isBatch ? batchView($0, requests) : requestView($0.items[0], requests) })
        \(if: !state.isPaused && state.apps > 0, """
            <form class="asks-pause" data-decide method="post" action="/signer/pause">\(requests.token.field)\(hidden("pause", "1"))<button class="button quiet small">Pause the signer</button><span class="hint">Every request then waits, whatever you allowed.</span></form>
            """)
        </div>
        """
}

private func lockedView(_ count: Int, _ requests: WaitingRequests) -> HTML {
    let form = requests.unlocking
    return """
        <section class="sheet ask-locked" aria-labelledby="locked-title"><h2 id="locked-title">\(icon(.lock)) \(count) \(if: count == 1, "request waits", else: "requests wait") for your key</h2><p>What is asked is encrypted to you. Unlock your key to read and decide it.</p>
        <form method="post" action="/welcome/unlock">\(requests.token.field)\(hidden("key", form.key.hex))\(hidden("back", "/signer"))\(if: form.asksForPassphrase, """
            <div class="field"><label for="passphrase">Passphrase of \(form.name)</label><input id="passphrase" name="passphrase" type="password" autocomplete="current-password" required></div>
            """)<p class="sheet-end"><button class="button">Unlock</button></p></form></section>
        """
}

private func nothingWaits(hasApps: Bool) -> HTML {
    """
    <div class="empty">\(bird())<h2 class="empty-title">Nothing to approve</h2>\(if: hasApps, "<p>A request that needs your yes shows itself here at once.</p>", else: "<p>Pair an app, and it can ask for signatures without ever seeing your key.</p><p><a class=\"button\" href=\"/signer/connect\">Connect an app</a></p>")</div>
    """
}

// MARK: One request

private func requestView(_ item: RequestItem, _ requests: WaitingRequests) -> HTML {
    let id = item.id.hex
    let path: Path = "/signer/requests/\(id)"
    return """
        <article class="sheet ask\(if: item.needsSecondStep, " has-loss")" tabindex="-1" data-ask="\(id)" data-mark="\(id)\(if: item.isLocked, " locked")\(if: item.passphrase != nil, " passphrase")" aria-labelledby="ask-\(id)">\(askerView(item, requests.style))
        <h2 class="ask-headline" id="ask-\(id)">\(if: item.isLocked, "\(item.headline)", else: "<a href=\"\(path)\">\(item.headline)\(some: requests.peer(of: item), { " \($0.name)" })</a>")</h2>
        \(if: item.needsSecondStep, "<p class=\"revision-alarm\">\(icon(.alert)) \(item.change.loss) would go. Look before you decide.</p>")
        \(if: !item.text.isEmpty, "<p class=\"ask-text\">\(item.text)</p>")
        \(if: item.isUnknownKind, "<p class=\"hint\">Linnet does not know what this kind of event means. <a href=\"\(path)\">See the event itself</a></p>")
        \(if: !item.wishes.isEmpty, "<p class=\"hint\">It also asks for permissions: <a href=\"\(path)\">see which, and give some</a>.</p>")
        \(pairingHint(item, path))
        \(if: !item.isLocked, "\(reasonView(item))\(decisionForm(item, path, requests.token))")
        </article>
        """
}

/// What a yes does beside, where it pairs the app that asks; with the way to another trust where there is one.
func pairingHint(_ item: RequestItem, _ path: Path? = nil) -> HTML {
    """
    \(if: item.pairsApp, "<p class=\"hint\">A yes pairs it, at low trust: you are asked about everything that uses your key.\(some: item.sort == .pairing ? path : nil, { " <a href=\"\($0)\">Choose another trust</a>" })</p>")
    """
}

/// What it would be allowed, and why it waits.
func reasonView(_ item: RequestItem) -> HTML {
    "<p class=\"hint\">\(some: item.permission, { "It would \($0). " })\(item.reason)</p>"
}

private func decisionForm(_ item: RequestItem, _ path: Path, _ token: FormToken) -> HTML {
    """
    <form class="ask-acts" data-decide method="post" action="/signer/decide">\(token.field)\(hidden("ids", item.id.hex))
    \(if: item.passphrase?.isAlwaysNeeded == true && !item.needsSecondStep, passphraseField(item.passphrase, item.id.hex))
    \(if: item.needsSecondStep, """
        <a class="button" href="\(path)" data-act="look">See what would go</a><button class="button quiet danger-button" name="answer" value="refuse" data-act="refuse">Refuse</button>
        """, else: """
        <button class="button" name="answer" value="once" data-act="once">Approve<span class="visually-hidden"> \(item.headline)</span></button>\(if: item.canBeAllowedAlways, "<button class=\"button quiet\" name=\"answer\" value=\"always\" data-act=\"always\">Always</button>")<button class="button quiet danger-button" name="answer" value="refuse" data-act="refuse">Refuse</button>\(if: item.canBeAllowedAlways, moreChoices(item))
        """)
    </form>
    """
}

/// The answers beside once, always and no.
func moreChoices(_ item: RequestItem) -> HTML {
    let limits: Path = "/signer/app?app=\(item.app.word)&permission=\(item.permissionWord)#choose"
    return """
        <details class="menu"><summary class="button quiet" data-act="more">More<span class="visually-hidden"> choices</span></summary><div class="menu-body"><button class="drawer-item" name="answer" value="hour">Approve for an hour</button><button class="drawer-item" name="answer" value="day">Approve for a day</button><button class="drawer-item" name="answer" value="week">Approve for a week</button>\(if: !item.pairsApp, "<button class=\"drawer-item\" name=\"answer\" value=\"refuse-always\">Always refuse</button>")<a class="drawer-item" href="\(limits)">Edit limits</a></div></details>
        """
}

/// Who asks, and when.
func askerView(_ item: RequestItem, _ style: NoteStyle) -> HTML {
    let app = item.app
    return """
        <p class="asker">\(appMark(app))<span class="row-words">\(if: app.isKnown, "<a class=\"name\" href=\"\(appPath(app.word))\">\(app.title)</a>", else: "<span class=\"name\">\(app.title)</span>")<span class="hint">\(if: app.isTitleClaimed, "<span class=\"claim\">claims this name</span> · ")\(if: app.isLink, "by a link · ")\(app.mark)</span></span><time class="hint" datetime="\(utc(item.received))">\(spoken(item.received, now: style.now))</time></p>
        """
}

// MARK: Requests that are alike

private func batchView(_ group: RequestsState.Group, _ requests: WaitingRequests) -> HTML {
    let shown = Array(group.items.prefix(WaitingRequests.most))
    let first = shown[0]
    let ids = shown.map(\.id.hex).joined(separator: " ")
    return """
        <article class="sheet ask" tabindex="-1" data-ask="\(first.id.hex)" data-mark="\(ids)\(if: group.passphrase != nil, " passphrase")" aria-labelledby="ask-\(first.id.hex)">\(askerView(first, requests.style))
        <h2 class="ask-headline" id="ask-\(first.id.hex)">\(group.items.count) requests\(some: group.permission, { " to \($0)" })\(if: group.isMixed, " at once")</h2>
        \(if: first.isLocked, "<p class=\"hint\">They can be read once your key is unlocked.</p>", else: "<p class=\"hint\">\(if: group.isMixed, "They came within half a second. ")\(first.reason)</p>\(pairingHint(first))\(batchForm(shown, ids, of: group, requests))")
        </article>
        """
}

private func batchForm(
    _ shown: [RequestItem], _ ids: String, of group: RequestsState.Group, _ requests: WaitingRequests
) -> HTML {
    let count = group.items.count
    return """
        <form data-decide method="post" action="/signer/decide">\(requests.token.field)\(hidden("ids", ids))\(hidden("picks", "1"))
        <details class="batch"\(flag: "open", if: group.isMixed)><summary>What they ask</summary><ul class="batch-list">\(each: shown, { batchEntry($0, requests) })</ul>\(if: count > shown.count, "<p class=\"hint\">The first \(shown.count); the others come when these are decided.</p>")</details>
        \(passphraseField(group.passphrase, shown[0].id.hex))
        <div class="ask-acts"><button class="button" name="answer" value="once" data-act="once">Approve all<span class="visually-hidden"> of them</span></button>\(if: !group.isMixed, "<button class=\"button quiet\" name=\"answer\" value=\"always\" data-act=\"always\">Always</button>")<button class="button quiet danger-button" name="answer" value="refuse" data-act="refuse">Refuse all</button>\(if: !group.isMixed, moreChoices(shown[0]))</div></form>
        """
}

private func batchEntry(_ item: RequestItem, _ requests: WaitingRequests) -> HTML {
    let path: Path = "/signer/requests/\(item.id)"
    return """
        <li><label class="check"><input type="checkbox" name="pick_\(item.id.hex)" checked><span>\(item.headline)\(some: requests.peer(of: item), { " \($0.name)" })\(if: !item.text.isEmpty, ": \(item.text)")</span></label><a class="hint" href="\(path)">\(moment(item.received, now: requests.style.now))<span class="visually-hidden">, see this request</span></a></li>
        """
}
