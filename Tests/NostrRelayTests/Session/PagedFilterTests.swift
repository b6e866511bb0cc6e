import NostrCore
import NostrTesting
import Testing

@testable import NostrRelay

@Suite("Paging")
struct PagedFilterTests {
    /// A relay's answer: newest first, cut to the filter's limit and its own cap.
    private static func answer(
        _ filter: Filter, _ stored: [Event], cap: Int, isUntilExclusive: Bool = false
    ) -> [Event] {
        let found = stored.filter {
            filter.matches($0) && !(isUntilExclusive && $0.createdAt == filter.until)
        }.sorted {
            ($1.createdAt, $0.id) < ($0.createdAt, $1.id)
        }
        return Array(found.prefix(min(filter.limit ?? cap, cap)))
    }

    /// Pages until the end; the distinct events and how many pages it took.
    private static func page(
        _ filter: Filter, _ stored: [Event], cap: Int, known: Bool, pageSize: Int = 500,
        isUntilExclusive: Bool = false
    ) -> (Set<EventID>, Int) {
        var paged = PagedFilter(filter, pageSize: pageSize)
        var found: Set<EventID> = []
        for pages in 1...10_000 {
            let request = paged.nextPage(relayLimit: known ? cap : nil)
            for event in answer(request, stored, cap: cap, isUntilExclusive: isUntilExclusive) {
                let isAsked = paged.didReceive(event)
                #expect(isAsked)
                found.insert(event.id)
            }
            if !paged.didEnd(relayLimit: known ? cap : nil) { return (found, pages) }
        }
        Issue.record("paging does not end")
        return (found, 0)
    }

    private static func events(_ count: Int, perSecond: Int) -> [Event] {
        (0..<count).map { TestPerson.bob.event("\($0)", at: 1_700_000_000 + Int64($0 / perSecond)) }
    }

    @Test(
        "all events come, whatever the relay cuts and however many share a second",
        arguments: [
            (1000, 1, 500, true), (1000, 1, 300, false), (700, 7, 100, true), (700, 90, 100, false),
            (650, 1, 130, false), (99, 1, 500, false), (500, 1, 500, true), (0, 1, 500, false),
        ])
    func complete(count: Int, perSecond: Int, cap: Int, known: Bool) {
        let stored = Self.events(count, perSecond: perSecond)
        let (found, pages) = Self.page(Filter(kinds: [1]), stored, cap: cap, known: known)
        #expect(found == Set(stored.map(\.id)))
        #expect(pages <= count / max(cap - perSecond, 1) + 2)
    }

    @Test("a relay that leaves out the second of until loses nothing either", arguments: [true, false])
    func exclusive(known: Bool) {
        let stored = Self.events(700, perSecond: 3)
        let (found, pages) = Self.page(Filter(kinds: [1]), stored, cap: 100, known: known, isUntilExclusive: true)
        #expect(found == Set(stored.map(\.id)))
        #expect(pages <= 10)
        let (newest, _) = Self.page(
            Filter(kinds: [1], limit: 250), stored, cap: 100, known: known, isUntilExclusive: true)
        #expect(newest.isSuperset(of: Self.answer(Filter(kinds: [1]), stored, cap: 250).map(\.id)))
        let crowded = Self.events(900, perSecond: 250)
        #expect(Self.page(Filter(), crowded, cap: 100, known: known, isUntilExclusive: true).0.count >= 350)
    }

    @Test("more events in one second than a page holds cost the rest of that second only")
    func fullSecond() {
        let stored =
            Self.events(300, perSecond: 1)
            + (0..<250).map {
                TestPerson.carol.event("\($0)", at: 1_700_000_150)
            }
        let (found, _) = Self.page(Filter(kinds: [1]), stored, cap: 100, known: true)
        #expect(found.isSuperset(of: stored.prefix(300).filter { $0.createdAt.seconds != 1_700_000_150 }.map(\.id)))
        #expect(found.count >= 300 + 50)
    }

