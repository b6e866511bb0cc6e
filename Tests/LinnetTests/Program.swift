import Foundation

/// The built program, run as a person would.
enum Program {
    struct Result {
        let status: Int32
        let output: String
        let errors: String

        /// The output without its last line feed.
        var line: String { output.hasSuffix("\n") ? String(output.dropLast()) : output }
    }

    /// Runs it to its end, without the environment's own secrets and with no terminal.
    ///
    /// - Parameter program: what to run in its place, to run it from there.
    static func run(
        _ arguments: [String], input: String = "", environment: [String: String] = [:], program: String? = nil
    ) throws -> Result {
        let process = Process()
        process.executableURL = try program.map { URL(filePath: $0) } ?? executable()
        process.arguments = arguments
        process.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""].merging(environment) { $1 }
        let (standardInput, output, errors) = (Pipe(), Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = output
        process.standardError = errors
        try process.run()
        standardInput.fileHandleForWriting.write(Data(input.utf8))
        try standardInput.fileHandleForWriting.close()
        let written = output.fileHandleForReading.readDataToEndOfFile()
        let complained = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return Result(
            status: process.terminationStatus, output: String(decoding: written, as: UTF8.self),
            errors: String(decoding: complained, as: UTF8.self))
    }

    /// A file with a text that the caller deletes.
    static func temporaryFile(_ text: String) throws -> URL {
        let file = FileManager.default.temporaryDirectory.appending(path: "linnet-\(UUID().uuidString)")
        try Data(text.utf8).write(to: file)
        return file
    }

    /// Where the build put it: beside the tests.
    static func executable() throws -> URL {
        var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        for _ in 0..<6 {
            let file = folder.appending(path: "linnet")
            if FileManager.default.isExecutableFile(atPath: file.path), !file.hasDirectoryPath { return file }
            folder.deleteLastPathComponent()
        }
        throw Missing()
    }

    struct Missing: Error {}
}

/// The built program while it runs, ended when the test lets go of it.
final class RunningProgram {
    private let process = Process()
    private let output = Pipe()
    private let complaints = Pipe()
    private let input = Pipe()

    /// Starts it.
    ///
    /// - Parameter speaksOfErrors: whether what it says on standard error is kept for ``end(by:)`` and ``complaint()``.
    /// - Parameter input: what it reads first on standard input, which stays open then; `nil` where there is none.
    init(
        _ arguments: [String], environment: [String: String] = [:], speaksOfErrors: Bool = false,
        input text: String? = nil
    ) throws {
        process.executableURL = try Program.executable()
        process.arguments = arguments
        process.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""].merging(environment) { $1 }
        process.standardInput = text == nil ? FileHandle.nullDevice as Any : input
        process.standardOutput = output
        process.standardError = speaksOfErrors ? complaints as Any : FileHandle.nullDevice
        try process.run()
        if let text { input.fileHandleForWriting.write(Data(text.utf8)) }
    }

    /// Sends it a signal and waits for its end.
    ///
    /// - Returns: its exit status, and what else it said.
    func end(by signal: Int32) -> (status: Int32, output: String, errors: String) {
        kill(process.processIdentifier, signal)
        let rest = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        // The pipe's other end is closed by now.
        let errors = process.standardError is Pipe ? complaints.fileHandleForReading.readDataToEndOfFile() : Data()
        return (
            process.terminationStatus, String(decoding: rest, as: UTF8.self), String(decoding: errors, as: UTF8.self)
        )
    }

    /// Waits for an end that it comes to by itself.
    func ended() -> (status: Int32, output: String, errors: String) { end(by: 0) }

    /// The next line it says on standard error.
    func complaint() -> String { Self.line(from: complaints.fileHandleForReading) }

    /// The next line it prints; blocks until there is one, and is empty when it has ended.
    func line() -> String { Self.line(from: output.fileHandleForReading) }

    private static func line(from file: FileHandle) -> String {
        var bytes: [UInt8] = []
        // A pipe read byte by byte, because what follows the line belongs to the next call.
        while let byte = file.readData(ofLength: 1).first, byte != UInt8(ascii: "\n") {
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    deinit {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
    }
}
