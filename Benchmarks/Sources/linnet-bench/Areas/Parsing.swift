import NostrCore

/// The parser alone, the parser with the id, and writing, on one core.
let parsing = Area(name: "parsing") { setting in
    let lines = Corpus(count: min(setting.events, 20_000), seed: setting.seed).lines
    let events = try lines.map { try UnverifiedEvent(json: $0.span) }
    let parse = try await Measurement.rate("parse", what: "JSON to event, one core", count: lines.count, rounds: 15) {
        for line in lines { _ = try UnverifiedEvent(json: line.span) }
    }
    let identify = try await Measurement.rate(
        "parse-and-id", what: "JSON to event and its hash, one core", count: lines.count, rounds: 10
    ) {
        for line in lines {
            let event = try UnverifiedEvent(json: line.span)
            let id = canonicalID(
                pubkey: event.pubkey, createdAt: event.createdAt, kind: event.kind, tags: event.tags,
                content: event.content)
            precondition(id == event.id)
        }
    }
    let write = await Measurement.rate("write", what: "event to JSON, one core", count: lines.count, rounds: 10) {
        var total = 0
        for event in events { total += event.json.count }
        precondition(total > 0)
    }
    return [parse, identify, write]
}
