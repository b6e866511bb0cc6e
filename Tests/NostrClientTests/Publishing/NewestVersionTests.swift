import AccountTesting
import NostrCore
import NostrNIPs
import NostrRelay
import NostrStore
import NostrTesting
import Testing

@testable import NostrClient

/// Whether enough relays answered to replace a list.
@Suite("The newest version of a list")
struct NewestVersionTests {
    private static let address = EventAddress(kind: 10_002, author: TestPerson.alice.publicKey, identifier: "")

    /// One situation: who is asked, who gives all it has, who is gone, and whether that is enough.
    struct Case: Sendable, CustomTestStringConvertible {
        var own: [String]
        var others: [String] = ["index"]
        var complete: [String]
        var gone: [String] = []
        var knowsRelays = true
        var isCertain: Bool

        var testDescription: String { "own \(own), others \(others), complete \(complete), gone \(gone)" }
    }

    @Test(
        "two relays must answer, one of the account's own among them; who is gone is not waited for",
        arguments: [
            Case(own: ["a", "b"], complete: ["a", "index"], isCertain: true),
            Case(own: ["a", "b"], complete: ["a", "b"], isCertain: true),
            Case(own: ["a", "b"], complete: ["a"], isCertain: false),
            Case(own: ["a", "b"], complete: ["index"], isCertain: false),
            Case(own: ["a"], others: [], complete: ["a"], isCertain: true),
            Case(own: ["a", "dead"], others: [], complete: ["a"], isCertain: false),
            Case(own: ["a", "dead"], others: [], complete: ["a"], gone: ["dead"], isCertain: true),
            // The indexer may be back in a minute: it still counts.
            Case(own: ["a", "dead"], complete: ["a"], gone: ["dead"], isCertain: false),
            Case(own: ["a", "dead"], complete: ["a"], gone: ["dead", "index"], isCertain: true),
            // Gone is not forgotten: what it says counts when it speaks.
            Case(own: ["dead"], complete: ["dead", "index"], gone: ["dead"], isCertain: true),
            // All of the account's own are gone: indexers stand in, two where there are two.
            Case(own: ["dead"], others: ["i", "j"], complete: ["i", "j"], gone: ["dead"], isCertain: true),
            Case(own: ["dead"], others: ["i", "j"], complete: ["i"], gone: ["dead"], isCertain: false),
            Case(own: ["dead"], others: [], complete: [], gone: ["dead"], isCertain: false),
            // Nobody knows yet where the account writes.
            Case(own: ["a"], complete: ["a"], knowsRelays: false, isCertain: false),
            Case(own: ["a", "b"], complete: ["a", "b"], gone: ["index"], knowsRelays: false, isCertain: false),
        ])
    func rule(situation: Case) {
        var newest = NewestVersion(
            own: situation.own.map { relay($0) }, others: situation.others.map { relay($0) }, stored: nil,
            address: Self.address)
        for name in situation.complete { newest.receive(.ended(relay(name), .complete)) }
        for name in situation.own where !situation.complete.contains(name) {
            newest.receive(.ended(relay(name), .failed(.unreachable)))
        }
        newest.gone = Set(situation.gone.map { relay($0) })
        #expect(newest.isCertain(knowsRelays: situation.knowsRelays) == situation.isCertain)
        guard !situation.isCertain else { return }
        let failure = newest.failure(of: 10_002)
        #expect(failure.count == situation.complete.count)
        #expect(failure.missing.count == (failure.total ?? 0) - (failure.count ?? 0))
    }

    private static let day: Int64 = 86_400
    private let living = relay("living")
    private let dead = relay("dead")

    private func moment(_ day: Int64) -> Timestamp { Timestamp(seconds: AccountBench.start + day * Self.day) }

    @Test("a relay that never answered is gone after three days on which another answered, counted once a day")
    func newcomer() async throws {
        let silent = SilentRelays(MemoryRecordStore())
        for day: Int64 in 0..<3 {
            #expect(silent.gone(among: [living, dead]).isEmpty)
            for _ in 0..<4 {
                try await silent.note([living: .complete, dead: .failed(.unreachable)], now: moment(day))
            }
        }
        #expect(silent.gone(among: [living, dead]) == [dead])
        try await silent.note([living: .complete, dead: .complete], now: moment(4))
        #expect(silent.gone(among: [dead]).isEmpty)
    }

    @Test("one that answered once is waited for a fortnight, over restarts")
    func lost() async throws {
        let records = MemoryRecordStore()
        try await SilentRelays(records).note([living: .complete, dead: .complete], now: moment(0))
        for day: Int64 in 1...14 {
            // Each day another start.
            let silent = SilentRelays(records)
            try await silent.load()
            #expect(silent.gone(among: [dead]).isEmpty)
            try await silent.note([living: .complete, dead: .deadline], now: moment(day))
        }
        let silent = SilentRelays(records)
        try await silent.load()
        #expect(silent.gone(among: [living, dead]) == [dead])
    }

    @Test(
        "silence says nothing where nobody answers, and a no is no silence",
        arguments: [RelayEnding.closed(Reason(.authRequired, "no")), .unauthenticated(.notSigned), .notAsked(.blocked)])
    func notSilent(ending: RelayEnding) async throws {
        let silent = SilentRelays(MemoryRecordStore())
        for day: Int64 in 0..<30 {
            try await silent.note([living: .failed(.timedOut), dead: .failed(.nameNotFound)], now: moment(day))
            try await silent.note([living: .complete, relay("strict"): ending], now: moment(day))
        }
        #expect(silent.gone(among: [living, dead, relay("strict")]).isEmpty)
    }

    @Test("a name that leads nowhere is gone at once, unless a relay answered there before")
    func nameless() async throws {
        let silent = SilentRelays(MemoryRecordStore())
        try await silent.note([living: .complete, dead: .failed(.nameNotFound)], now: moment(0))
        #expect(silent.gone(among: [dead]) == [dead])
        try await silent.note([living: .complete, dead: .complete], now: moment(1))
        try await silent.note([living: .complete, dead: .failed(.nameNotFound)], now: moment(2))
        #expect(silent.gone(among: [dead]).isEmpty)
    }

    @Test("a relay beside a single other that does not answer holds the list until the third day")
    func stuckList() async throws {
        let bench = AccountBench { $0.routing.indexers = [] }
        let list = TestPerson.alice.event(
            kind: 10_002, tags: [["r", "wss://mine.example"], ["r", "wss://away.example", "read"]])
        bench.network.put([list], on: relay("mine"))
        _ = await bench.store.save([list], from: nil)
        let own = bench.account.ownRelays
        bench.network.set(relay("away"), .dead)
        _ = try await own.set([relay("away"): .both, relay("more"): .read])
        bench.clock.advance(by: .seconds(1))
        for _ in 0..<2 {
            let error = await #expect(throws: AccountError.self) { try await own.set([relay("away"): []]) }
            #expect(error?.missing == [relay("away")])
            bench.clock.advance(by: .seconds(86_400))
        }
        let event = try await own.set([relay("away"): []])
        #expect(event.tags == [["r", "wss://mine.example"], ["r", "wss://more.example", "read"]])
    }
}
