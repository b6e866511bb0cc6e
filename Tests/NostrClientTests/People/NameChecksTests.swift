import AccountTesting
import NostrClient
import NostrCore
import NostrNIPs
import NostrStore
import NostrTesting
import Testing

/// Names that people claim at domains.
@Suite(.timeLimit(.minutes(10)))
struct NameChecksTests {
    let bob = TestPerson.bob
    let carol = TestPerson.carol

    private func bench(_ domains: ScriptedDocuments, records: AccountBench? = nil, after: Duration = .zero) async
        -> AccountBench
    {
        let bench =
            records.map { AccountBench(records: $0.records, after: after, names: domains) }
            ?? AccountBench(after: after, names: domains)
        _ = await bench.store.save([bob.event(#"{"name":"bob","nip05":"Bob@one.example"}"#, kind: 0)], from: nil)
        return bench
    }

    private func standing(_ bench: AccountBench) async throws -> NostrAddress.Standing? {
        try await bench.account.people.person(bob.publicKey).address?.standing
    }

    private var right: String {
        #"{"names":{"bob":"\#(bob.publicKey.hex)"},"relays":{"\#(bob.publicKey.hex)":["wss://hint.example"]}}"#
    }

    @Test("a claim is only a claim until its domain says the same, and its relays become hints")
    func verified() async throws {
        let domains = ScriptedDocuments(["one.example": right])
        let bench = await bench(domains)
        #expect(try await standing(bench) == .checking)
        try await bench.running {
            try await bench.eventually("it is checked") { try await standing(bench) == .verified }
        }
        #expect(domains.questions == ["bob@one.example"])
        #expect(bench.account.services.gossip.router.hints.relays(of: bob.publicKey).contains(relay("hint")))
    }

    @Test(
        "who claims another's name, and whose domain says nothing that can be read, is told apart",
        arguments: [
            (#"{"names":{"bob":"\#(TestPerson.carol.publicKey.hex)"}}"#, NostrAddress.Standing.mismatch),
            (#"{"names":{}}"#, .mismatch), ("<html>", .unreachable), ("[]", .unreachable), ("", .unreachable),
        ])
    func others(document: String, expected: NostrAddress.Standing) async throws {
        let domains = ScriptedDocuments(document.isEmpty ? [:] : ["one.example": document])
        let bench = await bench(domains)
        _ = try await standing(bench)
        try await bench.running {
            try await bench.eventually("it is judged") { try await standing(bench) == expected }
        }
    }

    @Test("what a domain said counts for six hours, over a restart; silence for a quarter of one")
    func lifetime() async throws {
        let domains = ScriptedDocuments(["one.example": right])
        let first = await bench(domains)
        try await first.running {
            _ = try await standing(first)
            try await first.eventually("it is checked") { try await standing(first) == .verified }
        }
        let soon = await bench(domains, records: first, after: .seconds(5 * 3600))
        #expect(try await standing(soon) == .verified)
        #expect(domains.questions.count == 1)
        domains.set("one.example", nil)
        let late = await bench(domains, records: first, after: .seconds(7 * 3600))
        #expect(try await standing(late) == .checking)
        try await late.running {
            try await late.eventually("nobody answers") { try await standing(late) == .unreachable }
            domains.set("one.example", right)
            late.clock.advance(by: .seconds(14 * 60))
            #expect(try await standing(late) == .unreachable)
            late.clock.advance(by: .seconds(60))
            try await late.eventually("it is asked again") { try await standing(late) == .verified }
        }
    }

    @Test("a name that changed in the profile is not the one that was checked")
    func changedClaim() async throws {
        let domains = ScriptedDocuments(["one.example": right])
        let bench = await bench(domains)
        try await bench.running {
            _ = try await standing(bench)
            try await bench.eventually("it is checked") { try await standing(bench) == .verified }
            _ = await bench.store.save(
                [bob.event(#"{"nip05":"bob@two.example"}"#, kind: 0, at: seconds(5))], from: nil)
            try await bench.eventually("the new claim is judged") { try await standing(bench) == .unreachable }
        }
    }

    @Test("who wants to know asks again, whatever was said")
    func again() async throws {
        let domains = ScriptedDocuments(["one.example": #"{"names":{}}"#])
        let bench = await bench(domains)
        try await bench.running {
            _ = try await standing(bench)
            try await bench.eventually("it is judged") { try await standing(bench) == .mismatch }
            domains.set("one.example", right)
            #expect(try await standing(bench) == .mismatch)
            try await bench.account.people.checkName(of: bob.publicKey)
            try await bench.eventually("it is asked again") { try await standing(bench) == .verified }
        }
    }

    @Test("names that pass by in a feed are not asked for; those of people one follows are, one after the other")
    func passingBy() async throws {
        let domains = ScriptedDocuments(["one.example": right])
        let bench = await bench(domains)
        _ = await bench.store.save(
            [
                TestPerson.alice.event(kind: 3, tags: [["p", bob.publicKey.hex]]),
                carol.event(#"{"nip05":"carol@one.example"}"#, kind: 0),
            ], from: nil)
        try await bench.running {
            _ = try await bench.home()
            _ = try await bench.account.people.matching("carol", limit: 5)
            try await bench.eventually("the followed one is checked") {
                bench.clock.advance(by: .seconds(30))
                return domains.questions.contains("bob@one.example")
            }
            #expect(!domains.questions.contains("carol@one.example"))
        }
    }

    @Test("a name leads to a person, or to nobody, or its domain gives no answer")
    func find() async throws {
        let domains = ScriptedDocuments(["one.example": right])
        let bench = await bench(domains)
        let found = try await bench.account.people.named(try #require(InternetIdentifier("bob@one.example")))
        #expect(found.key == bob.publicKey)
        for (text, failure) in [("eve@one.example", NameFailure.nobody), ("bob@two.example", .unreachable)] {
            let identifier = try #require(InternetIdentifier(text))
            await #expect(throws: failure) { try await bench.account.people.named(identifier) }
        }
    }

    @Test("an account that asks no domains shows a claim as one")
    func asksNobody() async throws {
        let bench = AccountBench()
        _ = await bench.store.save([bob.event(#"{"nip05":"bob@one.example"}"#, kind: 0)], from: nil)
        #expect(try await standing(bench) == .unknown)
    }
}
