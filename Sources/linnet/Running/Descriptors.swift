#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// How many files and sockets the system lets this program have open.
enum Descriptors {
    #if canImport(Glibc)
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #elseif canImport(Darwin)
        private static let resource = RLIMIT_NOFILE
    #endif
    /// More than any home or relay needs; some systems give no number.
    private static let most: rlim_t = 65_536

    /// Puts something in the place of standard input, output and error where a program was started without them.
    ///
    /// Else the next file that is opened gets their numbers, and what is printed goes into it. Each is opened the wrong way
    /// round, so that using it fails instead of doing nothing.
    static func occupyStandard() {
        for (number, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(number, F_GETFD) == -1 {
            // The lowest free number is the one that was just found to be free.
            _ = unsafe open("/dev/null", mode)
        }
    }

    /// Raises the limit that a program may raise by itself.
    ///
    /// - Returns: the limit from now on; the old one where the system refuses.
    @discardableResult
    static func raise() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(resource, &limit) == 0 else { return 1024 }
        let before = limit.rlim_cur
        limit.rlim_cur = max(before, min(limit.rlim_max, most))
        guard limit.rlim_cur > before else { return Int(clamping: before) }
        return Int(clamping: unsafe setrlimit(resource, &limit) == 0 ? limit.rlim_cur : before)
    }
}
