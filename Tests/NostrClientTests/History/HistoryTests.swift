import AccountTesting
import NostrCore
import NostrNIPs
import NostrSigner
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

private let alice = TestPerson.alice
private let bob = TestPerson.bob
private let carol = TestPerson.carol

private func follows(_ people: Int, at moment: Int64, extra: [NostrCore.Tag] = []) -> Event {
    alice.event(kind: 3, tags: (0..<people).map { ["p", person($0).hex] } + extra, at: moment)
}

/// What changed between two versions, as a value.
struct VersionChangeTests {
    private func change(
        _ old: Event, _ new: Event, _ readings: (PrivateReading, PrivateReading) = (.none, .none)
    ) -> VersionChange {
        VersionChange(
            from: VersionContent(old, readings.0), to: VersionContent(new, readings.1))
    }

    @Test("counts who came and who went, whatever the order and the hints")
    func follows312() {
        let old = follows(400, at: 1)
        let tags = (312..<400).reversed().map { NostrCore.Tag(["p", person($0).hex, "wss://hint.example"]) }
        let new = alice.event(kind: 3, tags: tags + [["p", bob.publicKey.hex], ["x", "1"]], at: 2)
        let change = change(old, new)
        #expect(change.dropped.count == 312)
        #expect(change.added == [.person(ProfilePointer(key: bob.publicKey), petname: nil)])
        #expect(change.addedUnknown == 1)
        #expect(change.droppedUnknown == 0)
        #expect(change.fields.isEmpty)
    }

