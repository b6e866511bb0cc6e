#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What this process may use before the system ends it.
///
/// Source: POSIX.1, `setrlimit`.
enum ProcessLimits {
    /// Room for a picture of 100 million dots that cannot be read piece by piece, and the libraries.
    private static let memory: UInt64 = 2 << 30
    private static let seconds: UInt64 = 30
    private static let openFiles: UInt64 = 64

    /// Sets them, for good.
    ///
    /// - Parameter largestOutput: bytes of the largest file it may write.
    static func apply(largestOutput: Int64) {
        let limits: [(Int32, UInt64)] = [
            (number(RLIMIT_AS), memory), (number(RLIMIT_CPU), seconds),
            (number(RLIMIT_FSIZE), UInt64(max(0, largestOutput))), (number(RLIMIT_NOFILE), openFiles),
            (number(RLIMIT_CORE), 0),
        ]
        for (resource, most) in limits {
            var limit = rlimit(rlim_cur: rlim_t(most), rlim_max: rlim_t(most))
            // A system that does not know a limit leaves it to the deadline of who runs this.
            _ = unsafe setrlimit(resource, &limit)
        }
    }

    #if canImport(Darwin)
        private static func number(_ resource: Int32) -> Int32 { resource }
    #else
        private static func number(_ resource: __rlimit_resource) -> Int32 { Int32(bitPattern: resource.rawValue) }
    #endif
}
