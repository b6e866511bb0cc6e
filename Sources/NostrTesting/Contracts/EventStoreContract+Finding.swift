internal import NostrCore
internal import NostrStore

extension EventStoreContract {
    static var finding: [Rule] {
        [
            Rule("answers newest first, and the lower id first within a second") { store, _ in
                let events = (0..<30).map { TestPerson.alice.event("\($0)", at: start + $0 / 5) }
                _ = try await store.save(events.reversed(), from: nil)
                try demand(try await store.query([Filter()]), events.sorted { $0.isListed(before: $1) })
            },
            Rule("gives the newest up to the limit") { store, _ in
                let people = TestPerson.allCases
                let events = (0..<60).map { n in
                    people[Int(n) % people.count].event("\(n)", kind: n % 2 == 0 ? 1 : 6, at: start + n * 7 % 60)
                }
                _ = try await store.save(events, from: nil)
                let sorted = events.sorted { $0.isListed(before: $1) }
                let authors = Set(people.prefix(3).map(\.publicKey))
                for limit in [1, 2, 7, 36, 100] {
                    let home = Filter(authors: authors, kinds: [1, 6], limit: limit)
                    try demand(
                        try await store.query([home]),
                        Array(sorted.filter { authors.contains($0.pubkey) }.prefix(limit)))
                    try demand(try await store.query([Filter(limit: limit)]), Array(sorted.prefix(limit)))
                }
                try demand(try await store.query([Filter(limit: 0)]), [])
                try demand(try await store.query([Filter(limit: -1)]), [])
            },
            Rule("takes since and until as inclusive") { store, _ in
                let events = (0..<10).map { TestPerson.alice.event("\($0)", at: start + $0) }
                _ = try await store.save(events, from: nil)
                let window = Filter(since: Timestamp(seconds: start + 3), until: Timestamp(seconds: start + 5))
                try demand(try await store.query([window]), [events[5], events[4], events[3]])
                try demand(try await store.count([window]), 3)
                let backwards = Filter(since: Timestamp(seconds: start + 5), until: Timestamp(seconds: start + 3))
                try demand(try await store.query([backwards]), [])
                let everything = Filter(since: Timestamp(seconds: .min), until: Timestamp(seconds: .max))
                try demand(try await store.count([everything]), 10)
            },
            Rule("finds kinds of which there are few or many, within a time, also after some were forgotten") {
                store, _ in
                let events = (0..<90).map { n in
                    TestPerson.alice.event("\(n)", kind: n % 9 == 0 ? 7 : n % 10 == 0 ? 6 : 1, at: start + n * 31 % 90)
                }
                _ = try await store.save(events, from: nil)
                var left = events.sorted { $0.isListed(before: $1) }
                for round in 0..<2 {
                    for kinds: Set<Kind> in [[7], [6], [7, 6], [7, 1111], [1], [1, 7], [1111], []] {
                        for (since, until) in [(nil, nil), (20, nil), (nil, 60), (20, 60), (60, 20)]
                            as [(Int64?, Int64?)]
                        {
                            let filter = Filter(
                                kinds: kinds, since: since.map { Timestamp(seconds: start + $0) },
                                until: until.map { Timestamp(seconds: start + $0) }, limit: round == 0 ? nil : 5)
                            let wanted = left.filter { event in
                                kinds.contains(event.kind) && event.createdAt >= filter.since ?? event.createdAt
                                    && event.createdAt <= filter.until ?? event.createdAt
                            }
                            try demand(try await store.query([filter]), Array(wanted.prefix(round == 0 ? 90 : 5)))
                        }
                    }
                    let gone = Set(left.enumerated().filter { $0.offset % 4 == 0 }.map(\.element.id))
                    _ = try await (store as? any EventRemoval)?.forget([Filter(ids: gone)])
                    if store is any EventRemoval { left.removeAll { gone.contains($0.id) } }
                }
            },
            Rule("finds by one-letter tags, all letters together, any value of one") { store, _ in
                let both = TestPerson.alice.event(
                    "1", tags: [["t", "cats"], ["p", TestPerson.bob.publicKey.hex]], at: start)
                let cats = TestPerson.alice.event("2", tags: [["t", "cats"], ["t", "cats"]], at: start + 1)
                let dogs = TestPerson.alice.event("3", tags: [["T", "cats"], ["t", "dogs"]], at: start + 2)
                let second = TestPerson.alice.event(
                    "4", tags: [["t", "x", "cats"], ["title", "cats"]], at: start + 3)
                _ = try await store.save([both, cats, dogs, second], from: nil)
                try demand(try await store.query([Filter(tags: ["t": ["cats"]])]), [cats, both])
                try demand(try await store.query([Filter(tags: ["t": ["cats", "dogs"]])]), [dogs, cats, both])
                try demand(try await store.count([Filter(tags: ["t": ["cats", "dogs"]])]), 3)
                try demand(try await store.query([Filter(tags: ["T": ["cats"]])]), [dogs])
                let person: Set<String> = [TestPerson.bob.publicKey.hex]
                try demand(try await store.query([Filter(tags: ["t": ["cats"], "p": person])]), [both])
                try demand(try await store.query([Filter(tags: ["t": ["cats"]], limit: 1)]), [cats])
            },
            Rule("finds what is said in groups, each once, newest first, without what was deleted") { store, _ in
                let events = (0..<20).map { n in
                    TestPerson.alice.event(
                        "\(n)", kind: n % 3 == 0 ? 9 : 11,
                        tags: n % 5 == 0
                            ? [["h", "one"], ["h", "two"], ["h", "one"]] : [["h", n % 2 == 0 ? "one" : "two"]],
                        at: start + n)
                }
                _ = try await store.save(events, from: nil)
                let gone = [events[10], events[3]]
                let request = TestPerson.alice.event(kind: 5, tags: gone.map { ["e", $0.id.hex] }, at: start + 30)
                _ = try await store.save([request], from: nil)
                let left = Array(events.filter { !gone.contains($0) }.reversed())
                func said(in groups: Set<String>) -> [Event] {
                    left.filter { event in event.tags.contains { $0.name == "h" && groups.contains($0.value ?? "") } }
                }
                for groups: Set<String> in [["one"], ["two"], ["one", "two"], ["three"], ["one", "three"], []] {
                    try demand(try await store.query([Filter(tags: ["h": groups])]), said(in: groups))
                    try demand(
                        try await store.query([Filter(kinds: [9], tags: ["h": groups], limit: 3)]),
                        Array(said(in: groups).filter { $0.kind == 9 }.prefix(3)))
                }
            },
            Rule("finds by long tag values whole") { store, _ in
                let stem = String(repeating: "ä", count: 300)
                let one = TestPerson.alice.event("1", tags: [["r", stem + "1"]], at: start)
                let two = TestPerson.alice.event("2", tags: [["r", stem + "2"]], at: start + 1)
                _ = try await store.save([one, two], from: nil)
                try demand(try await store.query([Filter(tags: ["r": [stem + "1"]])]), [one])
                try demand(try await store.count([Filter(tags: ["r": [stem + "1"]])]), 1)
            },
            Rule("finds addressable events by identifier and author") { store, _ in
                let mine = TestPerson.alice.event("1", kind: 30_023, tags: [["d", "post"]], at: start)
                let theirs = TestPerson.bob.event("2", kind: 30_023, tags: [["d", "post"]], at: start)
                let other = TestPerson.alice.event("3", kind: 30_023, tags: [["d", "else"]], at: start)
                _ = try await store.save([mine, theirs, other], from: nil)
                let filter = Filter(authors: [mine.pubkey], kinds: [30_023], tags: ["d": ["post"]])
                try demand(try await store.query([filter]), [mine])
                try demand(try await store.count([filter]), 1)
            },
            Rule("joins several filters without duplicates, each with its own limit") { store, _ in
                let events = (0..<10).map { TestPerson.alice.event("\($0)", at: start + $0) }
                let reactions = (0..<10).map { TestPerson.bob.event("+", kind: 7, at: start + $0) }
                _ = try await store.save(events + reactions, from: nil)
                let found = try await store.query([
                    Filter(kinds: [1], limit: 3), Filter(kinds: [7], limit: 2),
                    Filter(authors: [events[0].pubkey], limit: 4),
                ])
                let expected = events.suffix(4) + reactions.suffix(2)
                try demand(found, expected.sorted { $0.isListed(before: $1) })
                try demand(try await store.count([Filter(kinds: [1], limit: 3), Filter(limit: 1)]), 20)
            },
            Rule("answers nothing to no filter and to empty lists") { store, _ in
                _ = try await store.save([TestPerson.alice.event("x", tags: [["t", "x"]], at: start)], from: nil)
                let empty = [
                    Filter(ids: []), Filter(authors: []), Filter(kinds: []), Filter(tags: ["t": []]),
                    Filter(authors: [TestPerson.eve.publicKey]),
                ]
                for filter in empty {
                    try demand(try await store.query([filter]), [])
                    try demand(try await store.count([filter]), 0)
                }
                try demand(try await store.query([]), [])
                try demand(try await store.count([]), 0)
            },
            Rule("counts references by kind, each referring event once") { store, _ in
                let (one, two) = (TestPerson.alice.event("1", at: start), TestPerson.alice.event("2", at: start))
                let to = { (id: EventID) in Tag(["e", id.hex, "wss://hint.example"]) }
                let reply = TestPerson.bob.event("r", tags: [to(one.id), to(one.id), to(two.id)], at: start)
                let like = TestPerson.bob.event("+", kind: 7, tags: [to(one.id)], at: start)
                let other = TestPerson.carol.event("+", kind: 7, tags: [to(one.id)], at: start)
                let repost = TestPerson.carol.event("", kind: 6, tags: [to(one.id)], at: start)
                _ = try await store.save([one, two, reply, like, other, repost], from: nil)
                let counts = try await store.referenceCounts(to: [one.id, two.id, like.id], kinds: [1, 7])
                try demand(counts, [one.id: [1: 1, 7: 2], two.id: [1: 1]])
            },
        ]
    }

