internal import NostrCore
public import NostrStore

/// What every ``/NostrStore/EventStore`` promises.
public enum EventStoreContract {
    /// One promise.
    public typealias Rule = ContractRule<any EventStore>

    /// All promises.
    public static let rules: [Rule] = keeping + deleting + expiring + finding + answering + searching + watching
}

/// 2023-11-14, the moment from which the contract counts.
let start: Int64 = 1_700_000_000

// MARK: - Keeping

extension EventStoreContract {
    private static var keeping: [Rule] {
        [
            Rule("gives an event back exactly as it was") { store, _ in
                let event = TestPerson.alice.event(
                    "Grüße\0\n\"日本\" 👩‍👩‍👧", kind: 1,
                    tags: [["p", TestPerson.bob.publicKey.hex, ""], [], ["x"], ["e", "ABC"], ["t", "a", "b"]], at: start
                )
                try demand(try await store.save([event], from: nil), [.stored])
                try demand(try await store.query([Filter(ids: [event.id])]), [event])
            },
            Rule("keeps an event once and remembers every relay it came from") { store, _ in
                let event = TestPerson.alice.event("hello", at: start)
                let (one, two) = (try RelayURL("wss://one.example"), try RelayURL("wss://two.example"))
                try demand(try await store.save([event, event], from: one), [.stored, .duplicate])
                try demand(try await store.save([event], from: two), [.duplicate])
                try demand(try await store.save([event], from: nil), [.duplicate])
                try demand(try await store.count([Filter()]), 1)
                try demand(try await store.relays(of: event.id), [one, two])
                try demand(try await store.relays(of: TestPerson.bob.event("other").id), [])
            },
            Rule("keeps the newest of a replaceable kind, whatever comes first") { store, _ in
                let old = TestPerson.alice.event("old", kind: 10_002, at: start)
                let new = TestPerson.alice.event("new", kind: 10_002, at: start + 1)
                let others = TestPerson.bob.event("bob", kind: 10_002, at: start)
                try demand(try await store.save([new, others, old], from: nil), [.stored, .stored, .superseded])
                let newer = TestPerson.alice.event("newer", kind: 10_002, at: start + 2)
                try demand(try await store.save([newer], from: nil), [.stored])
                try demand(try await store.query([Filter(kinds: [10_002])]), [newer, others])
            },
            Rule("keeps the lower id of two equally new versions") { store, _ in
                let versions = (0..<4).map { TestPerson.alice.event("\($0)", kind: 0, at: start) }
                for version in versions { _ = try await store.save([version], from: nil) }
                let lowest = versions.map(\.id).min()
                try demand(try await store.query([Filter(kinds: [0])]).map(\.id), [lowest].compactMap(\.self))
                try demand(try await store.query([Filter(kinds: [0])]).count, 1)
            },
            Rule("keeps the newest per identifier of an addressable kind") { store, _ in
                let one = TestPerson.alice.event("1", kind: 30_023, tags: [["d", "one"]], at: start)
                let two = TestPerson.alice.event("2", kind: 30_023, tags: [["d", "two"]], at: start)
                let none = TestPerson.alice.event("3", kind: 30_023, at: start)
                let otherKind = TestPerson.alice.event("4", kind: 30_024, tags: [["d", "one"]], at: start)
                let newer = TestPerson.alice.event("5", kind: 30_023, tags: [["d", "one"]], at: start + 9)
                let empty = TestPerson.alice.event("6", kind: 30_023, tags: [["d", ""]], at: start + 8)
                _ = try await store.save([one, two, none, otherKind, newer, empty], from: nil)
                let kept = try await store.query([Filter()])
                try demand(Set(kept), [newer, two, otherKind, empty])
            },
            Rule("takes identifiers that only look alike for different ones") { store, _ in
                let one = TestPerson.alice.event("1", kind: 30_023, tags: [["d", "\u{E9}"]], at: start)
                let two = TestPerson.alice.event("2", kind: 30_023, tags: [["d", "e\u{301}"]], at: start)
                try demand(try await store.save([one, two], from: nil), [.stored, .stored])
                try demand(try await store.query([Filter(tags: ["d": ["e\u{301}"]])]), [two])
            },
            Rule("passes ephemeral events on without keeping them") { store, _ in
                let event = TestPerson.alice.event("now", kind: 20_001, at: start)
                var changes = await store.changes().makeAsyncIterator()
                try demand(try await store.save([event, event], from: nil), [.ephemeral, .ephemeral])
                try demand(await changes.next(), .added(event))
                try demand(try await store.count([Filter()]), 0)
            },
        ]
    }
}

