import AccountTesting
import Marmot
import NostrCore
import NostrNIPs
import NostrTesting

/// Somebody who knows what a relay has of a circle, and nothing else.
struct Stranger {
    private let attack: CircleUnderAttack
    private var random = SeededRandom(seed: 11)
    /// What members published, to be posted again.
    private let models: [Event]
    private let tag: Tag
    private(set) var posted = 0

    init?(_ attack: CircleUnderAttack) async {
        self.attack = attack
        models = await attack.seen()
        guard let tag = models.last?.tags.first(where: { $0.name == "h" }) else { return nil }
        self.tag = tag
    }

    /// Posts bytes of all sizes, what is cut off or changed, and members' own events as they are and as copies.
    mutating func post(_ count: Int) {
        for number in 0..<count {
            let model = models[Int.random(in: models.indices, using: &random)]
            let sealed = Base64.decode(model.content) ?? []
            switch number % 7 {
            case 0: attack.bench.network.arrive(model, on: CircleUnderAttack.relay)
            case 1: post(sealed)
            case 2: post(Array(sealed.dropLast(Int.random(in: 1...sealed.count, using: &random))))
            case 3: post(sealed.dropLast() + [sealed.last.map { $0 ^ 1 } ?? 0])
            case 4: post(noise(Int.random(in: 0..<28, using: &random)))
            case 5: post(noise(Int.random(in: 28...2000, using: &random)))
            default: post(noise(sealed.count))
            }
        }
    }

    private mutating func noise(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    private mutating func post(_ bytes: [UInt8]) {
        posted += 1
        let draft = EventDraft(
            kind: .groupEvent, tags: [tag, ["encoding", "base64"]], content: Base64.encode(bytes.span),
            createdAt: attack.bench.now + .seconds(Int64.random(in: -60...60, using: &random)))
        let event = Event(signing: draft, with: .generate(using: &random), using: &random)
        attack.bench.network.arrive(event, on: CircleUnderAttack.relay)
    }
}