    static var searching: [Rule] {
        [
            Rule("finds every word of a search, newest first, whatever their case and marks") { store, _ in
                let old = TestPerson.alice.event("Crème BRÛLÉE for José", at: start)
                let new = TestPerson.bob.event("jose eats a creme", at: start + 5)
                let other = TestPerson.bob.event("josephine's cream", at: start + 6)
                _ = try await store.save([new, old, other], from: nil)
                try demand(try await store.query([Filter(search: "JOSÉ creme")]), [new, old])
                try demand(try await store.query([Filter(limit: 1, search: "jose")]), [new])
                try demand(try await store.query([Filter(search: "brulee jose eats")]), [])
                try demand(try await store.query([Filter(search: "jos*")]), [other, new, old])
                try demand(try await store.query([Filter(search: "jose language:en")]), [new, old])
                try demand(try await store.count([Filter(search: "jose")]), 2)
            },
            Rule("finds words in scripts written without spaces") { store, _ in
                let event = TestPerson.alice.event("今日は東京タワーへ行きました", at: start)
                let other = TestPerson.alice.event("京東", at: start)
                _ = try await store.save([event, other], from: nil)
                try demand(try await store.query([Filter(search: "東京")]), [event])
            },
            Rule("finds people by name and notes by content, never by syntax") { store, _ in
                let profile = TestPerson.alice.event(
                    #"{"name":"Ada","display_name":"Countess","about":"engines","picture":"https://x.example/cat.png"}"#,
                    kind: 0, at: start)
                let note = TestPerson.bob.event("Ada wrote of engines", at: start + 1)
                let article = TestPerson.bob.event("body", kind: 30_023, tags: [["title", "Ada"]], at: start + 2)
                let reaction = TestPerson.bob.event("ada", kind: 7, at: start + 3)
                _ = try await store.save([profile, note, article, reaction], from: nil)
                try demand(try await store.query([Filter(search: "ada")]), [article, note, profile])
                try demand(try await store.query([Filter(kinds: [0], search: "ada engines")]), [profile])
                try demand(try await store.query([Filter(kinds: [0, 30_023], search: "ad*")]), [article, profile])
                try demand(try await store.query([Filter(kinds: [1], search: "countess")]), [])
                try demand(try await store.query([Filter(kinds: [0], search: "picture")]), [])
            },
            Rule("finds nothing without a word, and takes no operator from a search") { store, _ in
                _ = try await store.save([TestPerson.alice.event("near or not", at: start)], from: nil)
                for search in ["", "  ", "!?", "\"", "*", "language:en"] {
                    try demand(try await store.query([Filter(search: search)]), [])
                }
                try demand(try await store.query([Filter(search: "near OR nothing")]).count, 0)
                try demand(try await store.query([Filter(search: "\"near\" (not)")]).count, 1)
            },
        ]
    }

