internal import NostrCore
internal import ViewModels

/// Which of the relays and of the people a page lists: the first row of each.
struct RelaysPlace {
    var relays = 0
    var people = 0
}

/// The main column of the relays.
func relaysView(
    _ page: RelaysPage, at place: RelaysPlace, _ own: OwnRelaysForm, _ lists: RelayLists, _ allowed: AllowedRelaysForm,
    now: Timestamp
) -> HTML {
    """
    <div class="head"><h1>Relays</h1></div>
    <p class="list-lead"><a href="/relays/auth">Relays that ask who you are</a>\(if: lists.questions > 0, " (\(lists.questions) pending)")</p>
    \(if: page.relays.isEmpty, emptyState(
        title: "No relay asked yet", isLooking: true,
        "<p>Once you follow someone, their relays appear here with what each one gives.</p>"), else: ownRelays(page.ownRelays, allowed))
    \(own.view)
    \(if: !lists.rows.isEmpty, otherLists(lists))
    \(if: !page.relays.isEmpty, """
        \(figures(page))
        \(inboundView(page.inbound, now: now))
        \(if: !page.map.relays.isEmpty, mapFigure(page.map))
        \(if: !page.otherRelays.isEmpty, otherRelays(page, at: place, allowed))
        \(if: !page.coverage.isEmpty, coverageView(page.people(from: place.people), at: place))
        """)
    \(if: !allowed.addresses.isEmpty, allowed.list)
    """
}

/// The lists of relays beside where the account writes and reads: what each is for, and how long it is.
private func otherLists(_ lists: RelayLists) -> HTML {
    """
    <section aria-labelledby="relay-lists-title"><h2 class="list-title" id="relay-lists-title">What else relays are for</h2>
    \(each: lists.advice, { "<p class=\"list-lead\">\($0)</p>" })
    <ul class="rows">\(each: lists.rows, listRow)</ul></section>
    """
}

private func figures(_ page: RelaysPage) -> HTML {
    let people = page.coverage.count
    let full = people == 0 ? 0 : page.fullyHeard * 100 / people
    let events = spoken(count: page.relays.reduce(0) { $0 + $1.events })
    return """
        <dl class="figures">
        <div><dt>Relays answering</dt><dd>\(page.connected)<small> of \(page.relays.count)</small></dd></div>
        <div><dt>People heard</dt><dd>\(page.heard)<small> of \(people)</small></dd></div>
        <div><dt>Heard in full</dt><dd>\(full)<small> %</small></dd></div>
        <div><dt>Events received</dt><dd>\(events)</dd></div>
        </dl>
        """
}

private func mapFigure(_ map: RelayMap) -> HTML {
    """
    <figure class="relay-figure">\(relayMapView(map))<figcaption>Every line is a person read from a relay. <span class="key is-complete">sent all it holds</span> <span class="key is-open">slow, refused or not reachable</span></figcaption></figure>
    """
}

private func ownRelays(_ relays: [RelayItem], _ allowed: AllowedRelaysForm) -> HTML {
    """
    <section aria-labelledby="own-relays-title"><h2 class="list-title" id="own-relays-title">Your relays</h2>
    \(if: relays.isEmpty, "<p class=\"list-lead\">None of the relays in use is on a list of yours.</p>", else: relayTable(relays, allowed, "own-relays-title"))
    </section>
    """
}

/// The relays of others, folded away; open where one of them waits for an answer, or a part of them was asked for.
private func otherRelays(_ page: RelaysPage, at place: RelaysPlace, _ allowed: AllowedRelaysForm) -> HTML {
    let (all, part) = (page.otherRelays, page.relays(from: place.relays))
    let failing = all.count { $0.health == .failing }
    let waiting = all.count { $0.awaitsPermission }
    return """
        <section aria-labelledby="relays-title"><h2 class="list-title" id="relays-title">Relays of the people you read</h2>
        <details class="fold"\(flag: "open", if: waiting > 0 || place.relays > 0)><summary>\(all.count) \(if: all.count == 1, "relay", else: "relays")\(if: failing > 0, ", \(failing) failing")\(if: waiting > 0, ", \(waiting) \(if: waiting == 1, "needs", else: "need") permission")</summary>
        \(relayTable(Array(part.rows), allowed, "relays-title"))
        \(rowsLinks(part, "relays") { "/relays?relays=\($0)&people=\(place.people)#relays-title" })
        </details></section>
        """
}

