import Foundation

/// A folder of its own for one test, gone with the value.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "linnet-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// The names of all files in it, as paths below it.
    var files: [String] {
        let names = FileManager.default.enumerator(atPath: path)?.allObjects as? [String] ?? []
        return names.filter { name in
            // What went away in between is no file.
            let facts = try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
            return facts?[.type] as? FileAttributeType == .typeRegular
        }.sorted()
    }

    /// Waits until there are so many: a file goes with the last who holds it, which may be a moment after the answer.
    ///
    /// Ends with its task, so that a test that waits in vain ends by its time limit.
    func settles(at count: Int) async {
        while files.count != count, !Task.isCancelled { await Task.yield() }
    }

    deinit {
        // What stays behind lies in the system's folder for such things.
        try? FileManager.default.removeItem(atPath: path)
    }
}
