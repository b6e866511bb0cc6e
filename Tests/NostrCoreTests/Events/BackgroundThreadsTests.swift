#if os(Linux)
    import Glibc
    import NostrCore
    import Testing

    @Suite("Background threads")
    struct BackgroundThreadsTests {
        @Test("what works behind pages runs on other threads, with all below it and the actors it waits for")
        func behindPages() async {
            let names = await behindPages {
                await Task.yield()
                async let below = threadName()
                let parts = await mapOnAllCores(Array(0..<64)) { _ in threadName() }
                return await [threadName(), Turns().name(), below] + parts
            }
            #expect(names.count == 67)
            #expect(names.allSatisfy { $0.contains("utility") }, "\(names)")
        }

        @Test("what computes for it gives way, although it is waited for")
        func givingWay() async {
            let names = await behindPages {
                let alone = await inBackground { threadName() }
                return await [alone] + mapOnAllCores(Array(0..<64), givesWay: true) { _ in threadName() }
            }
            #expect(names.count == 65)
            #expect(names.allSatisfy { $0.contains("background") }, "\(names)")
        }

        @Test("what computes for a page stays where the page is drawn")
        func forPages() async {
            let alone = await inBackground { threadName() }
            let names = await mapOnAllCores(Array(0..<64), givesWay: true) { _ in threadName() } + [alone]
            #expect(names.allSatisfy { !$0.contains("background") && !$0.contains("utility") }, "\(names)")
        }

        @Test("results are in the order of the input on whatever threads", arguments: [false, true])
        func order(givesWay: Bool) async {
            let doubled = await behindPages {
                await mapOnAllCores(Array(0..<1000), givesWay: givesWay) { "\($0 * 2)" }
            }
            #expect(doubled == (0..<1000).map { "\($0 * 2)" })
        }

        private func behindPages(_ work: @escaping @Sendable () async -> [String]) async -> [String] {
            await withTaskGroup(of: [String].self) { group in
                group.addTask(executorPreference: BackgroundThreads.behindPages) { await work() }
                return await group.reduce([], +)
            }
        }
    }

    private actor Turns {
        func name() -> String { threadName() }
    }

    /// What the system calls the thread that asks; the names tell how urgent its tasks are.
    private func threadName() -> String {
        let file = unsafe open("/proc/thread-self/comm", O_RDONLY)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = unsafe read(file, &bytes, 32)
        return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
    }
#endif
