internal import ViewModels

/// Relays in private networks that others named: which a person allowed, and the question about others.
struct AllowedRelaysForm {
    /// Those allowed.
    let addresses: [String]
    let token: FormToken

    /// Asks whether a relay may be contacted.
    func question(about relay: RelayItem) -> HTML {
        if addresses.contains(relay.address) {
            return "<span class=\"relay-uses\">allowed; Linnet is trying to connect</span>"
        }
        return """
            <form method="post" action="/relays/allowed">\(token.field)<input type="hidden" name="relay" value="\(relay.address)"><button class="button quiet" aria-label="Allow \(relay.name)">Allow</button></form>
            """
    }

    /// Those allowed, each to be taken back.
    var list: HTML {
        """
        <section aria-labelledby="allowed-title"><h2 class="list-title" id="allowed-title">Allowed in private networks</h2><p class="list-lead">Others named these relays, and you let Linnet contact them.</p><ul class="plain">\(each: addresses, { address in
            """
            <li><form method="post" action="/relays/allowed">\(token.field)<input type="hidden" name="relay" value="\(address)"><input type="hidden" name="off" value="1"><span class="relay-name">\(address)</span> <button class="button quiet" aria-label="Take back \(address)">Take back</button></form></li>
            """
        })</ul></section>
        """
    }
}
