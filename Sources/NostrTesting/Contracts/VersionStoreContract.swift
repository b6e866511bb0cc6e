internal import NostrCore
public import NostrStore

/// What every ``/NostrStore/VersionStore`` promises.
public enum VersionStoreContract {
    /// A store that keeps events and versions of them.
    public typealias Subject = EventStore & VersionStore
    /// One promise.
    public typealias Rule = ContractRule<any Subject>

    /// All promises.
    public static let rules: [Rule] = keeping + forgetting
}

private let alice = TestPerson.alice

private func follows(_ moment: Int64, by person: TestPerson = alice, content: String = "") -> Event {
    person.event(content, kind: 3, tags: [["x", "\(moment)"]], at: start + moment)
}

extension VersionStoreContract {
    private static var keeping: [Rule] {
        [
            Rule("keeps every version of the authors it was told, in whatever order they come") { store, _ in
                try await store.keepVersions(of: [alice.publicKey])
                let lists = [follows(2), follows(0), follows(1)]
                try demand(try await store.save(lists, from: nil), [.stored, .superseded, .superseded])
                _ = try await store.save([lists[1]], from: nil)
                let kept = try await store.versions(of: alice.publicKey, kind: 3, identifier: "")
                try demand(kept, [lists[0], lists[2], lists[1]])
                try demand(try await store.query([Filter(kinds: [3])]), [lists[0]])
                try demand(try await store.version(lists[1].id), lists[1])
                try demand(try await store.versionedAuthors(), [alice.publicKey])
            },
            Rule("gives the lower id first within a second") { store, _ in
                try await store.keepVersions(of: [alice.publicKey])
                let lists = (0..<5).map { follows(0, content: "\($0)") }
                _ = try await store.save(lists, from: nil)
                let kept = try await store.versions(of: alice.publicKey, kind: 3, identifier: "")
                try demand(kept.map(\.id), lists.map(\.id).sorted())
            },
            Rule("takes what is here already for a version, and keeps what others replaced away") { store, _ in
                let old = follows(0)
                let others = [follows(0, by: .bob), follows(1, by: .bob)]
                _ = try await store.save([old, alice.event("a note", at: start)] + others, from: nil)
                try await store.keepVersions(of: [alice.publicKey])
                try await store.keepVersions(of: [TestPerson.carol.publicKey])
                let new = follows(1)
                _ = try await store.save([new], from: nil)
                try demand(try await store.versions(of: alice.publicKey, kind: 3, identifier: ""), [new, old])
                try demand(try await store.versions(of: TestPerson.bob.publicKey, kind: 3, identifier: ""), [])
                try demand(try await store.versionCounts(of: TestPerson.bob.publicKey), [])
                try demand(try await store.version(others[0].id), nil)
                try demand(
                    try await store.versionedAuthors(), [alice.publicKey, TestPerson.carol.publicKey])
            },
            Rule("counts the versions of each address, identifiers byte by byte, notes not at all") { store, _ in
                try await store.keepVersions(of: [alice.publicKey])
                let identifiers = ["\u{E9}", "e\u{301}", "e\u{301}"]
                let sets = identifiers.enumerated().map { index, identifier in
                    alice.event("\(index)", kind: 30_000, tags: [["d", identifier]], at: start + Int64(index))
                }
                _ = try await store.save(sets + [follows(9), follows(8), alice.event("note", at: start)], from: nil)
                try demand(
                    try await store.versionCounts(of: alice.publicKey),
                    [
                        VersionCount(kind: 3, identifier: "", count: 2, newest: Timestamp(seconds: start + 9)),
                        VersionCount(
                            kind: 30_000, identifier: "e\u{301}", count: 2, newest: Timestamp(seconds: start + 2)),
                        VersionCount(
                            kind: 30_000, identifier: "\u{E9}", count: 1, newest: Timestamp(seconds: start)),
                    ])
                try demand(
                    try await store.versions(of: alice.publicKey, kind: 30_000, identifier: "e\u{301}"),
                    [sets[2], sets[1]])
            },
        ]
    }

    private static var forgetting: [Rule] {
        [
            Rule("keeps the versions that their author asked relays to delete") { store, _ in
                try await store.keepVersions(of: [alice.publicKey])
                let lists = [follows(0), follows(1)]
                let request = alice.event(
                    kind: 5, tags: [["a", "3:\(alice.publicKey.hex):"], ["e", lists[0].id.hex]], at: start + 5)
                _ = try await store.save([lists[1], request, lists[0]], from: nil)
                try demand(try await store.query([Filter(kinds: [3])]), [])
                try demand(
                    try await store.versions(of: alice.publicKey, kind: 3, identifier: ""), [lists[1], lists[0]])
            },
            Rule("lets versions go that have expired") { store, moment in
                try await store.keepVersions(of: [alice.publicKey])
                let tags: [Tag] = [["d", "x"], ["expiration", "\(start + 10)"]]
                let draft = alice.event("draft", kind: 31_234, tags: tags, at: start)
                _ = try await store.save([draft], from: nil)
                try demand(try await store.version(draft.id), draft)
                moment.move(to: Timestamp(seconds: start + 10))
                try demand(try await store.version(draft.id), nil)
                try demand(try await store.versionCounts(of: alice.publicKey), [])
                _ = try await store.dropExpired(now: moment.now)
                moment.move(to: Timestamp(seconds: start))
                try demand(try await store.versions(of: alice.publicKey, kind: 31_234, identifier: "x"), [])
            },
            Rule("forgets an author's versions when told, and nobody else's") { store, _ in
                try await store.keepVersions(of: [alice.publicKey, TestPerson.bob.publicKey])
                let others = [follows(0, by: .bob), follows(1, by: .bob)]
                _ = try await store.save([follows(0), follows(1)] + others, from: nil)
                try await store.forgetVersions(of: alice.publicKey)
                _ = try await store.save([follows(2)], from: nil)
                try demand(try await store.versionCounts(of: alice.publicKey), [])
                try demand(try await store.versionedAuthors(), [TestPerson.bob.publicKey])
                try demand(try await store.versionCounts(of: TestPerson.bob.publicKey).map(\.count), [2])
                try demand(try await store.query([Filter(kinds: [3])]).count, 2)
            },
        ]
    }
}
