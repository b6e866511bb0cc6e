internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// An invoice below the text it stands in: what it asks for, and what a person can do with it.
///
/// - Parameter showsCode: whether its code is in it, folded; a page of many notes leads to the invoice's own page.
func invoiceCard(_ item: InvoiceItem, now: Timestamp, showsCode: Bool) -> HTML {
    let page: Path = "/invoices/\(item.text)"
    let code: HTML? = showsCode && item.isOpen(at: now) ? qrCode(item.codeText, title: item.title) : nil
    return """
        <div class="card invoice"><p>\(item.title)</p>\(if: !item.purpose.isEmpty, "<p dir=\"auto\">\(item.purpose)</p>")<p class="hint">\(invoiceEnd(item, now: now))</p>\(if: item.isOpen(at: now), "<p>\(walletLink(item))\(if: code == nil, " <a href=\"\(page)\">Show its code</a>")</p>")\(some: code, foldedCode)</div>
        """
}

private func foldedCode(_ code: HTML) -> HTML {
    "<details><summary>Code for a wallet on another device</summary><div class=\"qr-frame\">\(code)</div></details>"
}

/// The body of an invoice's own page.
func invoicePageView(_ page: InvoicePage, now: Timestamp) -> HTML {
    let item = page.invoice
    return """
        <div class="head"><h1>\(item.title)</h1></div>
        <section class="sheet">\(if: !item.purpose.isEmpty, "<p dir=\"auto\">\(item.purpose)</p>")
        <p>\(invoiceEnd(item, now: now))</p>
        \(if: !item.isReal, "<p class=\"hint\">It asks for coins of a test network, which are worth nothing.</p>")
        \(if: page.isOpen, invoiceCode(page))</section>
        """
}

/// The body of the page of an LNURL: a place that gives invoices, which a wallet asks how much it takes.
func payPlaceView(_ place: PayAddressItem) -> HTML {
    """
    <div class="head"><h1>Pay to <span dir="auto">\(place.text)</span></h1></div>
    <section class="sheet"><p>This is no invoice yet: your wallet asks \(place.text) for one, and you say how much.</p>
    \(some: qrCode("LIGHTNING:\(place.lnurl.uppercased())", title: place.text), { "<div class=\"qr-frame\">\($0)</div>" })
    <p><a class="button main" href="lightning:\(place.lnurl)">Pay with a wallet</a></p>
    <p class="hint">Linnet does not pay, and did not ask this place who it is.</p></section>
    """
}

/// The body of a page for a text that is no invoice.
func invoiceProblemView(_ problem: LightningInvoiceError) -> HTML {
    """
    <div class="head"><h1>No invoice</h1></div>
    <section class="sheet"><p class="problem" role="alert">\(InvoiceWords.problem(problem))</p></section>
    """
}

private func invoiceCode(_ page: InvoicePage) -> HTML {
    """
    \(some: qrCode(page.invoice.codeText, title: page.invoice.title), { "<div class=\"qr-frame\">\($0)</div>" })
    <p>\(walletLink(page.invoice, isMain: true))</p>
    <p class="hint">Linnet does not pay. Your wallet does, when you point it at the code, or when it opens the link.</p>
    <label class="field">Invoice<textarea readonly rows="4" spellcheck="false">\(page.invoice.text)</textarea></label>
    """
}

/// Opens a wallet of this device; the invoice is letters and digits only.
private func walletLink(_ item: InvoiceItem, isMain: Bool = false) -> HTML {
    "<a class=\"\(if: isMain, "button main", else: "button")\" href=\"lightning:\(item.text)\">Pay with a wallet</a>"
}

private func invoiceEnd(_ item: InvoiceItem, now: Timestamp) -> HTML {
    let end: HTML = """
        \(shortMoment(item.expiresAt, now: now))
        """
    return item.isOpen(at: now) ? "Can be paid until \(end)." : "Could be paid until \(end); it cannot any more."
}
