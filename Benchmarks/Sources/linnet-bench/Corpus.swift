import NostrCore

/// Notes as people write them: kind 1, 500 to 700 bytes of JSON, two to four tags, all signed.
struct Corpus {
    /// Each event as JSON.
    let lines: [ArraySlice<UInt8>]

    /// Draws `count` events of 100 authors; takes about 20 µs each.
    init(count: Int, seed: UInt64) {
        var random = Draws(state: seed)
        let keys = (0..<100).map { _ in Author(key: SecretKey.generate(using: &random)) }
        lines = (0..<count).map { index in
            let author = keys[Int.random(in: 0..<keys.count, using: &random)]
            let draft = EventDraft(
                kind: 1, tags: tags(keys, using: &random), content: words(using: &random),
                createdAt: Timestamp(seconds: 1_700_000_000 + Int64(index)))
            return Event(signing: draft, with: author.key, using: &random).json[...]
        }
    }

    /// The events, parsed.
    func events() throws -> [UnverifiedEvent] {
        try lines.map { try UnverifiedEvent(json: $0.span) }
    }
}

/// A key in an array: keys themselves are not copyable.
final class Author {
    let key: SecretKey

    init(key: consuming SecretKey) {
        self.key = key
    }
}

/// SplitMix64.
struct Draws: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}

private func tags(_ authors: [Author], using random: inout some RandomNumberGenerator) -> [Tag] {
    let other = authors[Int.random(in: 0..<authors.count, using: &random)].key.publicKey.hex
    let id = encodeHex(randomBytes(32, using: &random))
    let all: [Tag] = [
        ["p", other], ["e", id, "wss://relay.example.com", "reply"], ["t", "linnet"], ["client", "some client"],
    ]
    return Array(all.prefix(Int.random(in: 2...4, using: &random)))
}

func words(using random: inout some RandomNumberGenerator) -> String {
    let vocabulary = [
        "the", "note", "relay", "bird", "quietly", "sings", "of", "mornings", "and", "people", "who", "read", "käse",
        "🦜", "\n", "\"quoted\"", "https://example.com/picture.jpg", "日本語",
    ]
    return (0..<Int.random(in: 8...28, using: &random))
        .map { _ in vocabulary[Int.random(in: 0..<vocabulary.count, using: &random)] }.joined(separator: " ")
}
