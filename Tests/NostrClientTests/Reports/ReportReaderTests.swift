import AccountTesting
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// What people the account follows reported.
struct ReportReaderTests {
    let bench = AccountBench()
    private let alice = TestPerson.alice
    private let bob = TestPerson.bob
    private let carol = TestPerson.carol
    private let dave = TestPerson.dave
    private let eve = TestPerson.eve

    private func report(_ note: Event, by person: TestPerson, _ reason: String, at moment: Int64 = 0) -> Event {
        person.event(
            kind: 1984, tags: [["e", note.id.hex, reason], ["p", note.pubkey.hex]], at: seconds(moment))
    }

    private func follows(_ people: TestPerson...) -> Event {
        alice.event(kind: 3, tags: people.map { ["p", $0.publicKey.hex] }, at: seconds(-90))
    }

    @Test("each person counts once, by what they said last; the reason of most people stands first")
    func tally() {
        let note = eve.event("buy", at: seconds(-50))
        let events = [
            report(note, by: bob, "spam", at: 5), report(note, by: carol, "spam", at: 4),
            report(note, by: dave, "boring", at: 3), report(note, by: bob, "nudity", at: 2),
            // Another author than the note has: about something else.
            carol.event(kind: 1984, tags: [["e", note.id.hex, "spam"], ["p", dave.publicKey.hex]], at: seconds(1)),
            carol.event(kind: 1984, tags: [["e", note.id.hex, "spam"]], at: seconds(1)),
            carol.event(kind: 7, tags: [["e", note.id.hex, "spam"], ["p", note.pubkey.hex]], at: seconds(1)),
        ]
        let lines = ReportTally(events, of: .event(note.id, by: eve.publicKey)).ranked
        #expect(lines.map(\.reason) == [.spam, nil])
        #expect(lines.map(\.people) == [[bob.publicKey, carol.publicKey], [dave.publicKey]])
        #expect(ReportTally(events, of: .person(eve.publicKey)).ranked.isEmpty)
        #expect(ReportTally([], of: .person(eve.publicKey)).ranked.isEmpty)
    }

    @Test("strangers and muted people say nothing; the account's own report is one")
    func followed() async throws {
        let note = eve.event("buy", at: seconds(-50))
        _ = await bench.store.save(
            [
                follows(bob, carol), note, report(note, by: bob, "spam"), report(note, by: dave, "illegal"),
                report(note, by: carol, "spam"), report(note, by: alice, "spam", at: 1),
                alice.event(kind: 10_000, tags: [["p", carol.publicKey.hex]], at: seconds(-40)),
                bob.event(kind: 1984, tags: [["p", eve.publicKey.hex, "impersonation"]], at: seconds(-9)),
                dave.event(kind: 1984, tags: [["p", bob.publicKey.hex, "spam"]], at: seconds(-9)),
            ], from: nil)
        try await bench.running {
            let reports = try #require(bench.account.reports)
            try await bench.eventually("two count") {
                let groups = try await reports.reports(about: note.id, by: eve.publicKey)
                return groups.map(\.people.count) == [2]
            }
            let groups = try await reports.reports(about: note.id, by: eve.publicKey)
            #expect(groups.first?.reason == .spam && groups.first?.isOwn == true)
            let ofPerson = try await reports.reports(about: eve.publicKey)
            #expect(ofPerson.map(\.reason) == [.impersonation] && ofPerson.first?.isOwn == false)
            let ofBob = try await reports.reports(about: bob.publicKey)
            #expect(ofBob.isEmpty)
        }
    }

    @Test("reports of an article by its address are about every version of it, and not about its author as such")
    func addressed() async throws {
        let article = eve.event("buy", kind: 30_023, tags: [["d", "x"]], at: seconds(-50))
        let place = "30023:\(eve.publicKey.hex):x"
        let older = String(repeating: "a", count: 64)
        _ = await bench.store.save(
            [
                follows(bob, carol, dave), article,
                bob.event(kind: 1984, tags: [["a", place, "spam"], ["p", eve.publicKey.hex]], at: seconds(-9)),
                carol.event(
                    kind: 1984, tags: [["e", older, "spam"], ["a", place], ["p", eve.publicKey.hex]], at: seconds(-8)),
                dave.event(
                    kind: 1984, tags: [["a", place + "y", "spam"], ["p", eve.publicKey.hex]], at: seconds(-7)),
            ], from: nil)
        try await bench.running {
            let reports = try #require(bench.account.reports)
            try await bench.eventually("two count") {
                let groups = try await reports.reports(about: article.id, by: eve.publicKey)
                return groups.map(\.people.count) == [2] && groups.first?.reason == .spam
            }
            #expect(try await reports.reports(about: eve.publicKey).isEmpty)
        }
    }

    @Test("reports by address come with what is gathered around an article in view", .timeLimit(.minutes(10)))
    func addressedGathered() async throws {
        bench.layOutPeople()
        let article = bob.event("rain", kind: 30_023, tags: [["d", "rain"]], at: seconds(-50))
        let place = "30023:\(bob.publicKey.hex):rain"
        bench.network.put(
            [
                bob.event("clouds", at: seconds(-60)),
                carol.event(kind: 1984, tags: [["a", place, "other"], ["p", bob.publicKey.hex]], at: seconds(-40)),
            ],
            on: relay("bob"))
        try await bench.running {
            let reports = try #require(bench.account.reports)
            try await bench.eventually("where bob reads is known") { try await bench.home().count == 1 }
            _ = await bench.store.save([article], from: nil)
            try await bench.eventually("it is there") {
                _ = try await bench.account.timeline.thread(article.id, hints: [])
                return try await reports.reports(about: article.id, by: bob.publicKey).map(\.reason) == [.other]
            }
        }
    }

    @Test(
        "who is followed is named to relays only where strangers' reports may have crowded theirs out",
        .timeLimit(.minutes(10)), arguments: [3, 100])
    func crowded(strangers: Int) async throws {
        bench.layOutPeople()
        let flood = (0..<strangers).map { number in
            dave.event(kind: 1984, tags: [["p", eve.publicKey.hex, "spam"]], at: seconds(Int64(-number - 2)))
        }
        let theirs = bob.event(kind: 1984, tags: [["p", eve.publicKey.hex, "malware"]], at: seconds(-500))
        _ = await bench.store.save(
            [follows(bob), alice.event(kind: 10_002, tags: [["r", "wss://mine.example"]])], from: nil)
        bench.network.put(flood + [theirs], on: relay("mine"))
        try await bench.running {
            let reports = try #require(bench.account.reports)
            try await bench.eventually("it is there") {
                _ = try await bench.account.people.person(eve.publicKey)
                return try await reports.reports(about: eve.publicKey).map(\.reason) == [.malware]
            }
        }
        let asked = bench.network.questions.flatMap(\.filters).filter {
            $0.kinds == [Report.kind] && $0.tags["p"] != nil
        }
        #expect(asked.contains { $0.authors != nil } == (strangers == 100))
    }

    @Test("reports come with what is gathered around notes in view", .timeLimit(.minutes(10)))
    func gathered() async throws {
        bench.layOutPeople()
        let note = bob.event("note", at: seconds(-50))
        bench.network.put([note, report(note, by: carol, "other", at: -40)], on: relay("bob"))
        try await bench.running {
            let reports = try #require(bench.account.reports)
            try await bench.eventually("it is there") {
                _ = try await bench.home()
                return try await reports.reports(about: note.id, by: bob.publicKey).map(\.reason) == [.other]
            }
        }
    }
}
