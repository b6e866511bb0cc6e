#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Another program of the system, started with nothing on its standard input unless told, and its errors thrown away.
///
/// Not Foundation's `Process`, which learns of a child's end by a socket that every program started at that moment
/// inherits, and so may wait for whatever the child leaves behind; this one asks the system for its own child.
/// Source: POSIX.1, `posix_spawn`, `waitpid`.
public struct SpawnedProcess: Sendable {
    /// Why a program did not start.
    public struct CannotStart: Error {
        /// The system's reason.
        public let code: Int32

        /// - Parameter code: an `errno`.
        public init(code: Int32) { self.code = code }
    }

    #if canImport(Darwin)
        private typealias Attributes = posix_spawnattr_t?
        private typealias FileActions = posix_spawn_file_actions_t?
    #else
        private typealias Attributes = posix_spawnattr_t
        private typealias FileActions = posix_spawn_file_actions_t
    #endif

    /// Its number.
    public let identifier: Int32

    /// Starts a program.
    ///
    /// - Parameters:
    ///   - command: a path, or a name that is looked up in `PATH`.
    ///   - environment: all it gets; `nil` for this program's own.
    ///   - input: the file that is its standard input; `nil` for nothing.
    ///   - output: the file that is its standard output; `nil` throws what it prints away.
    /// - Throws: ``CannotStart``.
    public init(
        _ command: String, _ arguments: [String], environment: [String: String]? = nil, input: Int32? = nil,
        output: Int32? = nil
    ) throws(CannotStart) {
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
        unsafe Self.redirect(&actions, 0, to: input, O_RDONLY)
        unsafe Self.redirect(&actions, 1, to: output, O_WRONLY)
        unsafe Self.redirect(&actions, 2, to: nil, O_WRONLY)
        Self.resetSignals(&attributes)
        let argv = unsafe ([command] + arguments).map { unsafe strdup($0) } + [nil]
        let envp = unsafe environment.map { unsafe $0.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil] }
        defer { unsafe (argv + (envp ?? [])).forEach { unsafe free($0) } }
        var child: pid_t = 0
        let failure =
            if let envp = unsafe envp {
                unsafe posix_spawnp(&child, command, &actions, &attributes, argv, envp)
            } else {
                unsafe posix_spawnp(&child, command, &actions, &attributes, argv, environ)
            }
        guard failure == 0 else { throw CannotStart(code: failure) }
        identifier = child
    }

    /// Gives the program a file under a number; without one, what reads nothing and keeps nothing.
    private static func redirect(_ actions: inout FileActions, _ number: Int32, to file: Int32?, _ mode: Int32) {
        if let file {
            unsafe posix_spawn_file_actions_adddup2(&actions, file, number)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", mode, 0)
        }
    }

    /// Signals that this program ignores or blocks must still end that one.
    private static func resetSignals(_ attributes: inout Attributes) {
        var (none, all) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    }

    /// Its exit status, 128 and more when a signal ended it; `nil` while it runs.
    ///
    /// The system tells it once: do not ask again after an answer, since the number may be another program's by then.
    public func exitStatus() -> Int32? {
        var status: Int32 = 0
        guard unsafe waitpid(identifier, &status, WNOHANG) != 0 else { return nil }
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }
}
