#if os(Linux)
    internal import Glibc

    /// Another program, run to its end with a secret on its standard input.
    enum ChildProgram {
        struct Outcome: Sendable {
            /// The exit status; 128 and more when a signal ended it.
            let status: Int32
            var output: [UInt8]
            /// Whether it wrote anything on standard error.
            let complained: Bool
        }

        enum Failure: Error, Equatable {
            case cannotRun(Int32)
            case timedOut
            case tooMuchOutput
        }

        /// The most a program may say.
        static let longestOutput = 65_536

        /// Runs a program; blocks until it ends or the deadline, at which it is killed.
        ///
        /// - Parameter program: a path, or a name looked up in `PATH`.
        static func run(
            _ program: String, _ arguments: [String], input: [UInt8], environment: [String], deadline: Duration
        ) throws(Failure) -> Outcome {
            let (input0, input1) = try pair()
            defer { close(input0) }
            let (output0, output1) = try pair()
            defer { close(output0) }
            let (errors0, errors1) = try pair()
            defer { close(errors0) }
            let end = ContinuousClock.now + deadline
            let child: pid_t
            do {
                defer { for file in [input1, output1, errors1] { close(file) } }
                child = try spawn(program, arguments, environment, files: [input1, output1, errors1], until: end)
            }
            do throws(Failure) {
                give(input, to: input0)
                let (output, complained) = try listen(to: output0, and: errors0, until: end)
                return Outcome(status: try status(of: child, until: end), output: output, complained: complained)
            } catch {
                kill(child, SIGKILL)
                var ignored: Int32 = 0
                // Killed, it ends now; until it is waited for it would stay in the system's list.
                _ = unsafe waitpid(child, &ignored, 0)
                throw error
            }
        }

        /// Two ends of a connection, which no child inherits by accident.
        ///
        /// Sockets rather than pipes: writing to a child that is gone must not end this program by a signal.
        private static func pair() throws(Failure) -> (Int32, Int32) {
            var files: [Int32] = [-1, -1]
            let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
            guard unsafe socketpair(AF_UNIX, type, 0, &files) == 0 else { throw .cannotRun(errno) }
            return (files[0], files[1])
        }

        /// Starts the program with three files as its standard ones; ours are marked to be closed then.
        private static func spawn(
            _ program: String, _ arguments: [String], _ environment: [String], files: [Int32],
            until end: ContinuousClock.Instant
        ) throws(Failure) -> pid_t {
            var actions = unsafe posix_spawn_file_actions_t()
            unsafe posix_spawn_file_actions_init(&actions)
            defer { unsafe posix_spawn_file_actions_destroy(&actions) }
            for (place, file) in files.enumerated() {
                unsafe posix_spawn_file_actions_adddup2(&actions, file, Int32(place))
            }
            // A signal that this program ignores or blocks must still end that one.
            var attributes = posix_spawnattr_t()
            unsafe posix_spawnattr_init(&attributes)
            defer { unsafe posix_spawnattr_destroy(&attributes) }
            var none = sigset_t()
            var all = sigset_t()
            unsafe sigemptyset(&none)
            unsafe sigfillset(&all)
            unsafe posix_spawnattr_setsigmask(&attributes, &none)
            unsafe posix_spawnattr_setsigdefault(&attributes, &all)
            unsafe posix_spawnattr_setflags(
                &attributes, Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
            let argv = unsafe ([program] + arguments).map { unsafe strdup($0) } + [nil]
            let envp = unsafe environment.map { unsafe strdup($0) } + [nil]
            defer { unsafe (argv + envp).forEach { unsafe free($0) } }
            var child: pid_t = 0
            while true {
                let failure = unsafe posix_spawnp(&child, program, &actions, &attributes, argv, envp)
                if failure == 0 { return child }
                // A program just put in place is busy for as long as any process still has it open for writing.
                guard failure == ETXTBSY else { throw .cannotRun(failure) }
                _ = poll(nil, 0, min(try milliseconds(until: end), 5))
            }
        }

        /// Writes the input and ends it; a child that does not read it says so by its status.
        private static func give(_ input: [UInt8], to file: Int32) {
            var rest = input[...]
            while !rest.isEmpty {
                let sent = unsafe rest.withUnsafeBytes { bytes in
                    unsafe send(file, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
                }
                guard sent > 0 else { break }
                rest = rest.dropFirst(sent)
            }
            shutdown(file, Int32(SHUT_WR))
        }

        private static func listen(
            to output: Int32, and errors: Int32, until end: ContinuousClock.Instant
        ) throws(Failure) -> (output: [UInt8], complained: Bool) {
            var heard: [UInt8] = []
            var complained = false
            var open = [output, errors]
            while !open.isEmpty {
                var polled = open.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
                let ready = unsafe poll(&polled, nfds_t(polled.count), try milliseconds(until: end))
                if ready < 0, errno != EINTR { throw .cannotRun(errno) }
                for file in polled where ready > 0 && file.revents != 0 {
                    var buffer = [UInt8](repeating: 0, count: 4096)
                    defer { for i in buffer.indices { buffer[i] = 0 } }
                    let got = unsafe read(file.fd, &buffer, buffer.count)
                    if got <= 0 {
                        open.removeAll { $0 == file.fd }
                    } else if file.fd == output {
                        heard += buffer[..<got]
                    } else {
                        complained = true
                    }
                }
                guard heard.count <= longestOutput else { throw .tooMuchOutput }
            }
            return (heard, complained)
        }

        private static func status(of child: pid_t, until end: ContinuousClock.Instant) throws(Failure) -> Int32 {
            while true {
                var status: Int32 = 0
                let ended = unsafe waitpid(child, &status, WNOHANG)
                if ended == child { return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F) }
                if ended < 0, errno != EINTR { throw .cannotRun(errno) }
                // It has closed its output and is about to end.
                _ = poll(nil, 0, min(try milliseconds(until: end), 5))
            }
        }

        private static func milliseconds(until end: ContinuousClock.Instant) throws(Failure) -> Int32 {
            let left = ContinuousClock.now.duration(to: end)
            guard left > .zero else { throw .timedOut }
            return Int32(clamping: left.components.seconds * 1000 + left.components.attoseconds / 1_000_000_000_000_000)
                + 1
        }
    }
#endif
