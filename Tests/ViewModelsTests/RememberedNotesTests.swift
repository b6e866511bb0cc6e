import NostrClient
import ScreenTesting
import Synchronization
import Testing
import ViewModels

@Suite("Notes on their way out, long after")
struct RememberedNotesTests {
    @Test("what is long out is forgotten, whoever saw to it, and what waits is not")
    func bounded() async throws {
        let account = FakeAccount(.plain(notes: 0))
        let keeper: any UnsignedNoteKeeping = account
        let count = Mutex(0)
        let outgoing = OutgoingNotes(
            time: HandClock().time,
            name: {
                count.withLock { count in
                    count += 1
                    return "note \(count)"
                }
            })
        let waiting = await outgoing.hold(Composition(text: "waits"), draft: .init(), of: account)
        var out: [String] = []
        for number in 0..<120 {
            out.append(await outgoing.hold(Composition(text: "\(number)"), draft: .init(), of: account))
            _ = try await keeper.publish(out[number])
        }
        #expect(await outgoing.standing(waiting) != nil)
        #expect(await outgoing.standing(out[0]) == nil)
        #expect(await outgoing.standing(out[119]) != nil)
    }
}
