import WebUI

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A QR code for a terminal: black on white whatever its colours, two modules in the height of a letter.
enum TerminalCode {
    /// The modules left free on every side (ISO/IEC 18004).
    private static let quiet = 4

    /// Shows a token on standard error, for a camera; does nothing where nobody looks, or where it has no room.
    static func show(_ text: String) {
        guard Terminal.isErrorOutput, let lines = lines(text), let first = lines.first, first.count <= columns else {
            return
        }
        // Colours of the 256: those below 16 are changed by themes.
        for line in lines { Output.error("\u{1B}[38;5;16;48;5;231m\(line)\u{1B}[0m\n") }
    }

    /// The code's lines of half blocks; `nil` for what no code can hold.
    static func lines(_ text: String) -> [String]? {
        guard let modules = DarkModules(text) else { return nil }
        let side = modules.width + 2 * quiet
        var isDark = [[Bool]](repeating: [Bool](repeating: false, count: side), count: side + side % 2)
        for run in modules.runs {
            for column in run.column..<run.column + run.length { isDark[run.row + quiet][column + quiet] = true }
        }
        return stride(from: 0, to: isDark.count, by: 2).map { row in
            String(
                zip(isDark[row], isDark[row + 1]).map { upper, lower -> Character in
                    switch (upper, lower) {
                    case (true, true): "█"
                    case (true, false): "▀"
                    case (false, true): "▄"
                    case (false, false): " "
                    }
                })
        }
    }

    /// How many letters a line of the terminal has; 80 where it does not say.
    private static var columns: Int {
        var size = winsize()
        guard unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}