private func relayTable(_ relays: [RelayItem], _ allowed: AllowedRelaysForm, _ title: StaticString) -> HTML {
    var label: HTML = ""
    label.append(literal: title)
    return """
        <div class="table-wrap" tabindex="0" role="group" aria-labelledby="\(label)"><table class="table"><thead><tr><th scope="col">Relay</th><th scope="col">State</th><th scope="col" class="num">People</th><th scope="col" class="num">Events</th><th scope="col" class="num">Repeated</th><th scope="col" class="num">Answer in</th></tr></thead><tbody>
        \(each: relays, { relayRow($0, allowed) })
        </tbody></table></div>
        """
}

private func relayRow(_ relay: RelayItem, _ allowed: AllowedRelaysForm) -> HTML {
    let uses = [relay.isOwnWrite ? "you write" : nil, relay.isOwnRead ? "you read" : nil].compactMap { $0 }
    let latency = relay.latency.map { "\($0) ms" } ?? "–"
    return """
        <tr><th scope="row"><a class="relay-name" href="\(relayPath(relay.address))">\(relay.name)</a>\(if: !uses.isEmpty, "<span class=\"relay-uses\">\(uses.joined(separator: ", "))</span>")\(some: relay.problem, { "<span class=\"relay-problem\">\($0)</span>" })\(if: relay.awaitsPermission, allowed.question(about: relay))</th><td><span class="health is-\(relay.health.rawValue)">\(relay.health.words)</span>\(if: relay.unbelieved > 0, "<span class=\"relay-problem\">\(relay.unbelieved) dropped as forged, unasked for or unreadable</span>")</td><td class="num">\(relay.people)</td><td class="num">\(spoken(count: relay.events))</td><td class="num">\(spoken(count: relay.duplicates))</td><td class="num">\(latency)</td></tr>
        """
}

/// The links to the rows before and after those that are listed.
private func rowsLinks<Row>(_ page: RowsPage<Row>, _ what: HTML, _ path: (Int) -> Path) -> HTML {
    guard page.previous != nil || page.next != nil else { return HTML() }
    return """
        <p class="more">\(some: page.previous, { "<a class=\"button quiet\" href=\"\(path($0))\">Previous \(what)</a> " })\(some: page.next, { "<a class=\"button quiet\" href=\"\(path($0))\">More \(what)</a>" })</p>
        """
}

private func coverageView(_ items: RowsPage<CoverageItem>, at place: RelaysPlace) -> HTML {
    """
    <section aria-labelledby="coverage-title"><h2 class="list-title" id="coverage-title">How complete each person is</h2><p class="list-lead">The least complete come first.</p>
    <ul class="coverage">
    \(each: Array(items.rows), coverageRow)
    </ul>
    \(rowsLinks(items, "people") { "/relays?relays=\(place.relays)&people=\($0)#coverage-title" })
    </section>
    """
}

private func coverageRow(_ item: CoverageItem) -> HTML {
    let state: HTML = item.isComplete ? "full" : (item.complete > 0 ? "part" : "none")
    let path: Path = "/people/\(item.person.key)"
    return """
        <li class="is-\(state)"><details><summary>\(feathers(of: item.person.key, .small, loading: .lazy))<span class="name">\(item.person.name)</span><span class="coverage-figure">\(item.complete) of \(item.asked) \(if: item.asked == 1, "relay", else: "relays") · \(item.received) \(if: item.received == 1, "event", else: "events")</span></summary><p>Relays found through \(item.basis). <a href="\(path)">Open \(item.person.name)</a></p><ul class="plain">\(each: item.answers, {
            "<li class=\"\(if: $0.isComplete, "is-full", else: "is-none")\">\($0.relay): \($0.ending), \($0.received) \(if: $0.received == 1, "event", else: "events")\(some: $0.heardUntil, { "; heard until \(fullMoment($0))" })</li>"
        })</ul></details></li>
        """
}

/// What stands beside the relays: how to read the page.
let relaysAside: HTML = """
    <section class="side"><h2>How to read this</h2><p>Linnet reads each person where they say they publish, from every connected relay that they name. “Heard” means at least one of them sent all it holds; “in full” means all of them did.</p></section>
    <section class="side"><h2>States</h2><ul class="states"><li><span class="health is-connected">Connected</span> answers now</li><li><span class="health is-resting">Resting</span> not needed now</li><li><span class="health is-failing">Failing</span> tried again later</li><li><span class="health is-awaits-permission">Needs permission</span> in a private network; not asked until you allow it</li><li><span class="health is-distrusted">Not trusted</span> much of what it sent was forged, so it is not read for a while; what you write still goes to your own relays</li></ul></section>
    """
