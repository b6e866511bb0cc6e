import NostrCore
import NostrTesting
import Testing

@Suite("events as JSON")
struct EventJSONTests {
    @Test("a signed event comes back from its JSON and still verifies")
    func roundTrip() throws {
        let everyControl = String(String.UnicodeScalarView((0...0x7F).compactMap { Unicode.Scalar($0) }))
        let event = TestPerson.alice.event(everyControl + "é 🦜 \u{FFFF}\u{10FFFF}", tags: [["e", "x", ""], [], [""]])
        let parsed = try UnverifiedEvent(json: event.json)
        #expect(parsed == event.unverified)
        #expect(Array(parsed.content.utf8) == Array(event.content.utf8))
        #expect(try Event(verifying: parsed) == event)
    }

    @Test("a batch is verified in the order it came")
    func batch() async throws {
        let good = (0..<150).map { TestPerson.bob.event("\($0)").unverified }
        var batch = good
        batch[3].content = "changed"
        batch[77].signature = good[78].signature
        let results = await verify(batch)
        #expect(results.count == 150)
        for (i, result) in results.enumerated() {
            switch (i, result) {
            case (3, .failure(.wrongID)), (77, .failure(.badSignature)): break
            case (_, .success(let event)): #expect(event.unverified == good[i])
            default: Issue.record("\(i): \(result)")
            }
        }
    }
}
