import NostrCore
import NostrNIPs
import NostrStore
import RelayServer
import Testing

@Suite("Who may write", .timeLimit(.minutes(10)))
struct WritersTests {
    let alice: Author
    let bob: Author
    let carol: Author
    let refusal = Verdict.refuse(Reason(.restricted, "only people on this relay's list may write here"))

    init() throws {
        (alice, bob, carol) = (try Author(1), try Author(2), try Author(3))
    }

    private func verdict(_ writers: Writers, _ event: Event) async -> Verdict {
        await writers.policy(event, ClientContext(connection: 1, peer: "", authenticated: [], now: testNow))
    }

    @Test("is whoever was named, and whoever writes to them in private")
    func named() async {
        let writers = Writers([alice.publicKey])
        #expect(await verdict(writers, alice.sign("hers")) == .accept)
        #expect(await verdict(writers, bob.sign("his")) == refusal)
        let toHer = bob.sign("sealed", kind: 1059, tags: [["p", alice.publicKey.hex]])
        #expect(await verdict(writers, toHer) == .accept)
        let toHim = bob.sign("sealed", kind: 1059, tags: [["p", bob.publicKey.hex], ["p", "nobody"]])
        #expect(await verdict(writers, toHim) == refusal)
        #expect(await verdict(writers, bob.sign("hi", tags: [["p", alice.publicKey.hex]])) == refusal)
    }

    @Test("is whom a person follows, also after the list changed", .timeLimit(.minutes(10)))
    func followed() async throws {
        let store = MemoryEventStore(now: { testNow })
        let follows = { [alice] (who: Author, at: Int64) in
            alice.sign("", kind: 3, tags: [["p", who.publicKey.hex]], at: at)
        }
        _ = await store.save([follows(bob, 1)], from: nil)
        let writers = Writers([], followedBy: alice.publicKey)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await writers.run(store) }
            #expect(await verdict(writers, alice.sign("her own list, first of all")) == .accept)
            while await verdict(writers, bob.sign("his")) != .accept { await Task.yield() }
            #expect(await verdict(writers, carol.sign("hers")) == refusal)
            _ = await store.save([follows(carol, 2)], from: nil)
            while await verdict(writers, carol.sign("hers")) != .accept { await Task.yield() }
            #expect(await verdict(writers, bob.sign("his")) == refusal)
            let gone = alice.sign("", kind: 5, tags: [["a", "3:\(alice.publicKey.hex):"]], at: 3)
            _ = await store.save([gone], from: nil)
            while await verdict(writers, carol.sign("hers")) != refusal { await Task.yield() }
            group.cancelAll()
        }
    }
}
