/// Who follows whom: communities of language and interest, and a few whom everybody knows.
struct FollowGraph: Sendable {
    /// For each person, whom they follow, in the order they began to.
    private(set) var follows: [[Int]]
    /// For each person, who follows them.
    private(set) var followers: [[Int]]

    /// - Parameters:
    ///   - hero: the demo person, who follows `heroFollows` people.
    init(people: [WorldPerson], hero: Int, heroFollows: Int, using dice: inout Dice) {
        follows = []
        followers = Array(repeating: [], count: people.count)
        for person in people {
            let most = people.count - 1
            // Most follow a few dozen, some follow a third of everybody.
            let spread = Int(18 + dice.wait(mean: 38))
            let count = min(most, person.number == hero ? heroFollows : min(spread, max(20, people.count / 2)))
            let chosen = Self.choose(count, for: person, among: people, using: &dice)
            follows.append(chosen)
            for other in chosen { followers[other].append(person.number) }
        }
    }

    /// Draws without putting back: each candidate gets a waiting time by weight, the first ones are taken.
    private static func choose(
        _ count: Int, for person: WorldPerson, among people: [WorldPerson], using dice: inout Dice
    ) -> [Int] {
        let waits = people.filter { $0.number != person.number }.map { other in
            (number: other.number, wait: dice.wait(mean: 1 / attraction(of: other, to: person)))
        }
        return waits.sorted { ($0.wait, $0.number) < ($1.wait, $1.number) }.prefix(count).map(\.number)
    }

    private static func attraction(of other: WorldPerson, to person: WorldPerson) -> Double {
        let shared = other.topics.count { person.topics.contains($0) }
        let sameFavourite = other.topics.first == person.topics.first
        let interest = 1 + 2 * Double(shared) + (sameFavourite ? 4 : 0)
        let language = other.language == person.language ? 5.0 : person.reads(other.language) ? 1.5 : 0.3
        return other.fame * interest * language * (0.4 + min(1, other.notesPerDay))
    }
}
