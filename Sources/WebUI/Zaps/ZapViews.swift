internal import ViewModels

/// What was paid for a note, below it on its own page.
func zapsView(_ zaps: ZapsItem) -> HTML {
    let rest = zaps.count - zaps.largest.count
    return """
        <section class="zaps" id="zaps" aria-labelledby="zaps-title"><h2 id="zaps-title">\(icon(.zap))\(zaps.words)</h2>
        <ul>\(each: zaps.largest, zapRow)</ul>
        \(if: rest > 0, "<p class=\"hint\">And \(rest) smaller ones.</p>")
        <p class="hint">Only receipts that the recipient's wallet signed for this very note are counted.</p></section>
        """
}

private func zapRow(_ payment: ZapsItem.Payment) -> HTML {
    let name: HTML =
        if let person = payment.person {
            "<a href=\"\("/people/\(person.key)" as Path)\">\(person.name)</a>"
        } else {
            "Somebody"
        }
    return """
        <li><span class="zap-amount">\(payment.amount)</span> \(name)\(if: !payment.comment.isEmpty, "<span class=\"zap-comment\" dir=\"auto\">\(payment.comment)</span>")</li>
        """
}

/// Where a person is paid: a link for a wallet on this device, and a code for one on another.
func payAddressView(_ place: PayAddressItem) -> HTML {
    """
    <details class="pay-address"><summary>\(icon(.zap))\(place.text)</summary>
    \(some: qrCode("lightning:\(place.lnurl.uppercased())", title: place.text), { "<div class=\"qr-frame\">\($0)</div>" })
    <p><a class="button" href="lightning:\(place.lnurl)">Pay with a wallet</a></p>
    <p class="hint">Linnet does not pay. Your wallet does, when you point it at the code, or when it opens the link. Nobody checked that the money reaches this person.</p></details>
    """
}