// MARK: - Deleting

extension EventStoreContract {
    private static var deleting: [Rule] {
        [
            Rule("deletes by id what the same author wrote, and nothing else") { store, _ in
                let mine = TestPerson.alice.event("mine", at: start)
                let theirs = TestPerson.bob.event("theirs", at: start)
                let request = TestPerson.alice.event(
                    kind: 5, tags: [["e", mine.id.hex], ["e", theirs.id.hex], ["e", "junk"]], at: start + 1)
                try demand(
                    try await store.save([mine, theirs, request], from: nil), [.stored, .stored, .stored])
                try demand(try await store.query([Filter()]), [request, theirs])
                try demand(try await store.save([mine], from: nil), [.deleted])
            },
            Rule("keeps an event away whose deletion came first") { store, _ in
                let mine = TestPerson.alice.event("mine", at: start)
                let theirs = TestPerson.bob.event("theirs", at: start)
                let request = TestPerson.alice.event(
                    kind: 5, tags: [["e", mine.id.hex], ["e", theirs.id.hex]], at: start - 5)
                try demand(
                    try await store.save([request, mine, theirs], from: nil), [.stored, .deleted, .stored])
            },
            Rule("deletes by address every version up to the request, also later ones to come") { store, _ in
                let address = "30023:\(TestPerson.alice.publicKey.hex):a:b"
                let versions = (0..<4).map {
                    TestPerson.alice.event("\($0)", kind: 30_023, tags: [["d", "a:b"]], at: start + $0)
                }
                let request = TestPerson.alice.event(kind: 5, tags: [["a", address]], at: start + 2)
                let others = TestPerson.bob.event("bob", kind: 30_023, tags: [["d", "a:b"]], at: start)
                try demand(
                    try await store.save(
                        [versions[1], others, request, versions[0], versions[2], versions[3]], from: nil),
                    [.stored, .stored, .stored, .deleted, .deleted, .stored])
                try demand(Set(try await store.query([Filter(kinds: [30_023])])), [versions[3], others])
            },
            Rule("deletes a replaceable event by its address, by its author only") { store, _ in
                let profile = TestPerson.alice.event("{}", kind: 0, at: start)
                let tag = Tag(["a", "0:\(TestPerson.alice.publicKey.hex):"])
                let forged = TestPerson.bob.event(kind: 5, tags: [tag], at: start + 1)
                try demand(try await store.save([profile, forged], from: nil), [.stored, .stored])
                try demand(try await store.count([Filter(kinds: [0])]), 1)
                _ = try await store.save([TestPerson.alice.event(kind: 5, tags: [tag], at: start + 1)], from: nil)
                try demand(try await store.count([Filter(kinds: [0])]), 0)
            },
            Rule("lets the person a gift wrap is for delete it, before or after it comes, and nobody else") {
                store, _ in
                let wraps = (0..<3).map {
                    TestPerson.eve.event(
                        "wrap \($0)", kind: 1_059, tags: [["p", TestPerson.bob.publicKey.hex]], at: start + $0)
                }
                let named = wraps.prefix(2).map { Tag(["e", $0.id.hex]) }
                let stranger = TestPerson.carol.event(kind: 5, tags: named, at: start + 5)
                let recipient = TestPerson.bob.event(kind: 5, tags: named, at: start + 5)
                try demand(
                    try await store.save([wraps[0], wraps[2], stranger, recipient, wraps[1]], from: nil),
                    [.stored, .stored, .stored, .stored, .deleted])
                try demand(try await store.query([Filter(kinds: [1_059])]), [wraps[2]])
            },
            Rule("does not delete deletions") { store, _ in
                let note = TestPerson.alice.event("note", at: start)
                let request = TestPerson.alice.event(kind: 5, tags: [["e", note.id.hex]], at: start)
                let undo = TestPerson.alice.event(kind: 5, tags: [["e", request.id.hex]], at: start + 1)
                try demand(
                    try await store.save([undo, request, note], from: nil), [.stored, .stored, .deleted])
                try demand(try await store.query([Filter()]), [undo, request])
            },
            Rule("forgets deleted events for search, tags and references") { store, _ in
                let root = TestPerson.bob.event("root", at: start)
                let reply = TestPerson.alice.event("pineapple", tags: [["e", root.id.hex]], at: start)
                let request = TestPerson.alice.event(kind: 5, tags: [["e", reply.id.hex]], at: start)
                _ = try await store.save([root, reply, request], from: nil)
                try demand(try await store.query([Filter(search: "pineapple")]), [])
                try demand(try await store.query([Filter(kinds: [1], tags: ["e": [root.id.hex]])]), [])
                try demand(try await store.referenceCounts(to: [root.id], kinds: [1]), [:])
            },
        ]
    }
}

