import AsyncPrimitives
import Testing

@Suite("Broadcast and current value", .timeLimit(.minutes(10)))
struct BroadcastTests {
    @Test("all who listen get everything sent since, in order, and what waits is received after the end")
    func all() async {
        let broadcast = Broadcast<Int>()
        broadcast.send(0)
        let first = broadcast.listen()
        broadcast.send(1)
        let second = broadcast.listen()
        broadcast.send(contentsOf: [2, 3])
        broadcast.finish()
        broadcast.send(4)
        #expect(await first.reduce(into: []) { $0.append($1) } == [1, 2, 3])
        #expect(await second.reduce(into: []) { $0.append($1) } == [2, 3])
        #expect(await broadcast.listen().reduce(into: []) { $0.append($1) } == [])
    }

    @Test("who is behind misses the oldest, and is told once, in their place")
    func missed() async {
        let broadcast = Broadcast<Int>(capacity: 3, missed: -1)
        let marked = broadcast.listen()
        let plain = Broadcast<Int>(capacity: 3)
        let unmarked = plain.listen()
        for number in 0..<10 {
            broadcast.send(number)
            plain.send(number)
        }
        broadcast.finish()
        plain.finish()
        #expect(await marked.reduce(into: []) { $0.append($1) } == [-1, 7, 8, 9])
        #expect(await unmarked.reduce(into: []) { $0.append($1) } == [7, 8, 9])
    }

    @Test("a listener that waits is woken, and one whose task is cancelled hears no more")
    func wakes() async {
        let broadcast = Broadcast<Int>()
        let stream = broadcast.listen()
        // Begun here, up to where it waits.
        let listener = Task.immediate { await stream.first { _ in true } }
        broadcast.send(8)
        #expect(await listener.value == 8)
        let other = broadcast.listen()
        let cancelled = Task { await other.first { _ in true } }
        cancelled.cancel()
        #expect(await cancelled.value == nil)
    }

    @Test("streams end with their broadcast")
    func ends() async {
        var broadcast: Broadcast<Int>? = Broadcast()
        let stream = broadcast?.listen()
        broadcast?.send(1)
        broadcast = nil
        #expect(await stream?.reduce(into: []) { $0.append($1) } == [1])
    }

    @Test("a watcher gets the value as it is, then the newest, and nothing when nothing changes")
    func current() async {
        let value = CurrentValue(1)
        var watcher = value.values().makeAsyncIterator()
        #expect(await watcher.next() == 1)
        value.set(1)
        value.set(2)
        value.set(3)
        #expect(value.value == 3)
        #expect(await watcher.next() == 3)
        value.set(3)
        value.finish()
        #expect(await watcher.next() == nil)
    }
}
