internal import ViewModels

/// Pairing with a signer elsewhere that an address names.
func openedSignerView(_ bunker: String, _ token: FormToken) -> HTML {
    """
    <section class="sheet narrow"><h1>Use this signer?</h1>
    <p>An address leads to a signer that would sign for you. Go on only if you opened it yourself, from your own signer: you would be here whoever its key belongs to.</p>
    <form method="post" action="/welcome/bunker">\(token.field)\(hidden("token", bunker))
    <div class="field"><label for="s-pass">Passphrase</label><input id="s-pass" name="passphrase" type="password" autocomplete="new-password" required aria-describedby="s-hint"><p class="hint" id="s-hint">A new one. It encrypts the key by which your signer knows this Linnet.</p></div>
    <div class="field"><label for="s-again">Passphrase again</label><input id="s-again" name="again" type="password" autocomplete="new-password" required></div>
    <p class="sheet-end"><button class="button">Connect</button><a class="button quiet" href="/home">Leave it</a></p></form></section>
    """
}

/// Going on with a signer link: before that, no signer is asked and no app is told anything.
func openedLinkView(_ link: String, _ token: FormToken) -> HTML {
    """
    <section class="sheet narrow"><h1>An app asks your signer</h1>
    <p>A link leads here to ask for your key’s answer. If you did not just ask for that in an app or on a page, leave it. What is asked, and by whom, is shown next; what you always allow is answered then.</p>
    <form method="post" action="/open/signer-link">\(token.field)\(hidden("link", link))
    <p class="sheet-end"><button class="button" autofocus>Look at it</button><a class="button quiet" href="/home">Leave it</a></p></form></section>
    """
}

/// An address that leads nowhere.
func openedNowhereView(_ sentence: String) -> HTML {
    """
    <section class="sheet narrow"><h1>Not opened</h1><p class="problem" role="alert">\(sentence)</p><p class="sheet-end"><a class="button quiet" href="/home">Home</a></p></section>
    """
}

/// Letting this browser give addresses of Nostr to Linnet; only a script can ask it.
func addressHandlersView() -> HTML {
    """
    <section class="sheet" aria-labelledby="handlers-title"><h2 id="handlers-title">Links that open Linnet</h2>
    <p data-handlers-state role="status">Only a script of this page can ask your browser.</p>
    <p class="sheet-end"><button class="button quiet" type="button" data-handlers hidden>Let nostr: links open Linnet</button></p>
    <p class="hint">Programs of this computer: <code>linnet signer install-handler</code>.</p><script type="module" src="\(Assets.address)/handlers.js"></script></section>
    """
}