    @Test("names the fields of a profile that changed, byte by byte")
    func profile() {
        let old = alice.event(#"{"name":"al","about":"x","lud16":"\#u{E9}"}"#, kind: 0, at: 1)
        let new = alice.event(#"{"name":"Alice","lud16":"e\#u{301}","website":"w"}"#, kind: 0, at: 2)
        #expect(
            change(old, new).fields.map { "\($0.name): \($0.before ?? "-") > \($0.after ?? "-")" }
                == ["about: x > -", "lud16: \u{E9} > e\u{301}", "name: al > Alice", "website: - > w"])
        #expect(change(alice.event("no json", kind: 0), new).fields.count == 3)
    }

    @Test("says what a relay is for now, and what a set is called")
    func headings() {
        let old = alice.event(kind: 10_002, tags: [["r", "wss://a.example"], ["r", "wss://b.example", "read"]])
        let new = alice.event(
            kind: 10_002, tags: [["r", "wss://a.example", "write"], ["r", "wss://b.example", "read"]])
        let usage = VersionChange.UsageChange(relay: relay("a"), before: .both, after: .write)
        #expect(change(old, new).usages == [usage] && change(old, new).fields.isEmpty)
        #expect(change(old, new).added.isEmpty)
        let set = alice.event(kind: 30_000, tags: [["d", "x"], ["title", "Old"]])
        let renamed = alice.event(kind: 30_000, tags: [["d", "x"], ["title", "New"]])
        #expect(change(set, renamed).fields.map(\.after) == ["New"])
        #expect(change(set, renamed).addedUnknown == 0)
    }

    @Test("private entries count when both versions could be read, and moving is no change")
    func privateParts() throws {
        let tag = #"["p","\#(bob.publicKey.hex)"]"#
        let hidden = PrivateReading.open(try #require(PrivateItems(json: "[\(tag)]")))
        let open = alice.event(kind: 10_000, tags: [["p", bob.publicKey.hex]])
        let closed = alice.event("sealed", kind: 10_000)
        #expect(change(open, closed, (.none, hidden)) == VersionChange())
        #expect(change(closed, closed, (hidden, .open(PrivateItems()))).dropped.count == 1)
        #expect(change(closed, closed, (hidden, .locked)).dropped.isEmpty)
        #expect(change(open, closed, (.none, .unreadable)).dropped.count == 1)
    }

    @Test("other kinds show their content")
    func content() {
        let change = change(alice.event("a", kind: 30_315), alice.event("b", kind: 30_315))
        #expect(change.fields == [VersionChange.FieldChange(name: "content", before: "a", after: "b")])
    }
}

/// Every version that was seen anywhere is kept, and can be put in force again.
struct HistoryTests {
    let bench = AccountBench()

    private func history() throws -> any VersionHistory { try #require(bench.account.history) }

    @Test("versions that only one relay still has are found, also where another relay has a newer one")
    func gathers() async throws {
        let old = follows(300, at: seconds(-900))
        let middle = follows(200, at: seconds(-500))
        let new = follows(2, at: seconds(-100))
        bench.network.put([old], on: relay("index"))
        bench.network.put([new], on: relay("fallback"))
        bench.network.put([middle, alice.event(kind: 10_002, tags: [["r", "wss://mine.example"]])], on: relay("mine"))
        bench.network.put([alice.event(kind: 10_002, tags: [["r", "wss://mine.example"]])], on: relay("index"))
        let address = EventAddress(kind: 3, author: alice.publicKey, identifier: "")
        try await bench.running {
            try await bench.eventually("all three versions are here") {
                try await history().versions(of: address).map(\.event) == [new, middle, old]
            }
        }
        let versions = try await history().versions(of: address)
        #expect(versions.map(\.isCurrent) == [true, false, false])
        #expect(versions.map { $0.change?.dropped.count } == [198, 100, nil])
        let summary = try await history().histories().first { $0.address == address }
        #expect(summary == HistorySummary(address: address, versions: 3, newest: new.createdAt))
    }

    @Test("a version is put in force again as it was, its private part still encrypted")
    func restores() async throws {
        let content = try await sealed(#"[["word","tea"]]"#)
        let old = alice.event(content, kind: 10_000, tags: [["x", "kept"]], at: seconds(-900))
        let newest = alice.event("", kind: 10_000, at: seconds(50))
        bench.network.put([old, newest], on: relay("fallback"))
        let change = try await bench.account.lists?.change(
            .bookmarks, identifier: "", .add(.hashtag("x"), isPrivate: false))
        _ = await bench.store.save([newest, old], from: nil)
        let event = try await history().restore(old.id)
        #expect(event.tags == old.tags)
        #expect(event.content == old.content)
        #expect(event.createdAt == newest.createdAt + .seconds(1))
        #expect(await bench.account.services.lists.mutes().words == ["tea"])
        let versions = try await history().versions(
            of: EventAddress(kind: 10_000, author: alice.publicKey, identifier: ""))
        #expect(versions.map(\.event) == [event, newest, old])
        #expect(versions.map(\.privatePart) == [.open, .none, .open])
        #expect(versions.first?.change?.added == [.word("tea")])
        // What is in force already needs no new version.
        #expect(try await history().restore(event.id) == event)
        #expect(change != nil)
    }

    @Test("nothing is restored that is not one's own, or without the newest version")
    func refuses() async throws {
        let old = follows(3, at: seconds(-900))
        _ = await bench.store.save([bob.event(kind: 3, at: seconds(-9))], from: nil)
        _ = try await history().histories()
        _ = await bench.store.save([follows(1, at: seconds(-100)), old], from: nil)
        let foreign = await #expect(throws: AccountError.self) {
            try await history().restore(bob.event(kind: 3, at: seconds(-9)).id)
        }
        #expect(foreign?.code == .unknownVersion)
        bench.network.set(relay("fallback"), .dead)
        let unknown = await #expect(throws: AccountError.self) { try await history().restore(old.id) }
        #expect(unknown?.code == .newestUnknown)
        #expect(bench.network.offers.isEmpty)
    }

    @Test("a change keeps what it replaces, also the version that only a relay had")
    func keepsReplaced() async throws {
        let newest = follows(5, at: seconds(-100))
        bench.network.put([newest], on: relay("fallback"))
        let event = try await bench.account.follows.set(bob.publicKey, true)
        let versions = await bench.store.versions(of: alice.publicKey, kind: 3, identifier: "")
        #expect(versions == [event, newest])
    }
}
