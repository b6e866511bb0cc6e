import NostrCore
import NostrTesting
import Testing

@testable import NostrClient

/// Which stretch of wraps is asked for next.
struct InboxProgressTests {
    private let day: Int64 = 86_400
    private let start = Timestamp(seconds: 1_700_000_000)

    @Test("the first time all of time is asked for, page by page downwards, and then a window")
    func first() {
        var progress = InboxProgress()
        progress.begin(now: start)
        #expect(progress.question == .init(since: nil, until: nil, limit: 500))
        #expect(progress.completeAt == nil)
        progress.answered(count: 500, oldest: start - .seconds(day), oldestNew: start - .seconds(day))
        #expect(progress.question == .init(since: nil, until: start - .seconds(day), limit: 500))
        progress.answered(count: 12, oldest: start - .seconds(9 * day), oldestNew: start - .seconds(9 * day))
        #expect(progress.question == nil)
        #expect(progress.completeAt == start.seconds)

        progress.begin(now: start + .seconds(600))
        #expect(progress.question?.since == start - InboxProgress.window)
        progress.answered(count: 3, oldest: start, oldestNew: start)
        #expect(progress.question == nil)
        #expect(progress.completeAt == start.seconds + 600)
        #expect(progress.horizon == start + .seconds(600) - InboxProgress.wideWindow)
    }

    @Test("once a day the window is wide")
    func daily() {
        var progress = complete()
        progress.begin(now: start + .seconds(day))
        #expect(progress.question?.since == start - InboxProgress.wideWindow)
    }

    @Test("something new that is older than it should be widens the window at once")
    func gap() {
        var progress = complete()
        progress.begin(now: start + .seconds(60))
        let late = start - InboxProgress.window + .seconds(10)
        progress.answered(count: 2, oldest: late, oldestNew: late)
        #expect(progress.question?.since == start - InboxProgress.wideWindow)
        #expect(progress.question?.until == nil)
        progress.answered(count: 2, oldest: late, oldestNew: nil)
        #expect(progress.question == nil)
    }

    @Test("a download that breaks off goes on where it was, after what is new")
    func breaksOff() {
        var progress = InboxProgress()
        progress.begin(now: start)
        progress.answered(count: 500, oldest: start - .seconds(day), oldestNew: start - .seconds(day))
        progress.failed()
        #expect(progress.question?.limit == 250)
        #expect(progress.completeAt == nil)
        #expect(progress.horizon == nil)

        // The next start, an hour later, from disk.
        guard let bytes = try? progress.encoded(), var again = InboxProgress(bytes) else {
            Issue.record("not kept")
            return
        }
        again.begin(now: start + .seconds(3600))
        #expect(again.question?.until == nil)
        #expect(again.question?.since == start - InboxProgress.wideWindow)
        again.answered(count: 4, oldest: start, oldestNew: start)
        #expect(again.question == .init(since: nil, until: start - .seconds(day), limit: 500))
        again.answered(count: 1, oldest: start - .seconds(2 * day), oldestNew: nil)
        #expect(again.completeAt == start.seconds + 3600)
    }

    @Test("a stretch that never moved is begun again and reaches as far down")
    func neverMoved() {
        var progress = InboxProgress()
        progress.begin(now: start)
        progress.begin(now: start + .seconds(3600))
        #expect(progress.question?.since == nil)
        progress.answered(count: 0, oldest: nil, oldestNew: nil)
        #expect(progress.completeAt == start.seconds + 3600)
    }

    @Test("a page of one second only is stepped over, and every download ends")
    func oneSecond() {
        var progress = complete()
        progress.begin(now: start + .seconds(60))
        progress.answered(count: 500, oldest: start, oldestNew: start)
        #expect(progress.question?.until == start)
        progress.answered(count: 500, oldest: start, oldestNew: start)
        #expect(progress.question?.until == start - .seconds(1))
    }

    @Test("whatever relays answer, breaking off and starting again, what is complete never moves back")
    func property() {
        var random = SeededRandom(seed: 3)
        for _ in 0..<200 {
            var progress = InboxProgress()
            var now = start
            var last: Int64 = 0
            for _ in 0..<40 {
                now = now + .seconds(Int64.random(in: 1...200_000, using: &random))
                progress.begin(now: now)
                for _ in 0..<Int.random(in: 0...6, using: &random) {
                    guard let question = progress.question else { break }
                    if Bool.random(using: &random) {
                        progress.failed()
                        continue
                    }
                    let top = question.until ?? now
                    let oldest = top - .seconds(Int64.random(in: 0...300_000, using: &random))
                    let count = Bool.random(using: &random) ? question.limit : 3
                    progress.answered(
                        count: count, oldest: oldest, oldestNew: Bool.random(using: &random) ? oldest : nil)
                }
                #expect((progress.completeAt ?? 0) >= last)
                last = progress.completeAt ?? 0
            }
            // A relay that has nothing more ends it.
            var steps = 0
            while progress.question != nil, steps < 20 {
                progress.answered(count: 0, oldest: nil, oldestNew: nil)
                steps += 1
            }
            #expect(progress.completeAt == now.seconds)
        }
    }

    @Test("what lies damaged on the disk is no progress")
    func noise() {
        var random = SeededRandom(seed: 1)
        for length in 0..<60 { _ = InboxProgress(randomBytes(length, using: &random)) }
        #expect(InboxProgress(Array("{}".utf8)) == nil)
    }

    private func complete() -> InboxProgress {
        var progress = InboxProgress()
        progress.begin(now: start)
        progress.answered(count: 0, oldest: nil, oldestNew: nil)
        return progress
    }
}
