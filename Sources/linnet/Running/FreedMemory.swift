import AsyncPrimitives

#if canImport(Glibc)
    import CMalloc
    import Glibc
#endif

/// When memory that the program has freed is worth giving back to the system, as a value.
///
/// The allocator keeps what is freed for what comes next, which after a flood is far more than ever comes. Giving it back
/// takes time, so it is done only while much more is held than once was; the longer it took, the longer it rests.
struct FreedMemory {
    /// The least that was held, in bytes.
    private var least: Int
    private var rest: Duration = .zero
    private let slack = 16 << 20
    /// On a busy machine one turn can take half a second, and what a flood leaves is to go soon after it.
    private let longestRest = Duration.seconds(15)

    /// - Parameter held: what the program holds at its start, in bytes; a first look later might meet a flood already.
    init(held: Int) {
        least = held
    }

    /// Whether to give memory back now.
    ///
    /// - Parameters:
    ///   - held: what the program holds, in bytes.
    ///   - elapsed: the time since it was last asked.
    mutating func shouldGiveBack(held: Int, after elapsed: Duration) -> Bool {
        rest -= elapsed
        least = min(least, held)
        return isMuch(held) && rest <= .zero
    }

    /// Whether so much more is held than once was that what is not needed should go.
    func isMuch(_ held: Int) -> Bool { held > least + least / 8 + slack }

    /// It was given back, which took so long.
    mutating func gaveBack(in time: Duration) {
        rest = min(time * 20, longestRest)
    }
}

extension FreedMemory {
    /// Looks every five seconds, until cancelled.
    ///
    /// - Parameter release: lets go of memory that is used but not needed; asked as long as much is held.
    static func run(clock: ContinuousClock = ContinuousClock(), release: @Sendable () -> Void) async throws {
        var memory = FreedMemory(held: residentBytes() ?? .max)
        let pause = Duration.seconds(5)
        while true {
            try await clock.sleep(for: pause)
            guard let held = residentBytes() else { continue }
            let isTime = memory.shouldGiveBack(held: held, after: pause)
            if memory.isMuch(held) { release() }
            guard isTime else { continue }
            // What is released is let go of on other threads.
            try await clock.sleep(for: .milliseconds(100))
            memory.gaveBack(in: clock.measure { giveBack() })
        }
    }

    #if canImport(Glibc)
        /// As many heaps as processors, and none for large pieces, which go back to the system as they are freed.
        ///
        /// Each heap keeps what was freed in it; by itself the allocator makes eight for each processor, and puts ever
        /// larger pieces into them. Source: mallopt(3).
        static func useFewHeaps() {
            mallopt(M_ARENA_MAX, CInt(max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
            mallopt(M_MMAP_THRESHOLD, 128 << 10)
        }

        private static func giveBack() { malloc_trim(0) }

        /// What the program holds of the machine's memory; `nil` where the system does not say.
        static func residentBytes() -> Int? {
            // Source: proc_pid_statm(5): the second number, in pages.
            guard let file = unsafe fopen("/proc/self/statm", "r") else { return nil }
            defer { unsafe fclose(file) }
            var line = [CChar](repeating: 0, count: 128)
            guard unsafe fgets(&line, 128, file) != nil else { return nil }
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let numbers = text.split(separator: " ")
            return numbers.count > 1 ? Int(numbers[1]).map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } : nil
        }
    #else
        static func useFewHeaps() {}
        private static func giveBack() {}
        static func residentBytes() -> Int? { nil }
    #endif
}
