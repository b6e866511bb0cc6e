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
        let desk = SignerLinkHandler(
            accounts: FakeAccounts(order: [signer.account], signers: [signer.account: signer]), name: "x",
            random: SeededRandom(seed: 1), now: { start })
        return OpenLinks(desk, random: SeededRandom(seed: 2), now: { start })
    }

    @Test("are asked about, and their answers told to all who look on", .timeLimit(.minutes(10)))
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

    @Test("where there are several accounts and none is named, one is chosen first", .timeLimit(.minutes(10)))
    func chooses() async throws {
        let start = Timestamp(seconds: 1_700_000_000)
        let other = FakeLinkSigner(LocalSigner(TestPerson.bob.secretKey))
        func links(pairedWith known: [PublicKey]) async -> OpenLinks {
            for one in [signer, other] { await one.set(isPaired: known.contains(one.account)) }
            let accounts = FakeAccounts(
                order: [signer.account, other.account], signers: [signer.account: signer, other.account: other])
            return OpenLinks(
                SignerLinkHandler(accounts: accounts, name: "x", random: SeededRandom(seed: 1), now: { start }),
                random: SeededRandom(seed: 2), now: { start })
        }
        let asks = await links(pairedWith: [])
        let link = await asks.open(text)
        #expect(link.request == nil && link.choice?.accounts == [signer.account, other.account])
        await asks.choose(TestPerson.eve.publicKey, for: link.id)
        #expect(await asks.link(link.id)?.choice != nil)
        await asks.choose(other.account, for: link.id)
        #expect(await asks.link(link.id)?.request?.account == other.account)
        // Chosen once, it is chosen.
        await asks.choose(signer.account, for: link.id)
        #expect(await asks.link(link.id)?.request?.account == other.account)
        // Whose it is shows from what the app is paired with, or is said by it; other methods mean the account in use.
        #expect(await links(pairedWith: [other.account]).open(text).request?.account == other.account)
        #expect(await links(pairedWith: [signer.account, other.account]).open(text).choice != nil)
        let named = text + "&current_user=" + other.account.hex
        #expect(await links(pairedWith: []).open(named).request?.account == other.account)
        let encrypts =
            "nostrsigner://nip44_encrypt?plaintext=x&pubkey=\(other.account.hex)&x-success=myapp%3A%2F%2Fok&id=2"
        #expect(await links(pairedWith: []).open(encrypts).request?.account == signer.account)
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
