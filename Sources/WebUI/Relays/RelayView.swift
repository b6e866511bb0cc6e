internal import NostrClient
internal import NostrCore
internal import NostrNIPs
internal import ViewModels

/// The main column of the page of one relay.
struct RelayView {
    let page: RelayPage
    /// What went wrong with what was just sent.
    let problem: String?
    let canSign: Bool
    let token: FormToken
    let style: NoteStyle

    private var relay: RelayItem { page.relay }

    var html: HTML {
        """
        <div class="head"><a class="back" href="/relays" aria-label="Relays">\(icon(.back))</a><h1>\(page.title)</h1></div>
        <p class="list-lead relay-address">\(relay.address)</p>
        \(problemLine(problem))
        \(each: page.warnings, { "<p class=\"strip\">\($0)</p>" })
        \(actions)
        \(standing)
        \(inboundLines(page.inbound, at: relay.address, now: style.now))
        \(if: canSign, "\(uses)\(consent)")
        \(if: page.statement == nil, silence, else: said)
        \(if: !page.people.isEmpty, people)
        """
    }

    private var actions: HTML {
        let notes = Path("/relays/notes").with("relay", relay.address)
        let favourite = page.lists.first { $0.kind == .relayFeeds }
        return """
            <div class="relay-actions">\(if: !page.isBlocked, "<a class=\"button\" href=\"\(notes)\">Read its notes</a>")\(some: favourite, {
                form($0, on: "Make it a favourite", off: "No favourite any more")
            })\(some: page.lists.first { $0.kind == .blockedRelays }, {
                form($0, on: "Block this relay", off: "Unblock this relay")
            })</div>
            """
    }

    /// Lists that have a button above.
    private var named: [Kind] { [.relayFeeds, .blockedRelays] }

    private func form(_ list: RelayMembership, on: HTML, off: HTML, label: String? = nil) -> HTML {
        """
        <form method="post" action="/relays/relay/list">\(token.field)\(hidden("relay", relay.address))\(hidden("kind", String(list.kind.rawValue)))\(hidden("d", list.identifier))\(if: list.isOn, hidden("off", "1"))<button class="button quiet"\(some: label, { " aria-label=\"\($0)\"" })>\(if: list.isOn, off, else: on)</button></form>
        """
    }

    // MARK: How it stands

    private var standing: HTML {
        let latency = relay.latency.map { "\($0) ms" } ?? "–"
        return """
            <section aria-labelledby="standing-title"><h2 class="list-title" id="standing-title">How it stands</h2>
            <dl class="figures">
            <div><dt>Answer in</dt><dd>\(latency)</dd></div>
            <div><dt>People read here</dt><dd>\(relay.people)</dd></div>
            <div><dt>Events received</dt><dd>\(spoken(count: relay.events))</dd></div>
            <div><dt>Connections</dt><dd>\(relay.connects)<small>, \(relay.failures) failed</small></dd></div>
            </dl>
            <p class="list-lead"><span class="health is-\(page.health.rawValue)">\(page.health.words)</span>\(some: page.problem, { " · \($0)" })</p>
            \(if: page.health == .awaitsPermission, permission)
            </section>
            """
    }

    private var permission: HTML {
        """
        <form class="relay-actions" method="post" action="/relays/allowed">\(token.field)\(hidden("back", relayPath(relay.address).text))\(relayChoice(relay.address, isAllowed: false))</form>
        """
    }

    private var consent: HTML {
        let back = hidden("back", relayPath(relay.address).text)
        return """
            <section aria-labelledby="consent-title"><h2 class="list-title" id="consent-title">Whether it learns who you are</h2>
            <p class="list-lead">It \(page.consent.words).</p>
            <form class="relay-actions" method="post" action="/relays/auth">\(token.field)\(hidden("relay", relay.address))\(back)\(each: RelayConsent.allCases.filter { $0 != page.consent.answer }, {
                "<button class=\"button quiet\" name=\"answer\" value=\"\($0.rawValue)\">\(consentWords($0))</button>"
            })\(if: page.consent.answer != nil, "<button class=\"button quiet\" name=\"answer\" value=\"revoke\">Take the answer back</button>")</form></section>
            """
    }

