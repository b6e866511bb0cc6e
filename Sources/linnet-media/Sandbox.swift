import CSandbox

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What this process gives up before it reads a file: sockets, files that are not open yet, other programs.
///
/// On Linux the kernel keeps it from them (seccomp), whatever the file makes of the library. macOS has nothing that a
/// program without an entitlement of Apple's may use; there the limits of ``ProcessLimits`` are all there is.
/// Source: seccomp(2).
enum Sandbox {
    /// Gives them up, for good.
    ///
    /// A kernel without it is no reason to prepare nothing: it is said on standard error, and by ``check()``.
    static func enter() {
        guard linnet_sandbox_enter() == 0 else { return }
        #if os(Linux)
            let line = Array("linnet-media: this system keeps no process from files and sockets\n".utf8)
            // With standard error closed there is nowhere to say it.
            _ = unsafe line.withUnsafeBytes { unsafe write(2, $0.baseAddress, $0.count) }
        #endif
    }

    /// Enters and tries what is given up.
    ///
    /// - Returns: a line of JSON, whose values say what could be done, and whether that is as it should be.
    static func check() -> (line: String, holds: Bool) {
        let isEntered = linnet_sandbox_enter() == 1
        let attempts: [(name: String, attempt: LinnetAttempt)] = [
            ("internet_socket", LINNET_INTERNET_SOCKET), ("local_socket", LINNET_LOCAL_SOCKET),
            ("read_file", LINNET_READ_FILE), ("write_file", LINNET_WRITE_FILE), ("list_folder", LINNET_LIST_FOLDER),
            ("child", LINNET_CHILD), ("signal", LINNET_SIGNAL), ("limit", LINNET_LIMIT),
        ]
        let done = attempts.map { ($0.name, linnet_sandbox_attempt($0.attempt) == 1) }
        let hasThreads = linnet_sandbox_attempt(LINNET_THREAD) == 1
        let all = [("sandbox", isEntered)] + done + [("thread", hasThreads)]
        let line = "{" + all.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}"
        return (line, isEntered && hasThreads && !done.contains { $0.1 })
    }
}
