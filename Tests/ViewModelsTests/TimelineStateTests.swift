import NostrClient
import NostrCore
import ScreenTesting
import Testing

@testable import ViewModels

@Suite("a timeline")
struct TimelineStateTests {
    let world = FakeWorld.plain(notes: 5)

    private func page(_ range: Range<Int>, more: Bool) -> TimelinePage {
        let notes = Array(world.notes[range])
        let last = notes.last.map { TimelineCursor(createdAt: $0.event.createdAt, id: $0.id) }
        return TimelinePage(notes: notes, next: more ? last : nil, isLoadingOlder: false)
    }

    private func opened() -> TimelineState {
        var state = TimelineState(.home, own: world.own.key)
        _ = state.apply(.opened(below: nil))
        _ = state.apply(.older(page(0..<3, more: true)))
        return state
    }

    @Test("asks for the first page when it opens")
    func opens() {
        var state = TimelineState(.home, own: world.own.key)
        #expect(state.apply(.opened(below: nil)) == [.readOlder(below: nil, limit: TimelineState.pageSize)])
        #expect(state.phase == .loading)
    }

    @Test("asks once for older notes, and again only when they came")
    func asksOnce() {
        var state = opened()
        #expect(state.apply(.reachedEnd).count == 1)
        #expect(state.apply(.reachedEnd).isEmpty)
        _ = state.apply(.older(page(3..<5, more: false)))
        #expect(state.notes.count == 5)
        #expect(state.apply(.reachedEnd).isEmpty)
    }

    @Test("shows every note once")
    func once() {
        var state = opened()
        _ = state.apply(.older(page(1..<5, more: false)))
        #expect(state.notes.map(\.id) == world.notes.map(\.id))
    }

    @Test("a note and its repost are one card, whichever comes first", arguments: [true, false])
    func oneCard(repostFirst: Bool) {
        let note = world.notes[0]
        var repost = world.note("", kind: 6, tags: [["e", note.id.hex]], ago: -5)
        repost.reposted = [note]
        var state = TimelineState(.home, own: world.own.key)
        _ = state.apply(.opened(below: nil))
        let both = repostFirst ? [repost, note] : [note, repost]
        _ = state.apply(.older(TimelinePage(notes: both, next: nil, isLoadingOlder: false)))
        #expect(state.notes.map(\.id) == [note.id])
        #expect((state.notes.first?.repostedBy != nil) == repostFirst)
    }

    @Test("says whether the account follows nobody")
    func followsNobody() {
        var state = opened()
        #expect(!state.followsNobody)
        _ = state.apply(.older(TimelinePage(notes: [], next: nil, isLoadingOlder: false, followsNobody: true)))
        #expect(state.followsNobody)
    }

    @Test("counts newer notes, each once, and leaves what is shown alone")
    func counts() {
        var state = opened()
        let before = state.notes
        let fresh = world.note("fresh", ago: -60)
        let change = AccountChange.homeNote(fresh.id, author: fresh.event.pubkey, createdAt: fresh.event.createdAt)
        _ = state.apply(.changed(change))
        _ = state.apply(.changed(change))
        #expect(state.waiting == [fresh.id])
        #expect(state.notes == before)
    }

    @Test("does not count notes that belong below")
    func older() {
        var state = opened()
        let old = world.note("old", ago: 9000)
        _ = state.apply(.changed(.homeNote(old.id, author: old.event.pubkey, createdAt: old.event.createdAt)))
        #expect(state.waiting.isEmpty)
    }

    @Test("puts what waited on top when asked")
    func shows() {
        var state = opened()
        let fresh = world.note("fresh", ago: -60)
        _ = state.apply(.changed(.homeNote(fresh.id, author: fresh.event.pubkey, createdAt: fresh.event.createdAt)))
        #expect(state.apply(.showWaiting()).count == 1)
        let newest = TimelinePage(notes: [fresh] + world.notes.prefix(3), next: nil, isLoadingOlder: false)
        _ = state.apply(.newer(newest))
        #expect(state.notes.first?.id == fresh.id)
        #expect(state.notes.count == 4)
        #expect(state.waiting.isEmpty)
    }

    @Test("puts what came late between those that are shown, and asks as far down as that is")
    func late() {
        let deep = FakeWorld.plain(notes: 60)
        var state = TimelineState(.home, own: deep.own.key)
        let others = deep.notes.enumerated().filter { $0.offset != 40 }.map(\.element)
        _ = state.apply(.older(TimelinePage(notes: others, next: others.last?.event.cursor, isLoadingOlder: false)))
        let late = deep.notes[40].event
        _ = state.apply(.changed(.homeNote(late.id, author: late.pubkey, createdAt: late.createdAt)))
        #expect(state.waiting == [late.id])
        #expect(state.apply(.showWaiting()) == [.readNewest(limit: 200)])
        let newest = TimelinePage(notes: deep.notes, next: nil, isLoadingOlder: false)
        _ = state.apply(.newer(newest))
        #expect(state.notes.map(\.id) == deep.notes.map(\.id))
        #expect(state.waiting.isEmpty)
    }

    @Test("counts whatever comes where no older page would bring it, until one does")
    func noOlder() {
        var state = TimelineState(.home, own: world.own.key)
        _ = state.apply(.older(page(0..<3, more: false)))
        let old = world.notes[4].event
        _ = state.apply(.changed(.homeNote(old.id, author: old.pubkey, createdAt: old.createdAt)))
        #expect(state.waiting == [old.id])
        _ = state.apply(.older(page(3..<5, more: false)))
        #expect(state.waiting.isEmpty)
        #expect(state.notes.map(\.id) == world.notes.map(\.id))
    }

