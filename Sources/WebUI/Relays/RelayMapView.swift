internal import ViewModels

/// Who is read where, as SVG; colours come from the style sheet.
func relayMapView(_ map: RelayMap) -> HTML {
    let side = Int(RelayMap.side)
    return """
        <svg class="relay-chart" role="img" aria-labelledby="map-title map-text" viewBox="0 0 \(side) \(side)"><title id="map-title">Who is read where</title><desc id="map-text">\(map.relays.count) \(if: map.relays.count == 1, "relay", else: "relays") on the inner ring, \(map.people.count) \(if: map.people.count == 1, "person", else: "people") on the outer one, \(map.lines.count) \(if: map.lines.count == 1, "line", else: "lines") from people to the relays they are read from. The tables below say the same.</desc><g class="relay-chart-lines">\(each: map.lines, lineView)</g><g class="relay-chart-people">\(each: map.people, personNode)</g><g class="relay-chart-relays">\(each: map.relays, relayNode)</g></svg>
        """
}

private func standing(_ isComplete: Bool) -> HTML { isComplete ? "is-complete" : "is-open" }

private func lineView(_ line: RelayMap.Line) -> HTML {
    """
    <path class="\(standing(line.isComplete))" d="M\(line.from.x) \(line.from.y)Q\(line.bend.x) \(line.bend.y) \(line.to.x) \(line.to.y)"/>
    """
}

private func personNode(_ person: RelayMap.PersonNode) -> HTML {
    """
    <circle r="3.4" class="\(standing(person.isComplete))" cx="\(person.place.x)" cy="\(person.place.y)"><title>\(person.name)</title></circle>
    """
}

private func relayNode(_ relay: RelayMap.RelayNode) -> HTML {
    // Labels run towards the centre, upright on both halves.
    let isLeft = relay.angle > 90 && relay.angle < 270
    let middle = RelayMap.side / 2
    let start = 185 - relay.radius - 6
    let name = relay.name.count > 24 ? relay.name.prefix(23) + "…" : relay.name[...]
    return """
        <g class="is-\(relay.health.rawValue)"><circle cx="\(relay.place.x)" cy="\(relay.place.y)" r="\((relay.radius * 10).rounded() / 10)"/><text transform="translate(\(middle) \(middle)) rotate(\(relay.angle)) translate(\(start) 0)\(if: isLeft, " rotate(180)")" dy=".35em" text-anchor="\(if: isLeft, "start", else: "end")">\(name)</text></g>
        """
}
