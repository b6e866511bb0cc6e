internal import NostrCore
internal import ViewModels

/// Where a message went, per recipient.
struct MessageReceipts {
    /// The conversation.
    let path: Path
    let id: EventID
    let recipients: [RecipientItem]

    fileprivate var canResend: Bool { recipients.contains { $0.stored < $0.relays.count } }
}

/// Where a message is, for a script to put below it.
func messageReceiptsView(_ receipts: MessageReceipts) -> HTML {
    """
    <section class="talk-receipts" data-receipts-for="\(receipts.id.hex)" aria-label="Where this message is">
    \(if: receipts.recipients.isEmpty, "<p class=\"hint\">There is no record of where this message went: it was not sent from here.</p>")
    \(each: receipts.recipients, recipientView)
    \(if: receipts.canResend, "<p><button class=\"button quiet small\" formaction=\"\(receipts.path)/\(receipts.id.hex)/resend\">Offer it again</button></p>")
    </section>
    """
}

/// The same as a page of its own.
func messageReceiptsPage(_ receipts: MessageReceipts, _ token: FormToken) -> HTML {
    """
    <header class="talk-head"><a class="back is-always" href="\(receipts.path)" aria-label="Back to the conversation">\(icon(.back))</a><div class="talk-title"><h1>Where this message is</h1></div></header>
    <div class="mail-page"><form class="sheet" method="post">\(token.field)\(messageReceiptsView(receipts))</form></div>
    """
}

private func recipientView(_ item: RecipientItem) -> HTML {
    """
    <div class="recipient"><p class="recipient-name">\(feathers(of: item.person.key, .tiny))<span class="name">\(if: item.isOwn, "Your own copy", else: "\(item.person.name)")</span><span class="hint">\(item.stored) of \(item.relays.count)</span></p><p class="hint">\(item.basisSentence)</p><ul class="receipt-list">\(each: item.relays, { receiptLine($0, isPurposeShown: false) })</ul></div>
    """
}
