import Foundation
import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import NostrClient

/// Files that were found on other servers than those that notes name, as they are kept.
@Suite("found files on disk")
struct KeptBlobsTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("found-\(UUID().uuidString)")

    private func moment(_ hours: Int64) -> Timestamp { Timestamp(seconds: 1_700_000_000 + hours * 3600) }

    private func put(_ bytes: [UInt8], into kept: inout KeptBlobs, at hours: Int64) throws -> BlobHash {
        let file = folder.appendingPathComponent("\(hours).part")
        try Data(bytes).write(to: file)
        let blob = FetchedBlob(hash: BlobHash(of: bytes), size: Int64(bytes.count), type: "image/png")
        _ = try kept.keep(file, blob, type: blob.type, now: moment(hours))
        return blob.hash
    }

    @Test("what was not asked for longest goes first, also after a restart")
    func order() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var kept = KeptBlobs(folder)
        let first = try put([1, 1, 1], into: &kept, at: 0)
        let second = try put([2, 2, 2], into: &kept, at: 1)
        let third = try put([3, 3, 3], into: &kept, at: 2)
        // The oldest is looked at again; the second is then the one that nobody wants.
        let looked = kept.file(first, now: moment(3))
        #expect(looked?.size == 3 && looked?.type == "image/png")
        var later = KeptBlobs(folder)
        #expect(later.count == 3 && later.bytes == 9)
        later.makeRoom(6)
        let left = [first, second, third].map { later.file($0, now: moment(4)) != nil }
        #expect(left == [true, false, true] && later.bytes == 6)
    }

    @Test("all of it goes when it is emptied; what is just being fetched stays, and what is no file of ours goes")
    func emptied() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data([9]).write(to: folder.appendingPathComponent("half.part"))
        var kept = KeptBlobs(folder)
        let swept = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(kept.count == 0 && swept == [])
        let hash = try put([1, 2, 3], into: &kept, at: 0)
        try Data([9]).write(to: folder.appendingPathComponent("new.part"))
        try kept.clear()
        let gone = kept.file(hash, now: moment(1)) == nil
        #expect(gone && kept.count == 0 && kept.bytes == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left == ["new.part"])
    }
}
