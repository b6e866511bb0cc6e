import AsyncPrimitives

#if canImport(Glibc)
    import CMalloc
    import CProgramCode
    import Glibc
#endif

/// When memory that the program has freed is worth giving back to the system, as a value.
///
/// The allocator keeps what is freed for what comes next, which after a flood is far more than ever comes. Giving it back
/// takes time, so it is done only while much more is held than once was; the longer it took, the longer it rests.
struct FreedMemory {
    /// The least that was held, in bytes, without code and other pages of files.
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
    /// - Parameter release: lets go of memory that is used but not needed; asked as long as much is held, and where the
    ///   program has little to do.
    static func run(clock: ContinuousClock = ContinuousClock(), release: @Sendable () -> Void) async throws {
        var memory = FreedMemory(held: HeldMemory.now()?.own ?? .max)
        var quiet = QuietTime(worked: processorTime())
        let pause = Duration.seconds(5)
        while true {
            try await clock.sleep(for: pause)
            guard let held = HeldMemory.now() else { continue }
            let isTime = memory.shouldGiveBack(held: held.own, after: pause)
            let isQuiet = quiet.shouldLetGo(held: held.all, worked: processorTime(), after: pause)
            // At the beginning of a quiet time, too: who is asked lets go only of what was seldom used since.
            if memory.isMuch(held.own) || isQuiet || quiet.isBeginning { release() }
            guard isTime || isQuiet else { continue }
            // What is released is let go of on other threads.
            try await clock.sleep(for: .milliseconds(100))
            memory.gaveBack(in: clock.measure { giveBack() })
            guard isQuiet else { continue }
            letGoOfCode()
            if let left = HeldMemory.now() { quiet.letGo(leaving: left.all) }
        }
    }

    #if canImport(Glibc)
        /// As many heaps as processors, and none for large pieces, which go back to the system as they are freed.
        ///
        /// Each heap keeps what was freed in it; by itself the allocator makes eight for each processor, and puts ever
        /// larger pieces into them. Source: mallopt(3).
        ///
        /// - Parameter share: how many for each processor; more where many threads work for each small request, which would
        ///   wait for each other's heap.
        static func useFewHeaps(forEachProcessor share: Int = 1) {
            mallopt(M_ARENA_MAX, CInt(max(2, share * sysconf(Int32(_SC_NPROCESSORS_ONLN)))))
            mallopt(M_MMAP_THRESHOLD, 128 << 10)
        }

        /// Keeps pieces of up to a megabyte in the heaps, and eight megabytes of what was freed at the end of each: for a
        /// program through which files pass in such pieces.
        ///
        /// A piece that the system gives anew is emptied by it page by page as it is first written, which for a file that is
        /// brought costs about half as much as hashing it.
        static func reuseLargePieces() {
            mallopt(M_MMAP_THRESHOLD, 1 << 20)
            mallopt(M_TRIM_THRESHOLD, 8 << 20)
        }

        private static func giveBack() { malloc_trim(0) }

        /// Unmaps code, which the system maps again as it is called.
        ///
        /// - Returns: for how many bytes the system was told so.
        @discardableResult
        static func letGoOfCode() -> Int { linnet_program_code_let_go() }

        /// The processor time of the whole program since it began.
        private static func processorTime() -> Duration {
            var time = timespec()
            unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
            return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
        }
    #else
        static func useFewHeaps(forEachProcessor share: Int = 1) {}
        static func reuseLargePieces() {}
        private static func giveBack() {}
        @discardableResult
        static func letGoOfCode() -> Int { 0 }
        private static func processorTime() -> Duration { .zero }
    #endif
}
