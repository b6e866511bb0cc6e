import AccountTesting
import NostrCore
import NostrTesting
import Testing

@testable import NostrClient

/// Filters of a standing subscription that change little.
struct StandingAuthorsTests {
    let one = relay("one")
    let pattern = Filter(kinds: [1])

    @Test("every author wanted is in exactly one filter, few others are, and filters stay few", arguments: 0..<20)
    func property(seed: Int) {
        var random = SeededRandom(seed: UInt64(seed))
        var standing = StandingAuthors()
        var wanted: Set<PublicKey> = []
        for _ in 0..<60 {
            for _ in 0..<Int.random(in: 0...40, using: &random) {
                wanted.insert(person(Int.random(in: 0..<2000, using: &random)))
            }
            if Int.random(in: 0..<4, using: &random) == 0, let one = wanted.sorted().first { wanted.remove(one) }
            standing.update([one: wanted])
            let filters = standing.requests(pattern)[one] ?? []
            let authors = filters.flatMap { $0.authors ?? [] }
            #expect(Set(authors).count == authors.count)
            #expect(wanted.isSubset(of: authors))
            #expect(authors.count - wanted.count <= 20)
            #expect(filters.allSatisfy { ($0.authors?.count ?? 0) <= 200 && $0.kinds == [1] })
            #expect(filters.count <= wanted.count / 100 + 10)
        }
    }

    @Test("authors who come in many small steps are sent again few times")
    func resent() {
        var standing = StandingAuthors()
        var sent = 0
        var known: Set<Filter> = []
        for count in stride(from: 30, through: 3000, by: 30) {
            standing.update([one: Set((0..<count).map(person))])
            let filters = Set(standing.requests(pattern)[one] ?? [])
            sent += filters.subtracting(known).reduce(0) { $0 + ($1.authors?.count ?? 0) }
            known = filters
        }
        #expect(sent <= 3 * 3000)
    }

    @Test("a relay that is no longer wanted is left")
    func left() {
        var standing = StandingAuthors()
        standing.update([one: [person(1)]])
        standing.update([:])
        #expect(standing.requests(pattern).isEmpty)
    }
}
