internal import Dispatch
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Another program, started by a test and ended by it at the latest after a while.
///
/// Foundation's own `Process` learns of a child's end by a socket that every program started at that moment inherits,
/// and then may wait for ever; this one asks the system for its own child.
public final class ChildProcess: Sendable {
    /// Why a program did not start.
    public struct CannotRun: Error {
        /// The system's reason.
        public let code: Int32
    }

    private enum Life {
        case running
        /// Its exit status, or 128 and the signal that ended it.
        case ended(Int32)
    }

    /// Its number.
    public let identifier: Int32
    private let output: Int32
    private let life = Mutex(Life.running)

    /// Starts a program, with nothing on its standard input and its errors thrown away.
    ///
    /// - Parameters:
    ///   - path: where it is.
    ///   - environment: all it gets; `nil` for the test's own.
    ///   - seconds: after which it is killed, whatever happens.
    public init(
        _ path: String, _ arguments: [String], environment: [String: String]? = nil, killedAfter seconds: Int = 100
    ) throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { throw CannotRun(code: errno) }
        // No other program that is started meanwhile may hold this open.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        output = ends[0]
        defer { close(ends[1]) }
        do {
            identifier = try Self.spawn(path, arguments, environment, output: ends[1])
        } catch {
            close(ends[0])
            throw error
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in self?.kill() }
    }

    deinit {
        kill()
        _ = wait()
        close(output)
    }

    /// Some of what it has printed; blocks until there is some.
    ///
    /// Empty when it has ended, and everything that inherited its output too.
    public func read() -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe systemRead(output, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            return Array(buffer.prefix(max(0, count)))
        }
    }

    /// Kills it, unless it has ended.
    public func kill() {
        life.withLock { life in
            if case .running = life { _ = systemKill(identifier, SIGKILL) }
        }
    }

    /// Blocks until it has ended; its exit status, or 128 and the signal that ended it.
    @discardableResult
    public func wait() -> Int32 {
        while true {
            let status: Int32? = life.withLock { life in
                if case .ended(let status) = life { return status }
                var status: Int32 = 0
                guard unsafe waitpid(identifier, &status, WNOHANG) != 0 else { return nil }
                let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
                life = .ended(code)
                return code
            }
            if let status { return status }
            _ = poll(nil, 0, 5)
        }
    }

    /// Runs work that blocks on a thread of its own, away from those that Swift's tasks share.
    public static func onOwnThread<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "linnet.child-process").async {
                continuation.resume(with: Result { try work() })
            }
        }
    }

    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String: String]?, output: Int32
    ) throws -> Int32 {
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
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        // Signals that the test ignores or blocks must still end the program.
        var (none, all) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigfillset(&all)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &all)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
        let argv = unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe argv.forEach { unsafe free($0) } }
        var child: pid_t = 0
        let failure: Int32
        if let environment {
            let envp = unsafe environment.map { unsafe strdup("\($0.key)=\($0.value)") } + [nil]
            defer { unsafe envp.forEach { unsafe free($0) } }
            failure = unsafe posix_spawn(&child, path, &actions, &attributes, argv, envp)
        } else {
            failure = unsafe posix_spawn(&child, path, &actions, &attributes, argv, environ)
        }
        guard failure == 0 else { throw CannotRun(code: failure) }
        return child
    }
}

// Within the class these names are its own methods.
private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(file, buffer, count)
}

private func systemKill(_ process: Int32, _ signal: Int32) -> Int32 {
    kill(process, signal)
}
