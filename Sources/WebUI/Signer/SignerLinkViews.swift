internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// The page of a signer link.
func linkPath(_ item: LinkItem) -> Path { "/signer/link/\(item.id)" }

/// An account that can answer a link.
struct LinkAccount {
    let key: PublicKey
    let name: String
    /// What is known of it; `nil` for an account that is not at work.
    let person: PersonItem?
}

/// What a link asks, and how far deciding it has come.
struct LinkQuestion {
    let item: LinkItem
    /// `nil` until the signer has looked at it.
    let review: RequestReview?
    /// What the account is called.
    let name: String
    let asksForPassphrase: Bool
    let token: FormToken
}

/// What all pages of signer links stand in.
func signerLinkPage(_ body: HTML) -> HTML {
    """
    <link rel="stylesheet" href="\(Assets.address)/lists.css"><link rel="stylesheet" href="\(Assets.address)/signer.css">
    <section class="sheet ask is-alone" aria-labelledby="link-title">
    \(body)
    </section>
    """
}

/// Choosing the account that a link gets to know.
func linkChoice(_ item: LinkItem, _ accounts: [LinkAccount], _ token: FormToken, _ style: NoteStyle) -> HTML {
    """
    <h1 id="link-title">Who are you there?</h1>
    <p class="hint">\(if: item.place.isEmpty, "An unknown app asks for your public key. Choose the account; the answer goes to your clipboard.", else: "<code>\(item.place)</code> asks for your public key. Choose the account it gets; what it may is asked next.")</p>
    \(claims(item))
    <form method="post" action="\(linkPath(item))/account">\(token.field)<ul class="rows is-inner">\(each: accounts, { account in
        """
        <li><button class="row account-choice" name="key" value="\(account.key.hex)">\(avatar(account.key, account.person, .small, style, isOwn: true))<span class="row-words"><span class="name">\(account.name)</span><span class="hint">\(account.key.npub)</span></span></button></li>
        """
    })</ul></form>
    """
}

private func claims(_ item: LinkItem) -> HTML {
    """
    \(some: item.claimedName, { name in
        "<p class=\"hint\">It calls itself “\(name)”\(some: item.claimedPage, { " of \($0)" }). Nobody has checked that.</p>"
    })
    """
}

/// What a link asks, in full, and deciding it.
func linkQuestion(_ question: LinkQuestion, _ style: NoteStyle) -> HTML {
    let item = question.item
    return """
        <h1 id="link-title">\(if: item.place.isEmpty, "Answer an unknown app?", else: "Answer <strong>\(item.place)</strong>?")</h1>
        <p class="hint">With the key of <strong>\(question.name)</strong>. \(if: item.usesClipboard, "The answer goes to your clipboard; who asked is not known.", else: "The answer goes to <code>\(item.place)</code>, whoever made the link.")</p>
        \(claims(item))
        \(if: item.leaksToServer, "<p class=\"revision-alarm\">\(icon(.alert)) What is decrypted would be sent to \(item.place): its server, and its logs, can keep it.</p>")
        \(problemLine(question.review?.problem))
        \(some: question.review?.detail, { decisionView($0, question, style) })\(if: question.review?.detail == nil, "<p role=\"status\">One moment: the signer looks at it.</p>")
        """
}

private func decisionView(_ detail: RequestDetail, _ question: LinkQuestion, _ style: NoteStyle) -> HTML {
    """
    \(requestMarkup(detail, style))
    \(if: detail.item.isLocked, unlockForm(question), else: choices(detail.item, question))
    """
}

private func unlockForm(_ question: LinkQuestion) -> HTML {
    """
    <form method="post" action="\(linkPath(question.item))/unlock">\(question.token.field)\(if: question.asksForPassphrase, """
        <div class="field"><label for="passphrase">Passphrase of \(question.name)</label><input id="passphrase" name="passphrase" type="password" autocomplete="current-password" required autofocus></div>
        """)<p class="sheet-end"><button class="button">Unlock</button></p></form>
    """
}