// MARK: - Expiring

extension EventStoreContract {
    private static var expiring: [Rule] {
        [
            Rule("leaves expired events out of every answer from that second on") { store, moment in
                let root = TestPerson.bob.event("root", at: start)
                let tags: [Tag] = [["expiration", "\(start + 10)"], ["e", root.id.hex]]
                let event = TestPerson.alice.event("soon gone", tags: tags, at: start)
                try demand(try await store.save([event, root], from: nil), [.stored, .stored])
                moment.move(to: Timestamp(seconds: start + 9))
                try demand(try await store.count([Filter(authors: [event.pubkey])]), 1)
                moment.move(to: Timestamp(seconds: start + 10))
                try demand(try await store.query([Filter()]), [root])
                try demand(try await store.query([Filter(ids: [event.id])]), [])
                try demand(try await store.query([Filter(search: "gone")]), [])
                try demand(try await store.count([Filter(authors: [event.pubkey])]), 0)
                try demand(try await store.count([Filter(tags: ["e": [root.id.hex]])]), 0)
                try demand(try await store.referenceCounts(to: [root.id], kinds: [1]), [:])
            },
            Rule("refuses what has expired, and drops what it holds when told") { store, moment in
                let event = TestPerson.alice.event("late", tags: [["expiration", "\(start - 1)"]], at: start - 9)
                try demand(try await store.save([event], from: nil), [.expired])
                let kept = TestPerson.alice.event("kept", tags: [["expiration", "\(start + 5)"]], at: start)
                let forever = TestPerson.alice.event("forever", tags: [["expiration", "never"]], at: start)
                _ = try await store.save([kept, forever], from: nil)
                var changes = await store.changes().makeAsyncIterator()
                moment.move(to: Timestamp(seconds: start + 5))
                try demand(try await store.dropExpired(now: moment.now), 1)
                try demand(await changes.next(), .removed(kept.id))
                try demand(try await store.dropExpired(now: moment.now), 0)
                try demand(try await store.query([Filter()]), [forever])
            },
            Rule("passes ephemeral events on even when they have expired") { store, _ in
                let event = TestPerson.alice.event(kind: 20_000, tags: [["expiration", "1"]], at: start)
                try demand(try await store.save([event], from: nil), [.ephemeral])
            },
            Rule("keeps what an expired deletion request deleted away") { store, moment in
                let note = TestPerson.alice.event("note", at: start)
                let tags: [Tag] = [["e", note.id.hex], ["expiration", "\(start + 1)"]]
                _ = try await store.save([TestPerson.alice.event(kind: 5, tags: tags, at: start)], from: nil)
                moment.move(to: Timestamp(seconds: start + 2))
                try demand(try await store.dropExpired(now: moment.now), 1)
                try demand(try await store.save([note], from: nil), [.deleted])
            },
        ]
    }
}
