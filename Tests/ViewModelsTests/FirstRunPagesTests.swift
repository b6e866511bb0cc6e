import NostrClient
import NostrCore
import NostrTesting
import ScreenTesting
import Testing

@testable import ViewModels

/// What the pages of a first run show.
struct FirstRunPagesTests {
    @Test("a relay that took one list and not the other stands once, with what is missing")
    func receipts() throws {
        func receipt(_ name: String, _ state: PublishReceipt.State) throws -> PublishReceipt {
            PublishReceipt(
                relay: try RelayURL("wss://\(name).example"), purpose: .ownWrite, state: state, lastAnswer: nil)
        }
        let (now, next) = (Timestamp(seconds: 5), Timestamp(seconds: 9))
        let items = RelaySelection.onePerRelay([
            try receipt("a", .accepted(now)), try receipt("b", .waiting(attempts: 1, next: next)),
            try receipt("a", .waiting(attempts: 1, next: next)), try receipt("b", .accepted(now)),
            try receipt("c", .accepted(now)), try receipt("c", .accepted(now)),
        ])
        #expect(items.map(\.relay) == ["wss://a.example", "wss://b.example", "wss://c.example"])
        #expect(items.map(\.standing) == [.waiting(next: next), .waiting(next: next), .accepted(now)])
    }

    @Test(
        "a key that was brought shows how many relay lists of those it follows were found, and ends when all were looked for"
    )
    func arrival() {
        var report = ArrivalReport()
        #expect(ArrivalPage(report).rows.allSatisfy { $0.standing == .looking })
        #expect(ArrivalPage(report).progress == nil)
        (report.isLookedUp, report.hasRelays, report.follows, report.relayLists) = (true, true, 400, 312)
        report.lookedUp = 312
        var page = ArrivalPage(report)
        #expect(
            page.rows.map(\.words) == ["found", "none found", "none found", "400 people", "312 of 400 relay lists"])
        #expect(page.summary.contains("312 of 400 relay lists"))
        #expect(!page.isOver && page.progress?.done == 312 && page.progress?.all == 400)
        // Some have no list anywhere: they were looked for, and nothing more comes.
        report.lookedUp = 400
        page = ArrivalPage(report)
        #expect(page.isOver && page.rows.last?.words == "312 of 400 relay lists")
        #expect(page.progress?.done == 400)
    }

    @Test("what was written and received is counted as it comes, and messages still coming in are not said to be here")
    func arrivalCounts() {
        var report = ArrivalReport()
        (report.isLookedUp, report.follows, report.lookedUp, report.relayLists) = (true, 2, 2, 2)
        func last(_ page: ArrivalPage, _ count: Int) -> [String] {
            page.rows.suffix(count).map { "\($0.title): \($0.words), \($0.standing.rawValue)" }
        }
        // A locked account has no messages to count, and nothing is said of notes before there are some.
        #expect(ArrivalPage(report).rows.count == 5)
        report.awaitsNotes = true
        #expect(last(ArrivalPage(report), 1) == ["Your recent notes: looking…, looking"])
        #expect(!ArrivalPage(report).isOver)
        report.notes = 2
        #expect(last(ArrivalPage(report), 1) == ["Your recent notes: 2 notes so far, looking"])
        (report.awaitsNotes, report.notes) = (false, 1)
        var page = ArrivalPage(report, messages: ArrivalPage.Messages(conversations: 0, isAsking: true))
        #expect(
            last(page, 2) == ["Your recent notes: 1 note, found", "Your private messages: looking…, looking"])
        #expect(page.isOver && page.isWaiting && page.summary.contains("still coming in"))
        report.notes = 230
        page = ArrivalPage(report, messages: ArrivalPage.Messages(conversations: 12, isAsking: true))
        #expect(
            last(page, 2) == [
                "Your recent notes: 230 notes, found", "Your private messages: 12 conversations so far, looking",
            ])
        page = ArrivalPage(report, messages: ArrivalPage.Messages(conversations: 12, isAsking: false))
        #expect(last(page, 1) == ["Your private messages: 12 conversations, found"])
        #expect(!page.isWaiting && page.summary.hasPrefix("All that relays hold of you is here."))
        page = ArrivalPage(report, messages: ArrivalPage.Messages(conversations: 0, isAsking: false))
        #expect(last(page, 1) == ["Your private messages: none found, missing"])
    }

    @Test("relays are shown when the search is over, the three fastest that take events chosen")
    func relays() throws {
        func candidate(_ name: String, _ answer: RelaySearch.Candidate.Answer) throws -> RelaySearch.Candidate {
            RelaySearch.Candidate(relay: try RelayURL("wss://\(name).example"), names: 7, answer: answer)
        }
        var search = RelaySearch(phase: .trying, lists: 52)
        for (place, name) in ["a", "b", "c", "d"].enumerated() {
            search.candidates.append(
                try candidate(name, .answered(after: .milliseconds(20 + place), takesEvents: name != "b")))
        }
        search.candidates += [try candidate("gone", .unreachable), try candidate("shut", .refused)]
        #expect(RelaySelection(search).rows.isEmpty && RelaySelection(search).isSearching)
        #expect(RelaySelection(search).sentence == "Trying relays: 6 of 6 so far.")
        search.phase = .over
        let page = RelaySelection(search)
        #expect(page.rows.map(\.name) == ["a.example", "b.example", "c.example", "d.example"])
        #expect(page.rows.map(\.use) == [.both, .none, .both, .both])
        #expect(page.rows.first?.facts == "7 people use it · answers in 20 ms")
        #expect(page.sentence.hasSuffix("2 more did not answer, or answer only people they know."))
        #expect(RelaySelection(nil).isSearching)
    }

    @Test(
        "a first note that says nothing is not published",
        arguments: ["", "#introductions\n\n", " #introductions #nostr "])
    func note(text: String) async {
        let note = await FirstNote(text, of: FakeAccount(FakeWorld()))
        #expect(note.composed == nil && note.problem != nil && note.text == text)
        let full = await FirstNote("#introductions\n\nHello", of: FakeAccount(FakeWorld()))
        #expect(full.composed?.handedOver?.text == "#introductions\n\nHello" && full.problem == nil)
        #expect(FirstNote().text == "#introductions\n\n")
    }
}
