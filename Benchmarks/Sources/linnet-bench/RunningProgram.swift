import Foundation

/// `linnet relay` or `linnet serve`, as it was built beside this program, over a data directory on a free port.
struct RunningProgram {
    /// What it says first, without the word that names it: where it listens.
    let said: String
    private let process = Process()
    /// What runs a program where no other wants the processor.
    ///
    /// A niceness is not enough on Linux: Dispatch gives its threads another, and more than usual to those of the
    /// administrator.
    private static let elsewhere = {
        #if os(Linux)
            ["/usr/bin/chrt", "--idle", "0"]
        #else
            ["/usr/bin/nice", "-n", "20"]
        #endif
    }()

    /// - Parameter isElsewhere: whether it stands for a program on another machine, whose work takes nothing from the
    ///   processors of this one: what is measured goes before it.
    init(_ verb: String, in folder: URL, _ more: [String] = [], isElsewhere: Bool = false) throws {
        let output = Pipe()
        let program = Bundle.main.bundleURL.appending(path: "linnet")
        let words =
            (isElsewhere ? Self.elsewhere : []) + [program.path, verb, "--port", "0", "--data", folder.path] + more
        process.executableURL = words.first.map { URL(filePath: $0) }
        process.arguments = Array(words.dropFirst())
        process.standardOutput = output
        try process.run()
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        said = String(String(decoding: line, as: UTF8.self).drop { $0 != " " }.dropFirst())
    }

    /// The largest resident size so far, in MB.
    var mostMemory: Double { memory("VmHWM:") }

    /// The resident size, in MB.
    var memory: Double { memory("VmRSS:") }

    /// What it holds itself, in MB: without code and other pages of files, which the system maps along and takes back.
    var ownMemory: Double { memory("RssAnon:") }

    private func memory(_ name: String) -> Double {
        let status = try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        return status?.split(separator: "\n").first { $0.hasPrefix(name) }?
            .split(separator: " ").dropFirst().first.flatMap { Double($0) }.map { $0 / 1024 } ?? .infinity
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}
