internal import NostrCore
internal import ViewModels

/// One request in full, with what can be said to it.
func requestPage(_ state: RequestReview, _ detail: RequestDetail, _ token: FormToken, _ style: NoteStyle) -> HTML {
    let item = detail.item
    let path: Path = "/signer/requests/\(item.id)"
    return """
        <section class="sheet ask is-alone" data-request="\(item.id.hex)" aria-label="Request">
        \(problemLine(state.problem))
        \(requestMarkup(detail, style))
        \(if: item.isLocked, "<p class=\"sheet-end\"><a class=\"button\" href=\"/signer\">Unlock your key</a></p>", else: decisionView(state, item, path, token, style))
        </section>
        """
}

private func decisionView(
    _ state: RequestReview, _ item: RequestItem, _ path: Path, _ token: FormToken, _ style: NoteStyle
) -> HTML {
    """
    \(if: state.isConfirming, secondStep(state, item, path, token), else: choices(item, path, token))
    \(if: item.needsSecondStep, "\(some: item.change.currentFrom, { restoreForm($0, path, token, style) })")
    """
}

private func secondStep(_ state: RequestReview, _ item: RequestItem, _ path: Path, _ token: FormToken) -> HTML {
    """
    <section class="second-step" id="second-step" tabindex="-1" aria-labelledby="second-title"><h2 id="second-title">\(icon(.alert)) Lose \(item.change.loss)?</h2><p>An app that did not load your list first would drop it like this. Nothing is lost when you refuse, and the current version stays in the <a href="/history">time machine</a> either way.</p>
    \(knowingForm(state.answer, item, path, token))</section>
    """
}

/// The second, explicit yes to a request that loses much.
func knowingForm(_ choice: RequestChoice, _ item: RequestItem, _ path: Path, _ token: FormToken) -> HTML {
    """
    <form class="ask-acts" method="post" action="\(path)/decide">\(token.field)\(hidden("knowing", "1"))\(passphraseField(item.passphrase, "knowing"))<button class="button danger-button" name="answer" value="\(choice.rawValue)">Yes, lose them</button><button class="button quiet" name="answer" value="refuse" autofocus>Refuse</button></form>
    """
}

private func choices(_ item: RequestItem, _ path: Path, _ token: FormToken) -> HTML {
    let isPairing = item.sort == .pairing
    let losesMuch = item.needsSecondStep
    return """
        <form method="post" action="\(path)/decide">\(token.field)\(if: isPairing, pairingTerms(item))\(if: !losesMuch, passphraseField(item.passphrase, "request"))<div class="ask-acts"><button class="button" name="answer" value="once" data-act="once">Approve\(if: losesMuch, "…")</button>\(if: item.canBeAllowedAlways, "<button class=\"button quiet\" name=\"answer\" value=\"always\" data-act=\"always\">Always</button>")<button class="button quiet danger-button" name="answer" value="refuse" data-act="refuse">Refuse</button>\(if: !isPairing && item.app.isKnown && (item.canBeAllowedAlways || !item.pairsApp), item.canBeAllowedAlways ? moreChoices(item) : "<button class=\"button quiet\" name=\"answer\" value=\"refuse-always\">Always refuse</button>")</div></form>
        """
}

/// How far an app is trusted that asks to be paired, and what it may.
func pairingTerms(_ item: RequestItem) -> HTML {
    """
    \(if: item.app.isKnown, trustChoices(item.trustChoices))\(if: !item.wishes.isEmpty, wishList(item.wishes))
    """
}

private func restoreForm(_ current: Timestamp, _ path: Path, _ token: FormToken, _ style: NoteStyle) -> HTML {
    """
    <form class="restore" method="post" action="\(path)/restore">\(token.field)<button class="button quiet">Refuse and restore</button><span class="hint">Publishes the version of \(moment(current, now: style.now)) again, as the newest, in case this app or another already dropped it elsewhere.</span></form>
    """
}

/// What stands in place of a request that waits no longer.
let goneRequest: HTML = """
    <div class="empty">\(bird())<h2 class="empty-title">This request is no longer pending</h2><p>It was decided, perhaps in another window, or the app does not ask any more. The <a href="/signer/activity">activity log</a> knows.</p><p><a class="button quiet" href="/signer">What waits</a></p></div>
    """
