#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The terminal a person sits at, also when standard input and output are pipes.
enum Terminal {
    /// Whether standard input is a terminal.
    static var isInput: Bool { isatty(STDIN_FILENO) == 1 }

    /// Whether standard output is a terminal.
    static var isOutput: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether standard error is a terminal.
    static var isErrorOutput: Bool { isatty(STDERR_FILENO) == 1 }

    /// Whether there is a terminal to ask at.
    static var isThere: Bool {
        let file = unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else { return false }
        close(file)
        return true
    }

    /// Asks for a line without showing what is typed.
    ///
    /// - Throws: ``CommandFailure`` when there is no terminal, or the person gave up with Ctrl-C or Ctrl-D.
    static func ask(_ prompt: String) throws -> String {
        let file = unsafe open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else { throw CommandFailure("There is no terminal to ask at.") }
        defer { close(file) }
        var before = termios()
        guard unsafe tcgetattr(file, &before) == 0 else { throw CommandFailure("There is no terminal to ask at.") }
        var silent = before
        // Without ISIG an interrupt arrives as a byte, so that the terminal is put back before the program ends.
        silent.c_lflag &= ~tcflag_t(ECHO | ICANON | ISIG)
        guard unsafe tcsetattr(file, TCSAFLUSH, &silent) == 0 else {
            throw CommandFailure("The terminal cannot be silenced.")
        }
        defer {
            _ = unsafe tcsetattr(file, TCSAFLUSH, &before)
            write("\n", to: file)
        }
        write(prompt, to: file)
        return try line(from: file)
    }

    private static func line(from file: Int32) throws -> String {
        var typed: [UInt8] = []
        defer { for i in typed.indices { typed[i] = 0 } }
        while true {
            var byte: UInt8 = 0
            guard unsafe read(file, &byte, 1) == 1 else { throw CommandFailure("Nothing was typed.") }
            switch byte {
            case 0x0A, 0x0D: return String(decoding: typed, as: UTF8.self)
            case 0x03, 0x04: throw CommandFailure("Given up.")
            case 0x08, 0x7F:
                // One character of UTF-8: its continuation bytes, then its first.
                while let last = typed.popLast(), last & 0xC0 == 0x80 {}
            default: typed.append(byte)
            }
        }
    }

    private static func write(_ text: String, to file: Int32) {
        let bytes = Array(text.utf8)
        #if canImport(Glibc)
            // A prompt that does not show is not worth giving up for.
            _ = unsafe Glibc.write(file, bytes, bytes.count)
        #else
            _ = unsafe Darwin.write(file, bytes, bytes.count)
        #endif
    }
}
