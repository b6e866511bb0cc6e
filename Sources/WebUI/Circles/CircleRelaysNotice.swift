internal import ViewModels

/// Says that a circle is not reached before the person allows one of its relays, and lets them allow each.
///
/// - Parameter allowed: the addresses that they allowed already.
func circleRelaysNotice(_ state: CircleState, allowed: Set<String>, _ token: FormToken) -> HTML {
    guard let question = state.relayQuestion else { return HTML() }
    let path: Path = "/circles/\(state.word)"
    return """
        <section class="circle-warning" aria-label="Relays of this circle"><p>\(question)</p><form method="post" action="/relays/allowed">\(token.field)\(hidden("back", path.text))\(each: state.unchosenRelays, { relay in
            relayChoice(relay, isAllowed: allowed.contains(relay))
        })</form></section>
        """
}

/// Lets the person allow a relay in a private network, or says that they did; stands in a form that says where to go back.
func relayChoice(_ relay: String, isAllowed: Bool) -> HTML {
    if isAllowed { return "<p class=\"hint\">\(relay) is allowed; Linnet is trying to connect to it.</p>" }
    return """
        <button class="button small relay-allow" formaction="/relays/allowed" name="relay" value="\(relay)">Allow \(relay)</button>
        """
}
