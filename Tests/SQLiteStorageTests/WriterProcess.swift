import Foundation

/// A `store-writer` process: its output, and its end.
struct WriterProcess {
    /// Runs it until it has written a number of lines, kills it with SIGKILL, and returns all whole lines it wrote.
    ///
    /// - Parameter lines: 0 kills it at once, maybe while it still makes its tables; `nil` lets it end by itself.
    static func lines(of arguments: [String], killedAfter lines: Int?) async throws -> [String] {
        try await withCheckedThrowingContinuation { continuation in
            // Reading and waiting block, so they have a thread of their own.
            Thread.detachNewThread {
                continuation.resume(with: Result { try run(arguments, killedAfter: lines) })
            }
        }
    }

    private static func run(_ arguments: [String], killedAfter lines: Int?) throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = executable
        process.arguments = arguments
        process.standardOutput = output
        try process.run()
        var text = Data()
        var count = 0
        while lines.map({ count < $0 }) ?? true {
            let read = output.fileHandleForReading.availableData
            if read.isEmpty { break }
            text += read
            count += read.count { $0 == UInt8(ascii: "\n") }
        }
        if lines != nil { kill(process.processIdentifier, SIGKILL) }
        text += try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard let end = text.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        return String(decoding: text[..<end], as: UTF8.self).split(separator: "\n").map(String.init)
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
