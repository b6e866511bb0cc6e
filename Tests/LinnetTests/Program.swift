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

    /// Starts it.
    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        process.executableURL = try Program.executable()
        process.arguments = arguments
        process.environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? ""].merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
    }

    /// The next line it prints; blocks until there is one, and is empty when it has ended.
    func line() -> String {
        var bytes: [UInt8] = []
        // A pipe read byte by byte, because what follows the line belongs to the next call.
        while let byte = output.fileHandleForReading.readData(ofLength: 1).first, byte != UInt8(ascii: "\n") {
            bytes.append(byte)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    deinit {
        process.terminate()
        process.waitUntilExit()
    }
}