    static var watching: [Rule] {
        [
            Rule("tells what was added and removed, after it can be read") { store, _ in
                var changes = await store.changes().makeAsyncIterator()
                let old = TestPerson.alice.event("old", kind: 0, at: start)
                let new = TestPerson.alice.event("new", kind: 0, at: start + 1)
                _ = try await store.save([old], from: nil)
                try demand(await changes.next(), .added(old))
                try demand(try await store.count([Filter(ids: [old.id])]), 1)
                _ = try await store.save([new, old], from: nil)
                try demand(await changes.next(), .removed(old.id))
                try demand(await changes.next(), .added(new))
                let request = TestPerson.alice.event(kind: 5, tags: [["e", new.id.hex]], at: start + 2)
                _ = try await store.save([request], from: nil)
                try demand(await changes.next(), .added(request))
                try demand(await changes.next(), .removed(new.id))
            },
            Rule("drops the oldest for a reader that falls behind, and says so first") { store, _ in
                var changes = await store.changes().makeAsyncIterator()
                let events = (0..<1100).map { TestPerson.alice.event("\($0)", kind: 20_000, at: start) }
                _ = try await store.save(events, from: nil)
                try demand(await changes.next(), .missed)
                for event in events.suffix(1024) { try demand(await changes.next(), .added(event)) }
            },
            Rule("hands a live query the added events that match it") { store, _ in
                let filters = [Filter(kinds: [7]), Filter(kinds: [1], limit: 0, search: "tea")]
                let live = await store.liveQuery(filters)
                let (tea, like) = (
                    TestPerson.alice.event("Tea?", at: start), TestPerson.bob.event("+", kind: 7, at: start)
                )
                _ = try await store.save([TestPerson.alice.event("coffee", at: start), tea, like], from: nil)
                var seen: [StoreChange] = []
                for await change in live {
                    seen.append(change)
                    if seen.count == 2 { break }
                }
                try demand(seen, [.added(tea), .added(like)])
            },
            Rule("ends a stream whose reader is cancelled") { store, _ in
                let changes = await store.changes()
                let reader = Task { for await _ in changes {} }
                reader.cancel()
                await reader.value
            },
        ]
    }
}
