internal import Dispatch
public import Processes
internal import Synchronization

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Another program, started by a test and ended by it at the latest after a while.
///
/// What it prints is read; everything else is as `SpawnedProcess` has it.
public final class ChildProcess: Sendable {
    /// Why a program did not start.
    public typealias CannotRun = SpawnedProcess.CannotStart

    private enum Life {
        case running
        /// Its exit status, or 128 and the signal that ended it.
        case ended(Int32)
    }

    /// Its number.
    public var identifier: Int32 { process.identifier }
    private let process: SpawnedProcess
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
            process = try SpawnedProcess(path, arguments, environment: environment, output: ends[1])
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
                guard let code = process.exitStatus() else { return nil }
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
}

// Within the class these names are its own methods.
private func systemRead(_ file: Int32, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
    unsafe read(file, buffer, count)
}

private func systemKill(_ process: Int32, _ signal: Int32) -> Int32 {
    kill(process, signal)
}
