internal import HTTPTypes
internal import Hummingbird
internal import ViewModels

/// The relays: a map, their health, and how complete what one reads is.
func addRelays(to router: some RouterMethods<WebContext>, _ house: House) {
    router.get("/relays") { request, context in
        let desk = try context.requireDesk()
        let state = await desk.relays().send(.opened)
        if case .failed(let trouble) = state.phase { throw trouble }
        let style = house.noteStyle(context)
        let share = state.coverage.isEmpty ? 0 : state.heard * 100 / state.coverage.count
        let full = state.coverage.isEmpty ? 0 : state.fullyHeard * 100 / state.coverage.count
        let values: [String: Any] = [
            "isEmpty": state.relays.isEmpty, "mapHTML": mapHTML(state.map), "hasMap": !state.map.relays.isEmpty,
            "connected": state.connected, "relayCount": state.relays.count, "people": state.coverage.count,
            "heard": state.heard, "share": share, "full": full, "fullyHeard": state.fullyHeard,
            "events": spoken(count: state.relays.reduce(0) { $0 + $1.events }),
            "relays": state.relays.map(relayValues), "hasCoverage": !state.coverage.isEmpty,
            "coverage": state.coverage.map { coverageValues($0, style) },
        ]
        return try await house.page(
            title: "Relays", at: .relays, house.templates.render("relays", values),
            beside: house.templates.render("aside-relays", [:] as [String: Any]), request: request, context: context)
    }
}

private func relayValues(_ relay: RelayItem) -> [String: Any] {
    let words: [RelayItem.Health: String] = [
        .connected: "Connected", .connecting: "Connecting", .resting: "Resting", .failing: "Failing",
        .distrusted: "Not believed", .blocked: "Blocked",
    ]
    var uses: [String] = []
    if relay.isOwnWrite { uses.append("you write") }
    if relay.isOwnRead { uses.append("you read") }
    return [
        "name": relay.name, "health": relay.health.rawValue, "words": words[relay.health] ?? "",
        "people": relay.people, "events": spoken(count: relay.events), "duplicates": spoken(count: relay.duplicates),
        "failures": relay.failures, "unbelieved": relay.unbelieved, "hasUnbelieved": relay.unbelieved > 0,
        "latency": relay.latency.map { "\($0) ms" } ?? "–", "hasProblem": relay.problem != nil,
        "problem": relay.problem ?? "", "hasUses": !uses.isEmpty, "uses": uses.joined(separator: ", "),
    ]
}

private func coverageValues(_ item: CoverageItem, _ style: NoteStyle) -> [String: Any] {
    [
        "person": PersonFields(person: item.person, style: style, isOwn: false), "asked": item.asked,
        "complete": item.complete, "received": item.received, "basis": item.basis,
        "state": item.isComplete ? "full" : (item.complete > 0 ? "part" : "none"),
        "answers": item.answers.map { answer -> [String: Any] in
            [
                "relay": answer.relay, "ending": answer.ending, "isComplete": answer.isComplete,
                "received": answer.received,
            ]
        },
    ]
}

/// The map as SVG; colours come from the style sheet.
private func mapHTML(_ map: RelayMap) -> HTML {
    var html = HTML()
    let side = Int(RelayMap.side)
    html.add(
        markup: "<svg class=\"map\" role=\"img\" aria-labelledby=\"map-title map-text\" viewBox=\"0 0 ")
    html.add(text: "\(side) \(side)")
    html.add(markup: "\"><title id=\"map-title\">Who is read where</title><desc id=\"map-text\">")
    html.add(text: "\(map.relays.count) relays on the inner ring, \(map.people.count) people on the outer one, ")
    html.add(
        text: "\(map.lines.count) lines from people to the relays they are read from. The tables below say the same.")
    html.add(markup: "</desc><g class=\"map-lines\">")
    for line in map.lines {
        html.add(markup: "<path class=\"")
        html.add(text: line.isComplete ? "is-complete" : "is-open")
        html.add(markup: "\" d=\"M")
        html.add(text: "\(line.from.x) \(line.from.y)Q\(line.bend.x) \(line.bend.y) \(line.to.x) \(line.to.y)")
        html.add(markup: "\"/>")
    }
    html.add(markup: "</g><g class=\"map-people\">")
    for person in map.people {
        html.add(markup: "<circle r=\"3.4\" class=\"")
        html.add(text: person.isComplete ? "is-complete" : "is-open")
        html.add(markup: "\" cx=\"")
        html.add(text: "\(person.place.x)")
        html.add(markup: "\" cy=\"")
        html.add(text: "\(person.place.y)")
        html.add(markup: "\"><title>")
        html.add(text: person.name)
        html.add(markup: "</title></circle>")
    }
    html.add(markup: "</g><g class=\"map-relays\">")
    for relay in map.relays { html.add(relayNode(relay)) }
    html.add(markup: "</g></svg>")
    return html
}

private func relayNode(_ relay: RelayMap.RelayNode) -> HTML {
    // Labels run towards the centre, upright on both halves.
    let isLeft = relay.angle > 90 && relay.angle < 270
    let middle = RelayMap.side / 2
    let start = 185 - relay.radius - 6
    var html = HTML()
    html.add(markup: "<g class=\"is-")
    html.add(text: relay.health.rawValue)
    html.add(markup: "\"><circle cx=\"")
    html.add(text: "\(relay.place.x)")
    html.add(markup: "\" cy=\"")
    html.add(text: "\(relay.place.y)")
    html.add(markup: "\" r=\"")
    html.add(text: "\((relay.radius * 10).rounded() / 10)")
    html.add(markup: "\"/><text transform=\"translate(")
    html.add(text: "\(middle) \(middle)) rotate(\(relay.angle)) translate(\(start) 0)")
    html.add(text: isLeft ? " rotate(180)" : "")
    html.add(markup: "\" dy=\".35em\" text-anchor=\"")
    html.add(text: isLeft ? "start" : "end")
    html.add(markup: "\">")
    html.add(text: relay.name.count > 24 ? relay.name.prefix(23) + "…" : relay.name[...])
    html.add(markup: "</text></g>")
    return html
}
