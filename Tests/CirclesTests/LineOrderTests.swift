import AccountTesting
import Marmot
import NostrCore
import NostrStore
import NostrTesting
import Testing

@testable import Circles
@testable import NostrClient

/// The order of lines that were said within one second.
@Suite(.timeLimit(.minutes(10)))
struct LineOrderTests {
    private let bench = SharingBench()

    @Test(
        "what is said within one second stands in the order it was said in, for all, page by page, and after a restart")
    func withinOneSecond() async throws {
        let said = (1...20).map { "line \($0)" }
        var circle: CircleID?
        try await bench.running { alice, bob, id in
            circle = id
            // Bob is away: then he hears of all at once, in the order of ids, which is none.
            await bob.lock()
            for text in said { try await alice.circles.messaging.send(text, replyTo: nil, in: id) }
            #expect(try await alice.lines(id) == said)
            try await bob.unlock()
            try await bench.mail.eventually("bob has all") { try await bob.lines(id).count == 20 }
            for person in [alice, bob] {
                #expect(try await person.lines(id) == said)
                #expect(try await pages(of: id, for: person, limit: 3) == said)
                #expect(try await person.circles.reader.overview().circles.first?.newest?.body == .text("line 20"))
            }
        }
        let id = try #require(circle)
        for (person, records) in [(TestPerson.alice, bench.aliceRecords), (.bob, bench.bobRecords)] {
            let again = bench.mail.person(person, records: records)
            try await again.unlock()
            #expect(try await again.lines(id) == said)
        }
    }

    @Test("an answer stands behind what it answers, though both are of one second")
    func answers() async throws {
        try await bench.running { alice, bob, id in
            var said: [String] = []
            for turn in 0..<5 {
                for person in [bob, alice] {
                    said.append("\(person.who) \(turn)")
                    try await person.circles.messaging.send(said[said.count - 1], replyTo: nil, in: id)
                    try await bench.mail.eventually("the other has it") {
                        let both = (try await alice.lines(id), try await bob.lines(id))
                        return both.0.count == said.count && both.1.count == said.count
                    }
                }
                bench.pass(2)
            }
            for person in [alice, bob] { #expect(try await person.lines(id) == said) }
            let ahead = try await bob.circles.reader.page(of: id, before: nil, limit: 100).lines.map {
                $0.createdAt.seconds - bench.mail.now.seconds
            }
            #expect(ahead.allSatisfy { $0 <= 5 })
        }
    }

    @Test("there is one order, whatever order lines come in, and a change stands before what was said after it")
    func oneOrder() throws {
        func line(_ id: Int, by author: String, epoch: UInt64, _ generation: UInt32?, isChange: Bool = false)
            -> CircleLineRecord
        {
            var line = CircleLineRecord(
                id: "\(id)", author: author, createdAt: 1, arrivedAt: Int64(id), epoch: epoch, generation: generation)
            if isChange { line.change = CircleLineRecord.Change() }
            return line
        }
        let ordered = [
            line(9, by: "b", epoch: 1, 7), line(8, by: "z", epoch: 2, nil, isChange: true),
            line(6, by: "a", epoch: 2, nil), line(7, by: "a", epoch: 2, nil), line(5, by: "a", epoch: 2, 0),
            line(4, by: "a", epoch: 2, 9), line(3, by: "a", epoch: 2, 10), line(1, by: "b", epoch: 2, 1),
        ]
        var random = SeededRandom(seed: 7)
        for _ in 0..<200 {
            #expect(ordered.shuffled(using: &random).sorted { $0.precedes($1) }.map(\.id) == ordered.map(\.id))
        }
        for (index, one) in ordered.enumerated() {
            for (other, two) in ordered.enumerated() { #expect(one.precedes(two) == (index < other)) }
        }
    }

    @Test("a line that was kept before its place was is still read")
    func oldRecords() throws {
        let old = #"{"id":"01","author":"02","createdAt":3,"arrivedAt":4,"epoch":5,"isAstray":false}"#
        let record = try #require(CircleLineRecord.record(Array(old.utf8)))
        #expect(record.epoch == 5 && record.generation == nil)
    }

    private func pages(of id: CircleID, for person: MailPerson, limit: Int) async throws -> [String] {
        var texts: [String] = []
        var place: MessageCursor?
        repeat {
            let page = try await person.circles.reader.page(of: id, before: place, limit: limit)
            let found = page.lines.compactMap { if case .text(let text) = $0.body { text } else { nil } }
            texts = found + texts
            place = page.older
        } while place != nil
        return texts
    }
}
