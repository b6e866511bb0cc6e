import NostrCore

/// Dropping events that were seen before, on one core: the id scan and the look into the set.
let duplicates = Area(name: "duplicates") { setting in
    let lines = Corpus(count: min(setting.events, 20_000), seed: setting.seed).lines
    let frames = lines.map { Array("[\"EVENT\",\"home:1\",".utf8) + $0 + Array("]".utf8) }
    let seen = Set(try lines.map { try UnverifiedEvent(json: $0.span).id })
    return [
        await Measurement.rate(
            "drop-duplicate", what: "frame to known duplicate, one core", count: frames.count, rounds: 15
        ) {
            for frame in frames {
                guard let id = scanEventID(inRelayFrame: frame), seen.contains(id) else {
                    preconditionFailure("the corpus holds only seen events")
                }
            }
        }
    ]
}
