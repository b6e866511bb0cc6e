import NostrClient
import NostrCore
import NostrRelay
import ScreenTesting
import Testing

@testable import ViewModels

@Suite("how much of what relays hold is here")
struct CompletenessItemTests {
    private func coverage(
        _ endings: [String: RelayEnding?], until: [String: Int64] = [:], since: [String: Int64] = [:]
    ) throws -> AuthorCoverage {
        var asked: [RelayURL: RelayEnding?] = [:]
        for (name, ending) in endings { asked.updateValue(ending, forKey: try relay(name)) }
        return AuthorCoverage(
            person: Person(key: FakeAuthor(1).key), asked: asked, received: [:], heardUntil: try moments(until),
            heardSince: try moments(since), basis: .relayList)
    }

    private func relay(_ name: String) throws -> RelayURL { try RelayURL("wss://\(name).example") }

    private func moments(_ seconds: [String: Int64]) throws -> [RelayURL: Timestamp] {
        var moments: [RelayURL: Timestamp] = [:]
        for (name, second) in seconds { moments[try relay(name)] = Timestamp(seconds: second) }
        return moments
    }

    @Test("is all of it where every relay that was asked gave all it holds")
    func complete() throws {
        let item = try #require(
            CompletenessItem(try coverage(["a": .complete, "b": .complete], until: ["a": 9], since: ["a": 1, "b": 5])))
        #expect(item.isComplete && item.sentence == "Both relays gave all they hold.")
        #expect(item.since == Timestamp(seconds: 5) && item.heardUntil == nil)
    }

    @Test("is a part where some did not, and says until when all was here")
    func part() throws {
        let item = try #require(
            CompletenessItem(
                try coverage(["a": .complete, "b": .deadline, "c": nil], until: ["a": 1, "b": 7, "c": 8])))
        #expect(!item.isComplete && item.sentence == "1 of 3 relays gave all they hold.")
        #expect(item.heardUntil == Timestamp(seconds: 7))
    }

    @Test("is what was heard before a restart, until relays are asked; of nobody who was never asked for")
    func restarted() throws {
        let item = try #require(CompletenessItem(try coverage([:], until: ["a": 7, "b": 9])))
        #expect(!item.isComplete && item.sentence == "0 of 2 relays gave all they hold.")
        #expect(item.heardUntil == Timestamp(seconds: 7))
        let nothing = try coverage([:])
        #expect(CompletenessItem(nothing) == nil)
    }

    @Test("of home, counts people")
    func home() throws {
        var home = HomeCompleteness()
        #expect(CompletenessItem(home) == nil)
        home.add(isHeard: true, isInFull: true)
        let whole = try #require(CompletenessItem(home))
        #expect(whole.isComplete)
        home.add(isHeard: true, isInFull: false)
        home.add(isHeard: false, isInFull: false)
        let item = try #require(CompletenessItem(home))
        #expect(!item.isComplete && item.sentence.contains("3 people"))
        #expect(home.inFull == 1 && home.heard == 2)
    }
}