    private func consentWords(_ consent: RelayConsent) -> HTML {
        switch consent {
        case .once: "Tell it once"
        case .always: "Always tell it"
        case .never: "Never tell it"
        }
    }

    // MARK: What it is to the person

    private var uses: HTML {
        """
        <section aria-labelledby="uses-title"><h2 class="list-title" id="uses-title">What you use it for</h2>
        <div class="sheet own-list"><ul class="plain own-relays">\(some: page.use, useForm)\(each: page.lists.filter { !named.contains($0.kind) }, listForm)</ul></div></section>
        """
    }

    private func useForm(_ use: OwnRelaysEditor.Use) -> HTML {
        """
        <li><form method="post" action="/relays/own">\(token.field)\(hidden("relay", relay.address))\(hidden("back", relayPath(relay.address).text))<span class="relay-name">Where you write and read<span class="hint">Others see this.</span></span> <span class="field"><select name="use" aria-label="Write and read">\(each: OwnRelaysEditor.Use.allCases, {
            "<option value=\"\($0.rawValue)\"\(flag: "selected", if: $0 == use)>\(useWords($0))</option>"
        })</select></span> <button class="button quiet" aria-label="Change what it is for">Change</button></form></li>
        """
    }

    private func useWords(_ use: OwnRelaysEditor.Use) -> String {
        use == .none && page.use == OwnRelaysEditor.Use.none ? "neither" : use.words
    }

    private func listForm(_ list: RelayMembership) -> HTML {
        """
        <li><span class="relay-list-row"><span class="relay-name">\(list.title)\(if: list.isOn, " <span class=\"chip\">On it</span>")<span class="hint">\(list.lead)\(if: list.isLocked, " A part of this list is closed until you unlock your key.")</span></span>\(form(list, on: "Put it on", off: "Take it off", label: list.isOn ? "Take it off \(list.title)" : "Put it on \(list.title)"))</span></li>
        """
    }

    // MARK: What it says

    private var silence: HTML {
        """
        <section aria-labelledby="said-title"><h2 class="list-title" id="said-title">What it says of itself</h2><p class="list-lead">\(if: page.health == .awaitsPermission, "It was not asked.", else: "Nothing, or it did not answer in time.")</p></section>
        """
    }

    private var said: HTML {
        guard let said = page.statement else { return HTML() }
        return """
            <section aria-labelledby="said-title"><h2 class="list-title" id="said-title">What it says of itself</h2>
            <div class="sheet">\(each: said.paragraphs, { "<p>\($0)</p>" })
            <dl class="relay-facts">
            \(some: said.keeper, { fact("Run by", "<a href=\"\(Path("/people/\($0.key)"))\">\($0.name)</a>") })
            \(if: !said.contact.isEmpty, fact("Contact", "\(said.contact)"))
            \(if: !said.software.isEmpty, fact("Software", "\(said.software)"))
            \(if: !said.rules.isEmpty, fact("Rules", "<ul class=\"plain\">\(each: said.rules, { "<li>\($0)</li>" })</ul>"))
            \(if: !said.fees.isEmpty, fact("Fees", "<ul class=\"plain\">\(each: said.fees, { "<li>\($0)</li>" })</ul>"))
            \(some: said.paymentPage, { fact("Paying", linkOut($0)) })
            \(some: said.terms, { fact("Terms", linkOut($0)) })
            \(if: !said.nips.isEmpty, fact("NIPs", "\(said.nips.map { String($0) }.joined(separator: ", "))"))
            </dl></div></section>
            """
    }

    private func fact(_ name: HTML, _ value: HTML) -> HTML { "<div><dt>\(name)</dt><dd>\(value)</dd></div>" }

    // MARK: Who is read there

    private var people: HTML {
        let more = relay.people - page.people.count
        return """
            <section class="people" aria-labelledby="read-here-title"><h2 class="list-title" id="read-here-title">People read here</h2><ul class="people-list">\(each: page.people, { personRow($0, isOwn: false, style) })</ul>\(if: more > 0, "<p class=\"list-lead\">And \(more) more.</p>")</section>
            """
    }
}
