import Foundation
import NostrTesting

/// A `store-writer` process: its output, and its end.
struct WriterProcess {
    /// Runs it until it has written a number of lines, kills it with SIGKILL, and returns all whole lines it wrote.
    ///
    /// - Parameter lines: 0 kills it at once, maybe while it still makes its tables; `nil` lets it end by itself.
    static func lines(of arguments: [String], killedAfter lines: Int?) async throws -> [String] {
        try await ChildProcess.onOwnThread {
            let process = try ChildProcess(executable.path, arguments, killedAfter: 600)
            var text: [UInt8] = []
            var count = 0
            var hasEnded = false
            while !hasEnded, lines.map({ count < $0 }) ?? true {
                let read = process.read()
                hasEnded = read.isEmpty
                text += read
                count += read.count { $0 == UInt8(ascii: "\n") }
            }
            if lines != nil { process.kill() }
            while !hasEnded {
                let read = process.read()
                hasEnded = read.isEmpty
                text += read
            }
            process.wait()
            guard let end = text.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
            return String(decoding: text[..<end], as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }

    /// Beside the tests, where the build puts it.
    private static var executable: URL {
        #if os(macOS)
            let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
            return tests.bundleURL.deletingLastPathComponent().appendingPathComponent("store-writer")
        #else
            return Bundle.main.bundleURL.appendingPathComponent("store-writer")
        #endif
    }
}
