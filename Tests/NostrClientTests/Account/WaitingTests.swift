import NostrCore
import NostrTesting
import Testing

@testable import NostrClient

/// How parts of the account wait for each other.
struct WaitingTests {
    let clock = ManualClock()

    var time: AccountTime { AccountTime(clock: clock, now: { Timestamp(seconds: 0) }) }

    @Test("a ring before anybody waits is kept, a second one adds nothing")
    func rungBefore() async {
        let signal = Signal()
        signal.ring()
        signal.ring()
        await signal.wait()
        await signal.wait(atMost: .zero, time)
    }

    @Test("a waiter goes on at a ring, and when it is cancelled")
    func wakes() async {
        let signal = Signal()
        await withTaskGroup { group in
            group.addTask { await signal.wait() }
            signal.ring()
            await group.waitForAll()
            group.addTask { await signal.wait() }
            group.cancelAll()
        }
    }

    @Test("a wait with a bound ends at the bound")
    func bounded() async {
        let signal = Signal()
        let clock = self.clock
        let time = self.time
        await withTaskGroup { group in
            group.addTask { await signal.wait(atMost: .seconds(5), time) }
            await clock.waitForSleepers()
            clock.advance(by: .seconds(5))
            await group.waitForAll()
        }
    }

    @Test("turns are taken one after the other, also when one fails")
    func turns() async {
        struct Failure: Error {}
        let turns = Turns()
        let counter = Counter()
        await withTaskGroup { group in
            for number in 0..<50 {
                group.addTask {
                    // Every third fails on purpose; the others must still come.
                    try? await turns.take {
                        await counter.enter()
                        await Task.yield()
                        await counter.leave()
                        if number.isMultiple(of: 3) { throw Failure() }
                    }
                }
            }
        }
        #expect(await counter.finished == 50)
        #expect(await counter.mostAtOnce == 1)
    }

    private actor Counter {
        private var atOnce = 0
        private(set) var mostAtOnce = 0
        private(set) var finished = 0

        func enter() {
            atOnce += 1
            mostAtOnce = max(mostAtOnce, atOnce)
        }

        func leave() {
            atOnce -= 1
            finished += 1
        }
    }

    @Test("whoever listens too slowly is told to read again, and loses only the oldest")
    func overflow() async {
        let feed = ChangeFeed()
        let changes = feed.listen()
        for _ in 0..<3000 { feed.send(.connection) }
        feed.send(.follows)
        var heard: [AccountChange] = []
        for await change in changes {
            heard.append(change)
            if heard.count == 1024 { break }
        }
        #expect(heard.contains(.missed))
        #expect(heard.contains(.follows))
    }

    @Test("every listener hears everything from its beginning on")
    func listeners() async {
        let feed = ChangeFeed()
        let first = feed.listen()
        feed.send(.follows)
        let second = feed.listen()
        feed.send(.connection)
        var heard = first.makeAsyncIterator()
        #expect(await heard.next() == .follows)
        #expect(await heard.next() == .connection)
        var late = second.makeAsyncIterator()
        #expect(await late.next() == .connection)
    }
}
