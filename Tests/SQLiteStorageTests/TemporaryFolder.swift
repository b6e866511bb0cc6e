import Foundation

/// A folder of its own for one test, gone with the value.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "linnet-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// The path of a file in it.
    func file(_ name: String) -> String { path + "/" + name }

    deinit {
        // What stays behind lies in the system's folder for such things.
        try? FileManager.default.removeItem(atPath: path)
    }
}
