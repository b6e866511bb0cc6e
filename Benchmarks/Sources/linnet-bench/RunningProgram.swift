import Foundation

/// `linnet relay` or `linnet serve`, as it was built beside this program, over a data directory on a free port.
struct RunningProgram {
    /// What it says first, without the word that names it: where it listens.
    let said: String
    private let process = Process()

    init(_ verb: String, in folder: URL, _ more: [String] = []) throws {
        let output = Pipe()
        process.executableURL = Bundle.main.bundleURL.appending(path: "linnet")
        process.arguments = [verb, "--port", "0", "--data", folder.path] + more
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
