import NostrClient
import NostrCore
import NostrNIPs
import ScreenTesting
import Testing

@testable import ViewModels

@Suite("what a version changed, in words")
struct ChangeWordsTests {
    private static func people(_ numbers: ClosedRange<UInt8>) -> [ListItem] {
        numbers.map { .person(ProfilePointer(key: FakeAuthor($0).key), petname: nil) }
    }

    private static func event(_ kind: Kind, _ items: [ListItem], content: String = "") -> Event {
        FakeAuthor(1).event(content, kind: kind, tags: items.map(\.tag), at: Timestamp(seconds: 1))
    }

    private static func change(
        added: [ListItem] = [], dropped: [ListItem] = [], fields: [VersionChange.FieldChange] = []
    ) -> VersionChange {
        var change = VersionChange()
        change.added = added
        change.dropped = dropped
        change.fields = fields
        return change
    }

    @Test("counts follows, and warns when most are gone")
    func follows() {
        let all = Self.people(2...200)
        let lost = changeWords(
            Self.change(dropped: Array(all.dropFirst())), from: Self.event(3, all),
            to: Self.event(3, Array(all.prefix(1))))
        #expect(lost == ChangeWords(lines: ["198 follows removed"], lostMost: true))
        let few = changeWords(
            Self.change(added: [all[0]], dropped: [all[1]]), from: Self.event(3, Array(all.dropFirst())),
            to: Self.event(3, [all[0]] + all.dropFirst(2)))
        #expect(few == ChangeWords(lines: ["1 follow removed", "1 follow added"], lostMost: false))
    }

    @Test("tells private entries apart, without their text")
    func hidden() {
        let shown: [ListItem] = [.word("loud")]
        let change = Self.change(added: Self.people(2...6) + [.hashtag("sports")], dropped: shown)
        let words = changeWords(
            change, from: Self.event(.muteList, shown, content: "short"),
            to: Self.event(.muteList, [.hashtag("sports")], content: "longer"))
        #expect(words.lines == ["1 word removed", "1 topic added", "5 private entries added"])
        #expect(!words.lostMost)
    }

    @Test("warns when the private part shrank to less than half")
    func hollow() {
        let words = changeWords(
            Self.change(dropped: Self.people(2...9)),
            from: Self.event(.muteList, [], content: String(repeating: "x", count: 900)),
            to: Self.event(.muteList, [], content: String(repeating: "x", count: 100)))
        #expect(words == ChangeWords(lines: ["8 private entries removed"], lostMost: true))
    }

    @Test(
        "tells fields by their names",
        arguments: [
            ("display_name", "A", "B", "Display name changed from “A” to “B”"),
            ("about", nil, "Hi", "About added: “Hi”"),
            ("picture", "https://a", nil, "Picture removed, was “https://a”"),
            ("x\ny", "1", "2", "Field “x y” changed from “1” to “2”"),
            ("name", "a\u{202E}b", "c\nd", "Name changed from “ab” to “c d”"), ("name", "a", "a", "Name changed"),
        ] as [(String, String?, String?, String)])
    func fields(name: String, before: String?, after: String?, words: String) {
        let change = Self.change(fields: [.init(name: name, before: before, after: after)])
        #expect(changeWords(change, from: Self.event(0, []), to: Self.event(0, [])).lines == [words])
    }

    @Test("has something to say about every version")
    func silent() {
        #expect(changeWords(nil, from: nil, to: Self.event(3, [])).lines == ["The oldest version known here."])
        let none = VersionChange()
        let same = changeWords(none, from: Self.event(3, []), to: Self.event(3, []))
        #expect(same.lines == ["Published again, unchanged."])
        let closed = changeWords(none, from: Self.event(3, [], content: "a"), to: Self.event(3, [], content: "b"))
        #expect(closed.lines == ["The private part changed; unlock your key to see how."])
        var unknown = VersionChange()
        unknown.droppedUnknown = 1
        unknown.addedUnknown = 2
        #expect(
            changeWords(unknown, from: Self.event(3, []), to: Self.event(3, [])).lines
                == ["1 unknown entry removed", "2 unknown entries added"])
    }
}

@Suite("the versions of one thing")
struct VersionsPageTests {
    @Test("restore an earlier one, never the one in force or one that is not there")
    func restores() async throws {
        let account = FakeAccount(.plain(notes: 0))
        let author = FakeAuthor(1)
        let events = [3, 2, 1].map { author.event("", kind: 3, at: Timestamp(seconds: $0)) }
        let versions = events.map {
            EventVersion(
                event: $0, isCurrent: $0.id == events[0].id, change: $0.id == events[2].id ? nil : VersionChange(),
                privatePart: .none)
        }
        let address = EventAddress(kind: 3, author: author.key, identifier: "")
        await account.past?.put(versions, of: address)
        #expect(try await HistoryRow.load(of: account).map(\.title) == ["Follows"])
        let page = try await VersionsPage.load(3, identifier: "", of: account)
        #expect(page.rows.map(\.isCurrent) == [true, false, false])
        await #expect(throws: Trouble.self) { try await page.restore(events[0].id, of: account) }
        let strange = FakeAuthor(5).event("x", at: Timestamp(seconds: 9)).id
        await #expect(throws: Trouble.self) { try await page.restore(strange, of: account) }
        try await page.restore(events[1].id, of: account)
        #expect(await account.past?.restored == [events[1].id])
    }
}
