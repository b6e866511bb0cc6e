import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Another program of the system, run with nothing on its input and its output thrown away.
///
/// Not by Foundation's `Process`, which waits for whatever the program leaves behind: a browser, say.
enum SystemProgram {
    /// Runs a program until it ends, or until it has run for so long; it then goes on by itself.
    ///
    /// - Parameter command: a name looked up in `PATH` or a path, and its arguments.
    /// - Returns: its exit status, 128 and more when a signal ended it; `nil` when it still runs.
    /// - Throws: ``CommandFailure`` when it cannot be started.
    static func run(_ command: [String], within patience: Duration = .seconds(5)) async throws -> Int32? {
        let child = try spawn(command)
        let end = ContinuousClock.now + patience
        while true {
            var status: Int32 = 0
            let ended = unsafe waitpid(child, &status, WNOHANG)
            if ended == child { return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F) }
            guard ContinuousClock.now < end else { return nil }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private static func spawn(_ command: [String]) throws -> pid_t {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = unsafe posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // Signals that this program ignores or blocks must still end that one.
        var none = sigset_t()
        var all = sigset_t()
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        let environment = ProcessInfo.processInfo.environment
        let argv = unsafe command.map { unsafe strdup($0) } + [nil]
        let envp = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
        defer { unsafe (argv + envp).forEach { unsafe free($0) } }
        var child: pid_t = 0
        let failure = unsafe posix_spawnp(&child, command[0], &actions, &attributes, argv, envp)
        guard failure == 0 else { throw CommandFailure("\(command[0]) cannot be run: is it installed?") }
        return child
    }
}
