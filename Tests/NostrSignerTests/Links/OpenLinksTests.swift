import NostrCore
import NostrTesting
import Testing

@testable import NostrSigner

@Suite("Links that are open")
struct OpenLinksTests {
    private let signer = FakeLinkSigner(LocalSigner(TestPerson.alice.secretKey))
    private let text = "nostrsigner://get_public_key?x-success=myapp%3A%2F%2Fok&id=1"

    private func links() -> OpenLinks {
        let start = Timestamp(seconds: 1_700_000_000)
        let desk = LinkDesk(
            accounts: FakeAccounts(order: [signer.account], signers: [signer.account: signer]), name: "x",
            random: SeededRandom(seed: 1), now: { start })
        return OpenLinks(desk, random: SeededRandom(seed: 2), now: { start })
    }

    @Test("are asked about, and their answers told to all who look on", .timeLimit(.minutes(1)))
    func answers() async throws {
        let links = links()
        let first = await links.open(text)
        #expect(first.outcome == nil && first.request?.account == signer.account)
        // The same link, clicked twice, is one.
        #expect(await links.open(text).id == first.id)
        let onlookers = [await links.outcome(of: first.id), await links.outcome(of: first.id)]
        await withDiscardingTaskGroup { group in
            group.addTask { await links.run() }
            for onlooker in onlookers {
                var seen: [LinkOutcome] = []
                for await outcome in onlooker { seen.append(outcome) }
                #expect(seen.count == 1 && seen.first?.error == nil)
            }
            group.cancelAll()
        }
        let outcome = try #require(await links.link(first.id)?.outcome)
        guard case .open(let url) = outcome.delivery else {
            Issue.record("\(outcome)")
            return
        }
        #expect(url.hasPrefix("myapp://ok?pubkey="))
        // Who comes late is told too; who asks for what is not there is not kept waiting.
        var late = await links.outcome(of: first.id).makeAsyncIterator()
        #expect(await late.next() == outcome)
        var none = await links.outcome(of: "nothing").makeAsyncIterator()
        #expect(await none.next() == nil)
    }

    @Test("what needs nobody is settled at once, and no more are remembered than there is room for")
    func bounded() async {
        let links = links()
        let broken = await links.open("nostrsigner://sign_event?x-success=javascript:1&x-error=myapp%3A%2F%2Ferr")
        #expect(broken.request == nil && broken.outcome?.error?.code == .invalidRequest)
        for number in 0..<OpenLinks.most { _ = await links.open("no link \(number)") }
        #expect(await links.link(broken.id) == nil)
    }
}