    @Test("a limit counts over all pages", arguments: [1, 20, 100, 101, 250])
    func limit(limit: Int) {
        let stored = Self.events(400, perSecond: 3)
        let (found, pages) = Self.page(Filter(kinds: [1], limit: limit), stored, cap: 100, known: true)
        let newest = Self.answer(Filter(kinds: [1]), stored, cap: limit)
        #expect(found.isSuperset(of: newest.map(\.id)))
        #expect(found.count <= limit + 3)
        #expect(pages <= limit / 90 + 1)
    }

    @Test("one page is enough where the answer cannot go on")
    func single() {
        let stored = Self.events(300, perSecond: 1)
        #expect(Self.page(Filter(ids: Set(stored.map(\.id))), stored, cap: 500, known: false).1 == 1)
        #expect(Self.page(Filter(kinds: [1], search: "x"), stored, cap: 150, known: true).1 == 1)
        #expect(Self.page(Filter(kinds: [1], limit: 0), stored, cap: 150, known: true).1 == 1)
        #expect(Self.page(Filter(since: Timestamp(seconds: 1_700_000_299)), stored, cap: 1, known: true).1 <= 2)
    }

    @Test("a relay that ignores the limit is told apart")
    func tooMany() {
        var paged = PagedFilter(Filter(kinds: [1], limit: 10), pageSize: 500)
        _ = paged.nextPage(relayLimit: nil)
        var taken = 0
        for event in Self.events(150, perSecond: 1) where paged.didReceive(event) { taken += 1 }
        #expect(taken == 110)
    }

    @Test(
        "of whom all came is not asked again, and nobody's newest is lost", arguments: [(100, 1), (100, 40), (130, 3)])
    func replaceable(cap: Int, perSecond: Int) {
        var random = SeededRandom(seed: 7)
        // A third has no list; two kinds of one person lie far apart.
        var stored: [Event] = []
        for number in 0..<300 {
            let person = SecretKey.generate(using: &random)
            let moment = 1_700_000_000 + Int64(number / perSecond)
            let kinds: KeyValuePairs<Kind, Int64> =
                number % 3 == 0 ? [0: moment] : [0: moment, 10_002: moment - 5000]
            for (kind, at) in kinds { stored.append(Self.event(kind, by: person, at: at, &random)) }
        }
        let keys = Set(stored.map(\.pubkey))
        var paged = PagedFilter(Filter(authors: keys, kinds: [0, 10_002]), pageSize: 500)
        var (found, asked): (Set<EventID>, [Set<PublicKey>]) = ([], [])
        for _ in 0..<100 {
            let request = paged.nextPage(relayLimit: nil)
            asked.append(request.authors ?? [])
            for event in Self.answer(request, stored, cap: cap) where paged.didReceive(event) { found.insert(event.id) }
            if !paged.didEnd(relayLimit: nil) { break }
        }
        #expect(found == Set(stored.map(\.id)))
        #expect(!paged.isUntilExclusive)
        for (earlier, later) in zip(asked, asked.dropFirst()) { #expect(later.isSubset(of: earlier)) }
        #expect((asked.last?.count ?? 300) < 200)
    }

    @Test("one question is enough where everything came")
    func allCame() {
        var random = SeededRandom(seed: 7)
        var stored: [Event] = []
        for _ in 0..<120 {
            let person = SecretKey.generate(using: &random)
            stored.append(Self.event(0, by: person, at: 2000, &random))
            stored.append(Self.event(10_002, by: person, at: 1000, &random))
        }
        let filter = Filter(authors: Set(stored.map(\.pubkey)), kinds: [0, 10_002])
        #expect(Self.page(filter, stored, cap: 500, known: false) == (Set(stored.map(\.id)), 1))
    }

    private static func event(
        _ kind: Kind, by person: borrowing SecretKey, at seconds: Int64, _ random: inout SeededRandom
    ) -> Event {
        let draft = EventDraft(kind: kind, content: "{}", createdAt: Timestamp(seconds: seconds))
        return Event(signing: draft, with: person, using: &random)
    }
}
