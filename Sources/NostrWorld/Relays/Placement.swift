internal import NostrCore
internal import NostrNIPs

/// Decides which relays get and take an event: where its author's list says, and where those it mentions read.
struct Placement: Sendable {
    private let relays: [WorldRelay]
    private let choices: [RelayChoice]
    private let members: [Int: Set<Int>]
    private let numbers: [PublicKey: Int]
    private let now: Timestamp

    init(
        relays: [WorldRelay], choices: [RelayChoice], members: [Int: Set<Int>], people: [WorldPerson], now: Timestamp
    ) {
        self.relays = relays
        self.choices = choices
        self.members = members
        self.now = now
        numbers = Dictionary(uniqueKeysWithValues: people.map { ($0.publicKey, $0.number) })
    }

    /// Who may write to a paid relay.
    func members(of relay: WorldRelay, people: [WorldPerson]) -> Set<PublicKey> {
        Set((members[relay.number] ?? []).map { people[$0].publicKey })
    }

    /// The relays that hold an event at the end of history, by number, in order.
    func relays(for written: Written) -> [Int] {
        let event = written.event
        if event.kind == GiftWrap.kind { return inboxes(of: event) }
        var offered = Set(choices[written.author].writes).union(written.alsoAt)
        if event.kind != 3 {
            for tag in event.tags where tag.name == "p" {
                guard let key = tag.publicKey(at: 1), let person = numbers[key] else { continue }
                offered.formUnion(choices[person].reads)
            }
        }
        if Self.isAboutPeople(event.kind) {
            offered.formUnion(relays.filter { $0.trait == .indexer || $0.trait == .commons }.map(\.number))
        }
        if written.skipsLastIndexer, let last = relays.last(where: { $0.trait == .indexer }) {
            offered.remove(last.number)
        }
        offered.formUnion(written.alsoAt)
        offered.subtract(written.skips)
        return offered.sorted().filter { accepts(event, by: written.author, relays[$0]) }
    }

    /// Where a private message waits: at the inbox of whom it is for; those who name none read it where mentions go.
    private func inboxes(of wrap: Event) -> [Int] {
        let people = wrap.tags.named("p").compactMap { $0.publicKey(at: 1) }.compactMap { numbers[$0] }
        return Set(people.flatMap(inbox)).sorted()
    }

    /// Where somebody's private messages go.
    func inbox(of person: Int) -> [Int] {
        choices[person].inbox.isEmpty ? choices[person].reads : choices[person].inbox
    }

    /// Who has a key, unless it is a stranger to this world.
    func number(of key: PublicKey) -> Int? { numbers[key] }

    private func accepts(_ event: Event, by author: Int, _ relay: WorldRelay) -> Bool {
        switch relay.trait {
        case .silent, .dead: false
        case .inbox: event.kind == GiftWrap.kind
        case .indexer: Self.isAboutPeople(event.kind)
        case .paid: members[relay.number]?.contains(author) == true
        case .pruning(let days):
            Self.isAboutPeople(event.kind) || event.createdAt > now - .seconds(86_400 * days)
        default: true
        }
    }

    static func isAboutPeople(_ kind: Kind) -> Bool {
        kind == 0 || kind == 3 || kind == 10_002 || kind == .directMessageRelays
    }
}
