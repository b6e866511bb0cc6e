import Foundation

/// A program that is measured, or measured with, did not do what it was asked for.
struct ToolFailure: Error {
    let status: Int32
}

/// Brings the events of a file into a data directory, as a person does.
func importEvents(_ file: URL, into data: URL) throws {
    let process = Process()
    process.executableURL = Bundle.main.bundleURL.appending(path: "linnet")
    process.arguments = ["import", file.path, "--data", data.path]
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw ToolFailure(status: process.terminationStatus) }
}
