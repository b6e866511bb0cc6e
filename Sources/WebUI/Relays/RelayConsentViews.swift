internal import NostrClient
internal import ViewModels

/// The main column: who asks, and who was answered.
func relayConsentView(_ page: RelayConsentPage, _ token: FormToken) -> HTML {
    """
    <div class="head"><a class="back" href="/relays" aria-label="Relays">\(icon(.back))</a><h1>Relays that ask who you are</h1></div>
    <section aria-labelledby="consent-questions"><h2 class="list-title" id="consent-questions">Pending</h2>
    <p class="list-lead">\(if: page.questions.isEmpty, "Nothing to approve.", else: "These relays take what you send only from people they know, or show their notes to nobody else. A yes signs a proof for that relay alone; it then knows your public key and that you use it. Until you answer, what you send stays here.")</p>
    \(if: !page.questions.isEmpty, "<div class=\"sheet own-list\"><ul class=\"plain own-relays\">\(each: page.questions, { question($0, token) })</ul>\(if: page.questions.count > 1, allForm(token))</div>")
    </section>
    \(if: !page.answered.isEmpty, """
        <section aria-labelledby="consent-answers"><h2 class="list-title" id="consent-answers">Answered</h2><div class="sheet own-list"><ul class="plain own-relays">\(each: page.answered, { answered($0, token) })</ul></div></section>
        """)
    """
}

/// What stands beside the questions.
let relayConsentAside: HTML = """
    <section class="side"><h2>Your own relays</h2><p>Relays on your own lists are answered without a question, because you put them there. Nobody else is, unless you say so here.</p></section>
    """

private func question(_ item: RelayConsentPage.Item, _ token: FormToken) -> HTML {
    """
    <li><form method="post" action="/relays/auth">\(token.field)<input type="hidden" name="relay" value="\(item.address)"><span class="relay-name"><a href="\(relayPath(item.address))">\(item.name)</a><span class="relay-uses">\(item.purpose)</span></span> <button class="button" name="answer" value="once" aria-label="Once, to \(item.name)">Once</button> <button class="button" name="answer" value="always" aria-label="Always, to \(item.name)">Always</button> <button class="button quiet" name="answer" value="never" aria-label="Never, to \(item.name)">Never</button></form></li>
    """
}

private func answered(_ item: RelayConsentPage.Item, _ token: FormToken) -> HTML {
    """
    <li><form method="post" action="/relays/auth">\(token.field)<input type="hidden" name="relay" value="\(item.address)"><span class="relay-name"><a href="\(relayPath(item.address))">\(item.name)</a><span class="relay-uses">\(item.answerWords)</span></span> <button class="button quiet" name="answer" value="revoke" aria-label="Take back the answer to \(item.name)">Take back</button></form></li>
    """
}

private func allForm(_ token: FormToken) -> HTML {
    """
    <form class="relay-all" method="post" action="/relays/auth">\(token.field)<span class="relay-name">All of them</span> <button class="button" name="answer" value="once" aria-label="Once, to all">Once</button> <button class="button" name="answer" value="always" aria-label="Always, to all">Always</button> <button class="button quiet" name="answer" value="never" aria-label="Never, to all">Never</button></form>
    """
}
