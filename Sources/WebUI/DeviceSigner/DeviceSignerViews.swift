internal import ViewModels

/// Choosing the signer of this device: to come in by it, or for an open account to ask.
func deviceSignerChoice(
    _ choices: [DeviceSigners.Choice], chosen: String?, isOpen: Bool, _ token: FormToken
) -> HTML {
    let action: Path = isOpen ? "/device-signer/choice" : "/device-signer/login"
    let first = chosen ?? choices.first?.id
    return """
        <section class="sheet narrow"><h1>A signer on this device</h1>
        <p>An app on this device has your key. Linnet asks it by a link for each signature, and you say yes there.</p>
        <form method="post" action="\(action)">\(token.field)<fieldset class="choices stacked"><legend>Which app?</legend>\(each: choices, { choice in
            """
            <label class="choice"><input type="radio" name="app" value="\(choice.id)"\(flag: "checked", if: choice.id == first)><span class="choice-label">\(choice.name ?? "The default signer of this device")</span>\(if: choice.isHere, "<span class=\"hint\">Installed where Linnet runs.</span>")</label>
            """
        })</fieldset>
        <p class="hint">Your choice is remembered in this browser.</p>
        <p class="sheet-end"><button class="button">\(if: isOpen, "Use it", else: "Ask it who you are")</button><a class="button quiet" href="/welcome">Back</a></p></form></section>
        """
}

/// Something was asked and no answer has come.
func deviceSignerWaiting(_ asked: DeviceSigners.Asked) -> HTML {
    """
    <section class="sheet narrow"><h1>Ask your signer</h1>
    <p role="status">Open your signer and say yes there. This page continues by itself when the answer comes.</p>
    <p class="sheet-end">\(some: ForeignURL(signerAnswer: asked.link), { "<a class=\"button\" href=\"\(url: $0)\" rel=\"noreferrer\">Open the signer</a>" })<a class="button quiet" href="/device-signer">Another app</a></p>
    <p class="hint">If nothing opens, that app is not installed here.</p></section>
    """
}

/// The signer said no, or said nothing that can be used.
func deviceSignerRefused(_ sentence: String) -> HTML {
    """
    <section class="sheet narrow"><h1>No answer to use</h1><p class="problem" role="alert">\(sentence)</p><p class="sheet-end"><a class="button" href="/device-signer">Ask again</a></p></section>
    """
}

/// What an account asked has its answer.
func deviceSignerDone() -> HTML {
    """
    <section class="sheet narrow"><h1>Done</h1><p>The answer has come, and Linnet goes on with it. You can close this page.</p><p class="sheet-end"><a class="button" href="/home">Home</a></p></section>
    """
}

/// What an open account asks, for the strip of its pages.
func deviceSignerRequests(_ asked: [DeviceSigners.Asked]) -> HTML {
    guard !asked.isEmpty else { return HTML() }
    return """
        <p class="strip" role="status">\(each: asked, { one in
            "\(some: ForeignURL(signerAnswer: one.link), { "<a class=\"button small\" href=\"\(url: $0)\" rel=\"noreferrer\">\(one.method == "sign_event" ? "Sign in your signer" : "Open your signer")</a>" })"
        })</p>
        """
}

/// No signer of this device was chosen in this browser.
func deviceSignerMissing() -> HTML {
    """
    <p class="strip">Your key is in a browser’s extension or in an app, and nothing answers on this page. You can read, or <a href="/device-signer">ask an app on this device</a>.</p>
    """
}