    @Test("reads on from what waited where nothing was shown")
    func fromNothing() {
        var state = TimelineState(.home, own: world.own.key)
        _ = state.apply(.older(TimelinePage(notes: [], next: nil, isLoadingOlder: false)))
        _ = state.apply(.newer(page(0..<3, more: true)))
        #expect(state.notes.count == 3)
        #expect(state.apply(.reachedEnd) == [.readOlder(below: world.notes[2].event.cursor, limit: 30)])
    }

    @Test("does not count reposts of what is shown, and counts a note that waits and its reposts as one")
    func repostsOfShown() {
        var state = opened()
        func arrives(_ note: Note, reposting: EventID? = nil) {
            let event = note.event
            _ = state.apply(
                .changed(
                    .homeNote(
                        event.id, author: event.pubkey, createdAt: event.createdAt, reposts: reposting)))
        }
        arrives(world.note("", by: 2, kind: 6, ago: -5), reposting: world.notes[1].id)
        #expect(state.waiting.isEmpty)
        let fresh = world.note("fresh", ago: -60)
        arrives(world.note("", by: 2, kind: 6, ago: -70), reposting: fresh.id)
        arrives(fresh)
        arrives(world.note("", by: 3, kind: 6, ago: -80), reposting: fresh.id)
        #expect(state.waiting == [fresh.id])
    }

    @Test("does not count the original of a repost that is shown")
    func original() {
        let note = world.notes[3]
        var repost = world.note("", by: 2, kind: 6, tags: [["e", note.id.hex]], ago: -5)
        repost.reposted = [note]
        var state = TimelineState(.home, own: world.own.key)
        _ = state.apply(.older(TimelinePage(notes: [repost, world.notes[4]], next: nil, isLoadingOlder: false)))
        _ = state.apply(
            .changed(.homeNote(note.id, author: note.event.pubkey, createdAt: note.event.createdAt)))
        #expect(state.waiting.isEmpty)
    }

    @Test("gives a page elsewhere what that does not show, and nothing below what it looks at")
    func elsewhere() {
        let note = world.notes[0]
        var repost = world.note("", by: 2, kind: 6, tags: [["e", note.id.hex]], ago: -5)
        repost.reposted = [note]
        let words = [world.notes[0], world.notes[2]].map { $0.id.hex.prefix(16) }.joined(separator: ".")
        let shown = ShownNotes(above: world.notes[3].event.cursor.mark, words: words)
        var state = TimelineState(.home, own: world.own.key, elsewhere: shown)
        #expect(state.apply(.showWaiting(count: 7)) == [.readNewest(limit: TimelineState.pageSize)])
        let all = TimelinePage(notes: [repost] + world.notes, next: nil, isLoadingOlder: false)
        _ = state.apply(.newer(all))
        #expect(state.notes.map(\.id) == [world.notes[1].id])
    }

    @Test("counts no further than its bound")
    func bound() {
        var state = opened()
        for index in 0..<(TimelineState.waitingLimit + 5) {
            let bytes = (0..<32).map { $0 < 2 ? UInt8(truncatingIfNeeded: index >> ($0 * 8)) : 1 }
            guard let id = try? EventID(Bytes32(bytes.span)) else { continue }
            _ = state.apply(.changed(.homeNote(id, author: world.own.key, createdAt: world.newest + .seconds(60))))
        }
        #expect(state.waiting.count == TimelineState.waitingLimit)
        #expect(state.waitingIsPartial)
    }

    @Test("says what went wrong only when there is nothing to show")
    func fails() {
        var empty = TimelineState(.home, own: world.own.key)
        _ = empty.apply(.failed(Trouble("No.")))
        #expect(empty.phase == .failed(Trouble("No.")))
        var full = opened()
        _ = full.apply(.failed(Trouble("No.")))
        #expect(full.phase == .ready)
    }

    @Test("leaves out a repost whose note is not known, and shows the note inside one that is")
    func reposts() {
        let inner = world.note("inside", ago: 500)
        var known = world.note("", by: 2, kind: 6, ago: 10)
        known.reposted = [inner]
        let unknown = world.note("", by: 2, kind: 6, ago: 20)
        var state = TimelineState(.home, own: world.own.key)
        _ = state.apply(.older(TimelinePage(notes: [known, unknown], next: nil, isLoadingOlder: false)))
        #expect(state.notes.map(\.id) == [inner.id])
        #expect(state.notes.first?.repostedBy?.key == known.event.pubkey)
        #expect(state.notes.first?.cursor.id == known.id)
    }

    @Test("runs through an account")
    func model() async {
        let account = FakeAccount(.plain(notes: 40))
        let model = ScreenModel<TimelineState>(.home, of: account)
        let first = await model.send(.opened(below: nil))
        #expect(first.notes.count == 30)
        let all = await model.send(.reachedEnd)
        #expect(all.notes.count == 40)
        #expect(all.next == nil)
    }

    @Test(
        "reads back the places it writes, and nothing else",
        arguments: ["", "-", "1", "1-2", "x-" + zeros, "1--" + zeros])
    func marks(noise: String) {
        #expect(TimelineCursor(mark: noise) == nil)
        let place = world.notes[0].event.cursor
        #expect(TimelineCursor(mark: place.mark) == place)
    }
}

private let zeros = String(repeating: "0", count: 64)
