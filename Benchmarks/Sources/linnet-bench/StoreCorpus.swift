import Foundation
import NostrCore

/// What a home's store holds: notes of people over a year, with profiles, replies, reactions and reposts.
///
/// Of 100 events 70 are notes, of which a third are replies, 24 reactions, 5 reposts, and one is a profile. Some people
/// write a hundred times as much as others, and events come in the order of time. Where it ``isMixed``, they post what
/// people post today.
struct StoreCorpus {
    /// The year it covers where none is named.
    static let times: ClosedRange<Int64> = 1_700_000_000...1_731_536_000

    let events: Int
    let seed: UInt64
    /// How many write.
    var people = 3000
    /// When they do.
    var span = Self.times
    /// Whether there are pictures, films, polls, articles and payments among it.
    var isMixed = false

    /// Writes all events to a file, one a line, and a fifth of them also to another; returns the authors.
    func write(to file: URL, firstPart few: URL) throws -> [PublicKey] {
        var random = Draws(state: seed)
        let authors = (0..<people).map { _ in Author(key: SecretKey.generate(using: &random)) }
        for url in [file, few] { _ = FileManager.default.createFile(atPath: url.path, contents: nil) }
        let all = try FileHandle(forWritingTo: file)
        let part = try FileHandle(forWritingTo: few)
        var recent: [Event] = []
        var polls: [Event] = []
        var lines: [UInt8] = []
        for index in 0..<events {
            // The square of an even draw: the first people write most.
            let draw = Double.random(in: 0..<1, using: &random)
            let author = authors[Int(draw * draw * Double(authors.count))]
            let moment =
                span.lowerBound + Int64(index) * (span.upperBound - span.lowerBound) / Int64(events)
            let draft =
                isMixed
                ? MixedDrafts(recent: recent, polls: polls, number: index)
                    .draft(at: Timestamp(seconds: moment), using: &random)
                : draft(at: Timestamp(seconds: moment), recent: recent, using: &random)
            let event = Event(signing: draft, with: author.key, using: &random)
            if event.kind == 1 || MixedDrafts.answered.contains(event.kind) {
                if recent.count < 2000 { recent.append(event) } else { recent[index % 2000] = event }
            }
            if event.kind == 1068 {
                if polls.count < 100 { polls.append(event) } else { polls[index % 100] = event }
            }
            lines += event.json + [UInt8(ascii: "\n")]
            if lines.count > 1 << 20 || index == events - 1 {
                try all.write(contentsOf: lines)
                if index < events / 5 { try part.write(contentsOf: lines) }
                lines.removeAll(keepingCapacity: true)
            }
        }
        try all.close()
        try part.close()
        return authors.map { $0.key.publicKey }
    }

    private func draft(
        at moment: Timestamp, recent: [Event], using random: inout some RandomNumberGenerator
    ) -> EventDraft {
        let target = recent.isEmpty ? nil : recent[Int.random(in: 0..<recent.count, using: &random)]
        let pointing = target.map { target in
            [Tag(["e", target.id.hex, "wss://relay.example.com"]), Tag(["p", target.pubkey.hex])]
        }
        switch (Int.random(in: 0..<100, using: &random), pointing) {
        case (0, _):
            let name = words(using: &random).prefix(12)
            return EventDraft(
                kind: 0, content: #"{"name":"\#(name.filter(\.isLetter))","about":"a reader"}"#, createdAt: moment)
        case (1..<25, let tags?):
            return EventDraft(kind: 7, tags: tags, content: "+", createdAt: moment)
        case (25..<30, let tags?):
            return EventDraft(kind: 6, tags: tags, createdAt: moment)
        case (30..<53, let tags?):
            return EventDraft(kind: 1, tags: tags, content: words(using: &random), createdAt: moment)
        default:
            let tags: [Tag] = [["t", "topic\(Int.random(in: 0..<500, using: &random))"]]
            return EventDraft(kind: 1, tags: tags, content: words(using: &random), createdAt: moment)
        }
    }
}