private func choices(_ request: RequestItem, _ question: LinkQuestion) -> HTML {
    let path = linkPath(question.item)
    if let review = question.review, review.isConfirming {
        return """
            <section class="second-step" aria-labelledby="second-title"><h2 id="second-title">Lose \(request.change.loss)?</h2>\(knowingForm(review.answer, request, path, question.token))</section>
            """
    }
    return """
        <form method="post" action="\(path)/decide">\(question.token.field)\(if: request.sort == .pairing, pairingTerms(request))\(if: !request.needsSecondStep, passphraseField(request.passphrase, "request"))<div class="ask-acts"><button class="button" name="answer" value="once">Approve\(if: request.needsSecondStep, "…")</button>\(if: request.canBeAllowedAlways, "<button class=\"button quiet\" name=\"answer\" value=\"always\">Always</button>")<button class="button quiet danger-button" name="answer" value="refuse">Refuse</button></div></form>
        """
}

/// The answer, on its way back to the app.
///
/// - Parameter url: where it goes; `nil` for an address that a browser must not follow.
func linkAnswer(_ item: LinkItem, _ url: ForeignURL?) -> HTML {
    """
    <h1 id="link-title">\(if: item.problem == nil, "Done", else: "Refused")</h1>
    \(some: item.problem, { "<p>\($0)</p>" })
    \(if: item.isCarriedElsewhere, "<p>The program that asked receives the answer. You can close this page.</p>", else: """
        <p>The answer goes back to \(if: item.place.isEmpty, "the app", else: "<code>\(item.place)</code>"). If nothing happens, take it there yourself.</p>
        \(some: url, { "<p class=\"sheet-end\"><a class=\"button\" href=\"\(url: $0)\" rel=\"noreferrer\" data-carry>Back to the app</a></p>" })
        <script type="module" src="\(Assets.address)/carry.js"></script>
        """)
    """
}

/// An answer too long for an address, on its way back to the app: posted by this page, once.
func linkPost(_ item: LinkItem, _ answer: LinkForm) -> HTML {
    guard let address = ForeignURL(answer.address) else { return linkOver(item.problem) }
    return """
        <h1 id="link-title">Done</h1>
        \(if: item.isCarriedElsewhere, "<p>The program that asked receives the answer. You can close this page.</p>", else: """
            <form method="post" action="\(url: address)" accept-charset="utf-8" data-carry>\(each: answer.fields, { "<input type=\"hidden\" name=\"\($0.name)\" value=\"\($0.value)\">" })
            <p>The answer is too long for an address, so this page posts it to <code>\(answer.origin)</code>, and to nobody else. If nothing happens, send it yourself.</p>
            <p class="sheet-end"><button class="button">Back to the app</button></p></form>
            <p data-carried hidden role="status">The answer has gone to <code>\(answer.origin)</code>. You can close this page.</p>
            <script type="module" src="\(Assets.address)/carry.js"></script>
            """)
        """
}

/// No answer, and the place the link names for errors, which the person has approved nothing for: theirs to open.
func linkOffer(_ problem: String?, _ url: String) -> HTML {
    """
    <h1 id="link-title">Refused</h1>
    \(some: problem, { "<p>\($0)</p>" })
    <p>The link wants errors told at an address that is not where results go. Nothing is opened unless you do it:</p><p class="hint"><code>\(url)</code></p>
    \(some: ForeignURL(signerAnswer: url), { "<p class=\"sheet-end\"><a class=\"button quiet\" href=\"\(url: $0)\" rel=\"noreferrer\">Open it</a></p>" })
    """
}

/// The answer, to be copied.
func linkCopy(_ text: String) -> HTML {
    """
    <h1 id="link-title">Done</h1>
    <p>The app left no address. Copy the answer and paste it there.</p>
    <div class="field"><label for="link-answer">The answer</label><textarea id="link-answer" rows="6" readonly spellcheck="false" autocomplete="off">\(text)</textarea></div>
    <p class="sheet-end"><button class="button" type="button" data-copy="link-answer" hidden>Copy</button></p>
    <script type="module" src="\(Assets.address)/linnet.js"></script>
    """
}

/// The app is told nothing.
func linkOver(_ problem: String?) -> HTML {
    """
    <h1 id="link-title">Not answered</h1>
    <p>\(problem ?? "")</p><p class="hint">The app left no address for this, so it is told nothing. You can close this page.</p>
    """
}
