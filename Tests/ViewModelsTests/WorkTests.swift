import NostrClient
import NostrCore
import ScreenTesting
import Testing

@testable import ViewModels

@Suite("work in words")
struct WorkTests {
    @Test(
        "says how far it is and how long it takes, whatever the figures",
        arguments: [
            (WorkInProgress(bits: 20), 0, "just begun"),
            (
                WorkInProgress(bits: 20, hashes: 524_288, rate: 2_600_000, remaining: .seconds(1)), 50,
                "about a second left, 3 million hashes a second"
            ),
            (
                WorkInProgress(bits: 20, hashes: .max, rate: 90_000, remaining: .seconds(42)), 99,
                "about 42 seconds left, 90 thousand hashes a second"
            ),
            (
                WorkInProgress(bits: 46, hashes: 1, rate: .infinity, remaining: .seconds(Int64.max)), 0,
                "about 720 hours left, 1000000 million hashes a second"
            ),
            (WorkInProgress(bits: -1, hashes: 0, rate: 0, remaining: .seconds(600)), 0, "about 10 minutes left"),
        ])
    func words(work: WorkInProgress, percent: Int, words: String) {
        let item = WorkItem(work)
        #expect(item.percent == percent && item.words == words)
    }

    @Test("is chosen within reason", arguments: [(-5, 0), (12, 12), (99, WorkChoice.most)])
    func choice(asked: Int, kept: Int) {
        #expect(WorkChoice(notes: asked, reactions: asked, messages: asked).messages == kept)
    }

    @Test("is shown while a note waits for it, and ended by its writer alone")
    func skipping() async {
        let account = FakeAccount(.plain(notes: 0))
        await account.begin(WorkInProgress(bits: 20))
        let outgoing = OutgoingNotes(time: HandClock().time, name: { "one" })
        let id = await outgoing.hold(Composition(text: "Hard won."), draft: .init(), of: account)
        #expect(await outgoing.work(on: id) == nil)
        async let published: Void = outgoing.publishNow(id)
        await account.workIsAwaited()
        #expect(await outgoing.standing(id) == .publishing)
        #expect(await outgoing.work(on: id)?.bits == 20)
        await outgoing.skipWork(on: id, of: FakeAuthor(2).key)
        #expect(await account.skips == 0)
        await outgoing.skipWork(on: id, of: account.publicKey)
        await published
        #expect(await account.skips == 1)
        #expect(await account.published.count == 1)
    }
}
