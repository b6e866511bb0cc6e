import Foundation

/// A folder that is in memory, for what must rest on no disk in clear while another process works on it.
///
/// Linux has one at `/dev/shm`; macOS has none. Decision 0032.
enum MemoryFolder {
    static let usual = "/dev/shm"

    /// The usual one, looked for once: later a folder of this process is one in use.
    static let found = find()

    /// The folder; `nil` where the system has none, or one that is on a disk after all.
    ///
    /// What a crash left there goes.
    static func find(at path: String = usual, mounts: String? = systemMounts) -> URL? {
        guard let mounts, isInMemory(path, mounts: mounts), FileManager.default.isWritableFile(atPath: path) else {
            return nil
        }
        removeOld(in: path)
        return URL(fileURLWithPath: path, isDirectory: true)
    }

    /// Whether a path is where a file system in memory begins, by the system's table of them (proc(5)).
    static func isInMemory(_ path: String, mounts: String) -> Bool {
        let entries = mounts.split(separator: "\n").map { $0.split(separator: " ") }
        // What was mounted last covers the rest.
        let last = entries.last { $0.count > 2 && $0[1] == path }
        return last.map { ["tmpfs", "ramfs"].contains($0[2]) } ?? false
    }

    /// Removes folders of processes that are no more: their names say whose they were.
    ///
    /// One of this process's own number is of an earlier one, as in containers, where each begins with the same: this one
    /// has made none yet.
    private static func removeOld(in path: String) {
        let own = ProcessInfo.processInfo.processIdentifier
        // Where that cannot be listed there is nothing of ours.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        for name in names where process(of: name).map({ $0 == own || !isRunning($0) }) ?? false {
            // What is somebody else's stays.
            try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
        }
    }

    /// The process whose folder it is; `nil` for anything else.
    static func process(of name: String) -> Int32? {
        let parts = name.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "linnet", parts[2].count == 32, parts[2].allSatisfy(\.isHexDigit) else {
            return nil
        }
        return Int32(parts[1])
    }

    private static func isRunning(_ process: Int32) -> Bool {
        FileManager.default.fileExists(atPath: "/proc/\(process)")
    }

    /// The system's table; `nil` where it keeps none, as on macOS.
    static var systemMounts: String? {
        // What cannot be read says nothing.
        try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)
    }
}
