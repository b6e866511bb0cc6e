/// Recall as nostrability/outbox measured it, to compare the population with what others saw.
///
/// Each relay was asked once for each 50 of those who name it, without going on where its answer was cut off, and what
/// exists is what came so of all relays of a list; people count half of whose relays answered. Relays that cannot be
/// read keep their connections, as no method learns of them. Source: `relay-pool.ts`, `baseline.ts` and `verify.ts` there.
struct PublishedMeasure {
    /// What strfry gives at most for a filter, as it is delivered.
    ///
    /// Source: `strfry.conf`, `maxFilterLimit`.
    private static let answer = 500
    private static let batch = 50
    private let population: RelayPopulation
    private let window: Double
    private let day = RelayPopulation.today
    /// For each relay the oldest day each person's notes came from.
    private var oldest: [Int: [Int: Double]] = [:]

    init(_ population: RelayPopulation, window: Double) {
        (self.population, self.window) = (population, window)
        var writers: [Int: [Int]] = [:]
        for (number, person) in population.people.enumerated() {
            for relay in person.list { writers[relay, default: []].append(number) }
        }
        for (relay, people) in writers where isRead(relay) {
            for start in stride(from: 0, to: people.count, by: Self.batch) {
                let part = people[start..<min(start + Self.batch, people.count)]
                let moments = part.flatMap { days(of: $0, at: relay) }.sorted(by: >)
                let cut = moments.count > Self.answer ? moments[Self.answer - 1] : -.infinity
                for person in part { oldest[relay, default: [:]][person] = cut }
            }
        }
    }

    func recall<Method: RelayChoice>(_ method: Method.Type, seed: UInt64) -> Double {
        var method = Method(population, connections: 20, seed: seed)
        method.begin(on: day)
        let readers = method.choose()
        var (found, all) = (0, 0)
        for (number, person) in population.people.enumerated() where !person.list.isEmpty {
            guard person.list.count(where: isRead) * 2 >= person.list.count else { continue }
            all += count(number, at: person.list)
            found += count(number, at: readers[number])
        }
        return Double(found) / Double(max(all, 1))
    }

    private func isRead(_ relay: Int) -> Bool {
        population.relays[relay].isReadable && population.isUp(relay, on: day)
    }

    private func days(of number: Int, at relay: Int) -> [Double] {
        let person = population.people[number]
        guard let place = person.places.firstIndex(of: relay) else { return [] }
        let start = max(day - window, day - population.relays[relay].keptDays)
        return person.notes(after: start, on: day).filter { $0.places & 1 << UInt64(place) != 0 }.map(\.day)
    }

    private func count(_ number: Int, at relays: [Int]) -> Int {
        let person = population.people[number]
        let places = relays.compactMap { relay -> (bit: UInt64, oldest: Double)? in
            guard let cut = oldest[relay]?[number], let place = person.places.firstIndex(of: relay) else { return nil }
            return (1 << UInt64(place), max(cut, day - population.relays[relay].keptDays))
        }
        return person.notes(after: day - window, on: day).count { note in
            places.contains { note.places & $0.bit != 0 && note.day >= $0.oldest }
        }
    }
}
