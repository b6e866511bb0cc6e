import NostrClient
import NostrCore
import NostrRelay
import NostrStore

/// What Linnet does: its router over what its coverage history measured.
///
/// Each session is a start of the program: what relays gave is known from the sessions before, and how they behave is
/// not, except that those read within the last week are expected back. Of the connections some go to the account's own
/// relays and to an indexer, which holds lists and no notes.
struct LinnetChoice: RelayChoice {
    static let name = "linnet"
    private let population: RelayPopulation
    private let keys: [PublicKey]
    private let addresses: [RelayURL]
    private let numbers: [RelayURL: Int]
    private var router: RelayRouter
    private var records: [String: [UInt8]] = [:]
    private var statistics: [RelayURL: RelayStatistics] = [:]
    private var lastRead: [Int: Double] = [:]
    private var day = 0.0
    private var draws: Draws

    init(_ population: RelayPopulation, connections: Int, seed: UInt64) {
        self.population = population
        self.draws = Draws(state: seed)
        keys = population.people.indices.map { Self.key($0) }
        // The alphabet says nothing of who is popular; ties go by it.
        var shuffle = Draws(state: population.seed ^ 0xA1FA)
        let names = population.relays.indices.shuffled(using: &shuffle)
        addresses = names.map { Self.address("relay\($0)") }
        numbers = Dictionary(uniqueKeysWithValues: addresses.enumerated().map { ($1, $0) })
        let home = population.fallback.map { [addresses] in addresses[$0] }
        var policy = RoutingPolicy(indexers: [Self.address("indexer")] + home.prefix(2), fallback: home)
        policy.connections = connections
        let account = Self.key(keys.count)
        router = RelayRouter(account: account, policy: policy)
        router.lists[account] = PersonRelays(write: home, read: home)
        for (key, person) in zip(keys, population.people) {
            for hint in person.hints { router.hints.note(addresses[hint], for: key, .claimed) }
            guard !person.list.isEmpty else { continue }
            let write = person.list.map { [addresses] in addresses[$0] }
            router.lists[key] = PersonRelays(write: write, read: write)
        }
    }

    mutating func begin(on day: Double) {
        self.day = day
        router.health = RelayHealth()
        statistics = [:]
        for (relay, read) in lastRead where read + 7 >= day {
            statistics[addresses[relay], default: RelayStatistics()].isExpected = true
        }
        router.measured = history.measured(Set(keys))
        router.measured.draws = draws.next()
    }

    mutating func choose() -> [[Int]] { readers(router.readPlan(for: Set(keys), now: now)) }

    mutating func refused(_ relays: Set<Int>) {
        for relay in relays {
            let address = addresses[relay]
            if population.isUp(relay, on: day) {
                router.health.questionEnded(.unauthenticated(.notSigned), at: address, now: now)
            } else {
                statistics[address, default: RelayStatistics()].failures = 1
                statistics[address]?.state = .waiting(retryAfter: .seconds(16))
            }
        }
        router.health.observe(statistics, now: now)
    }

    mutating func learn(_ answers: RelayAnswers) {
        var asked: [Int: [Int]] = [:]
        for (person, relays) in answers.asked.enumerated() {
            for relay in relays { asked[relay, default: []].append(person) }
        }
        var history = history
        for (relay, people) in asked {
            var came: [PublicKey: Int] = [:]
            var again: [PublicKey: Int] = [:]
            for person in people {
                if let heard = history.until(keys[person], at: addresses[relay]) {
                    again[keys[person]] = answers.count(person, at: relay, after: day(heard))
                } else {
                    came[keys[person]] = answers.count(person, at: relay)
                }
            }
            history.count(again, from: addresses[relay])
            history.complete(
                Set(people.map { keys[$0] }), at: addresses[relay], since: moment(answers.start), came: came, now: now)
            lastRead[relay] = day
        }
        for change in history.changes(wanted: Set(keys), now: now) {
            if case .put(_, let key, let value) = change { records[key] = value }
            if case .remove(_, let key) = change { records[key] = nil }
        }
    }

    /// What the last session left on the disk.
    private var history: CoverageHistory {
        CoverageHistory(records: records.map { Record(key: $0, value: $1) }, now: now)
    }

    /// Milliseconds for choosing, the best of some rounds, and for one follow more: the median and the worst of all.
    ///
    /// All that the program does: what was measured, the plan, and the standing questions made of it.
    func timed(rounds: Int) -> (choosing: Double, added: Double, worst: Double) {
        let (everybody, history) = (Set(keys), self.history)
        let clock = ContinuousClock()
        var choosing = Double.infinity
        for _ in 0..<rounds {
            var standing = StandingAuthors()
            let time = clock.measure { _ = ask(everybody, history, after: ReadPlan(), &standing) }
            choosing = min(choosing, time / .milliseconds(1))
        }
        let added = keys.map { key in
            var standing = StandingAuthors()
            let plan = ask(everybody.subtracting([key]), history, after: ReadPlan(), &standing)
            return clock.measure { _ = ask(everybody, history, after: plan, &standing) } / .milliseconds(1)
        }.sorted()
        return (choosing, added[added.count / 2], added.last ?? .infinity)
    }

    /// Plans where some people are read, and what to ask there from now on.
    private func ask(
        _ people: Set<PublicKey>, _ history: CoverageHistory, after plan: ReadPlan, _ standing: inout StandingAuthors
    ) -> ReadPlan {
        let planning = HomePlanning(
            router: router, history: history, draws: router.measured.draws ?? 0, authors: people, current: plan,
            isRecent: !plan.relays.isEmpty, now: now)
        let next = planning.plan().plan
        standing.update(next.relays)
        // What nobody looks at is worked out all the same: it comes from another module.
        _ = standing.requests(Filter(kinds: [0, 1, 5, 6, 10_002], since: now))
        return next
    }

    private var now: Timestamp { moment(day) }

    private func moment(_ day: Double) -> Timestamp { Timestamp(seconds: 1_700_000_000 + Int64(day * 86_400)) }

    private func day(_ moment: Timestamp) -> Double { Double(moment.seconds - 1_700_000_000) / 86_400 }

    private func readers(_ plan: ReadPlan) -> [[Int]] {
        keys.map { key in (plan.assignments[key]?.relays ?? []).compactMap { numbers[$0] } }
    }

    private static func key(_ number: Int) -> PublicKey {
        let digits = String(number, radix: 16)
        let spread = String(UInt64(number) &* 0x9E37_79B9_7F4A_7C15, radix: 16)
        let text = spread + String(repeating: "0", count: 64 - spread.count - digits.count) + digits
        guard let key = try? PublicKey(hex: text) else { preconditionFailure("64 digits are a key") }
        return key
    }

    private static func address(_ name: String) -> RelayURL {
        guard let url = try? RelayURL("wss://\(name).example") else { preconditionFailure("a host is an address") }
        return url
    }
}
