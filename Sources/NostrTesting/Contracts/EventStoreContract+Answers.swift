internal import NostrCore
internal import NostrStore

extension EventStoreContract {
    static var answering: [Rule] {
        [
            Rule("gives long answers in parts that are together what a query gives") { store, moment in
                var random = RandomEvents(seed: 14, start: moment.now)
                _ = try await store.save((0..<200).map { _ in random.event() }, from: nil)
                for round in 0..<60 {
                    let filters = (0...round % 3).map { _ in random.filter() }
                    let whole = try await store.query(filters).map(\.id)
                    for (bytes, most) in [(1, 1000), (2000, 1000), (5000, 7), (1 << 20, 1000)] {
                        let answer = try await store.answer(filters, bytes: bytes, most: most)
                        try demand(answer.events.map(\.id) + answer.rest, Array(whole.prefix(most)))
                    }
                }
            },
            Rule("answers and counts in steps as in one") { store, moment in
                var random = RandomEvents(seed: 15, start: moment.now)
                _ = try await store.save((0..<120).map { _ in random.event() }, from: nil)
                let always = ReadingLimit { .pause }
                let isNote: @Sendable (Event) -> Bool = { $0.kind == 1 }
                for round in 0..<60 {
                    let filters = (0...round % 3).map { _ in random.filter() }
                    var answer = AnswerReading(filters, bytes: 5000, most: 50)
                    while answer.answer == nil { try await store.read(&answer, until: always) }
                    try demand(answer.answer, try await store.answer(filters, bytes: 5000, most: 50))
                    for (most, test) in [(1000, nil), (1000, isNote), (10, isNote)]
                        as [(Int, (@Sendable (Event) -> Bool)?)]
                    {
                        var count = CountReading(filters, lookingAt: most, where: test)
                        while count.outcome == nil { try await store.read(&count, until: always) }
                        let inOne = try await store.count(filters, lookingAt: most, where: test)
                        try demand(count.outcome, inOne.map { .count($0) } ?? .tooMuch)
                    }
                }
            },
            Rule("holds no more of a long answer than there is room for, and one event in any case") { store, _ in
                let text = String(repeating: "x", count: 1000)
                let events = (0..<50).map { TestPerson.alice.event(text, at: start - $0) }
                _ = try await store.save(events, from: nil)
                try demand(try await store.answer([Filter()], bytes: 1, most: 100).events, [events[0]])
                let some = try await store.answer([Filter()], bytes: 10_000, most: 100)
                try demand(some.events, Array(events.prefix(some.events.count)))
                try demand((2...10).contains(some.events.count), true)
                try demand(some.rest, events.dropFirst(some.events.count).map(\.id))
            },
            Rule("counts what passes a test, and nothing where too much would have to be looked at") { store, _ in
                let events = (0..<30).map { TestPerson.alice.event("\($0)", kind: $0 % 2 == 0 ? 1 : 4, at: start + $0) }
                _ = try await store.save(events, from: nil)
                let isNote: @Sendable (Event) -> Bool = { $0.kind == 1 }
                try demand(try await store.count([Filter()], lookingAt: 30, where: isNote), 15)
                try demand(try await store.count([Filter(limit: 3)], lookingAt: 30, where: isNote), 15)
                try demand(try await store.count([Filter()], lookingAt: 29, where: isNote), nil)
                try demand(try await store.count([Filter(kinds: [4])], lookingAt: 100, where: nil), 15)
                let twice = [Filter(kinds: [4]), Filter(authors: [TestPerson.alice.publicKey])]
                try demand(try await store.count(twice, lookingAt: 100, where: nil), 30)
                try demand(try await store.count(twice, lookingAt: 20, where: nil), nil)
            },
        ]
    }
}
