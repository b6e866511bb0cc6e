import Foundation
import Testing

@testable import linnet

@Suite("a folder in memory")
struct MemoryFolderTests {
    private static let mounts = """
        /dev/sda1 / ext4 rw,relatime 0 0
        tmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0
        tmpfs /run/covered tmpfs rw 0 0
        /dev/sdb1 /run/covered ext4 rw 0 0
        """

    @Test(
        "is one that the system says is in memory, whatever it is called",
        arguments: [
            ("/dev/shm", true), ("/", false), ("/dev", false), ("/dev/shm/x", false), ("/run/covered", false),
            ("", false),
        ])
    func kind(path: String, isInMemory: Bool) {
        #expect(MemoryFolder.isInMemory(path, mounts: Self.mounts) == isInMemory)
        #expect(!MemoryFolder.isInMemory(path, mounts: ""))
    }

    @Test("of what lies there only the folders of processes that are no more go")
    func left() throws {
        let path = NSTemporaryDirectory() + "memory-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let name = String(repeating: "ab", count: 16)
        // No system numbers a process so.
        let gone = "linnet-\(Int32.max)-\(name)"
        // This one has made none yet: in a container one that ended had the same number.
        let earlier = "linnet-\(ProcessInfo.processInfo.processIdentifier)-\(name)"
        let running = "linnet-1-\(name)"
        let others = ["linnet-7", "linnet-x-\(name)", "other-\(Int32.max)-\(name)", "linnet-\(Int32.max)-ab"]
        for one in [gone, earlier, running] + others {
            try FileManager.default.createDirectory(
                atPath: "\(path)/\(one)", withIntermediateDirectories: true)
        }
        #expect(MemoryFolder.find(at: path, mounts: nil) == nil)
        #expect(MemoryFolder.find(at: path, mounts: Self.mounts) == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).count == 3 + others.count)
        let found = MemoryFolder.find(at: path, mounts: "tmpfs \(path) tmpfs rw 0 0")
        #expect(found?.path == path)
        let left = Set(try FileManager.default.contentsOfDirectory(atPath: path))
        #expect(!left.contains(gone) && !left.contains(earlier) && left.isSuperset(of: others))
        // Where the system has a table of processes, as the one with such folders does.
        #expect(left.contains(running) == FileManager.default.fileExists(atPath: "/proc/self"))
    }
}
