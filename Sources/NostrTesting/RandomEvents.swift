public import NostrCore

/// Events and filters that a seed decides, over few values, so that rules meet each other often: versions, deletions,
/// expirations, shared tags and words.
public struct RandomEvents: Sendable {
    private var random: SeededRandom
    private let start: Int64
    private var made: [Event] = []

    /// Starts at a seed; moments lie within 300 seconds after `start`.
    public init(seed: UInt64, start: Timestamp) {
        random = SeededRandom(seed: seed)
        self.start = start.seconds
    }

    private static let kinds: [UInt16] = [
        0, 1, 1, 1, 1, 3, 5, 5, 6, 7, 7, 1111, 10_002, 20_001, 30_023, 30_023, 30_078,
    ]
    private static let words = ["tea", "Coffee", "été", "cup", "日本", "rain", "sun", "Ümlaut"]

    /// The next event.
    public mutating func event() -> Event {
        let author = pick(TestPerson.allCases)
        let kind = Kind(pick(Self.kinds))
        let moment = start + Int64.random(in: 0..<300, using: &random)
        let event = author.event(content(of: kind), kind: kind, tags: tags(of: kind), at: moment)
        made.append(event)
        return event
    }

    /// The next filter.
    public mutating func filter() -> Filter {
        var filter = Filter()
        if chance(10) { filter.ids = Set((0..<3).map { _ in pick(made).id }) }
        if chance(40) {
            filter.authors = Set(
                (0...Int.random(in: 0..<4, using: &random)).map { _ in pick(TestPerson.allCases).publicKey })
        }
        if chance(50) {
            filter.kinds = Set((0...Int.random(in: 0..<4, using: &random)).map { _ in Kind(pick(Self.kinds)) })
        }
        if chance(20) { filter.tags["t"] = Set((0..<2).map { _ in pick(Self.words) }) }
        if chance(15) { filter.tags["p"] = [pick(TestPerson.allCases).publicKey.hex] }
        if chance(15) { filter.tags["e"] = Set((0..<3).map { _ in pick(made).id.hex }) }
        if chance(10) { filter.tags["d"] = [pick(["a", "b", ""])] }
        if chance(25) { filter.since = Timestamp(seconds: start + Int64.random(in: 0..<300, using: &random)) }
        if chance(25) { filter.until = Timestamp(seconds: start + Int64.random(in: 0..<300, using: &random)) }
        if chance(60) { filter.limit = Int.random(in: 0..<30, using: &random) }
        if chance(15) {
            filter.search = chance(50) ? pick(Self.words) : pick(Self.words) + " " + pick(Self.words).prefix(2) + "*"
        }
        return filter
    }

    private mutating func content(of kind: Kind) -> String {
        let text = (0..<4).map { _ in pick(Self.words) }.joined(separator: " ")
        return kind == 0 ? "{\"name\":\"\(text)\"}" : text
    }

    private mutating func tags(of kind: Kind) -> [Tag] {
        var tags: [Tag] = []
        if kind.retention == .addressable, chance(90) { tags.append(["d", pick(["a", "b", ""])]) }
        if chance(30) { tags.append(["t", pick(Self.words)]) }
        if chance(30) { tags.append(["p", pick(TestPerson.allCases).publicKey.hex]) }
        if chance(15) { tags.append(["expiration", "\(start + Int64.random(in: 0..<600, using: &random))"]) }
        if !made.isEmpty, chance(kind == 5 ? 90 : 30) {
            let target = pick(made)
            tags.append(["e", target.id.hex])
            if target.kind.retention == .addressable || target.kind.retention == .replaceable, chance(70) {
                let identifier = target.kind.retention == .addressable ? target.tags.firstValue("d") ?? "" : ""
                tags.append(["a", "\(target.kind.rawValue):\(target.pubkey.hex):\(identifier)"])
            }
        }
        return tags
    }

    private mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    private mutating func pick<T>(_ values: [T]) -> T {
        values[Int.random(in: 0..<values.count, using: &random)]
    }
}
