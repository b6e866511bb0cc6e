import Testing

@testable import RelayServer

@Suite("Workers of a connection")
struct WorkloadTests {
    @Test("a worker begins with the first element, and no more than allowed")
    func workersBegin() {
        let load = Workload<Int>(capacity: 100, most: 2)
        #expect(load.add(1, weight: 1))
        #expect(load.add(2, weight: 1))
        #expect(!load.add(3, weight: 1))
        #expect(load.next(atMost: 2) == [1, 2])
        #expect(load.next(atMost: 2) == [3])
        #expect(load.next(atMost: 2) == nil)
        #expect(load.next(atMost: 2) == nil)
        #expect(load.add(4, weight: 1))
    }

    @Test("after the end nothing is added, and what is there is still done")
    func end() {
        let load = Workload<Int>(capacity: 100, most: 1)
        #expect(load.add(1, weight: 1))
        load.finish()
        #expect(!load.add(2, weight: 1))
        #expect(load.next(atMost: 8) == [1])
        #expect(load.next(atMost: 8) == nil)
        #expect(!load.add(3, weight: 1))
    }

    @Test("whoever adds waits while it is full, and every element is worked through once")
    func everything() async {
        let load = Workload<Int>(capacity: 3, most: 3)
        let done = await withTaskGroup(of: [Int].self) { group in
            for number in 0..<2000 {
                if load.add(number, weight: 1) {
                    group.addTask {
                        var mine: [Int] = []
                        while let some = load.next(atMost: 1) {
                            mine += some
                            await Task.yield()
                        }
                        return mine
                    }
                }
                await load.waitWhileFull()
            }
            return await group.reduce(into: []) { $0 += $1 }
        }
        #expect(done.sorted() == Array(0..<2000))
    }
}
