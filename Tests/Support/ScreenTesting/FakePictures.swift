import Foundation
public import NostrClient
public import NostrNIPs

/// Pictures of others in memory and in a folder of their own: what a test put at an address is there.
public actor FakePictures: PictureCaching {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("fake-\(UUID().uuidString)")
    private var files: [String: FoundFile] = [:]
    private var limit = KeptMediaUsage.usualLimit
    /// What was asked for, in order: a size and an address.
    public private(set) var asked: [String] = []
    /// Whether it was emptied.
    public private(set) var isCleared = false

    /// Nothing at first.
    public init() {}

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Puts a picture at an address.
    public func put(_ bytes: [UInt8], type: String, at address: String) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("\(files.count)")
        try Data(bytes).write(to: file)
        files[address] = FoundFile(file: file, size: Int64(bytes.count), type: type)
    }

    public func picture(at address: String, _ size: PictureSize, hash: BlobHash?) async throws -> FoundFile? {
        asked.append("\(size.rawValue) \(address)\(hash.map { " " + $0.hex } ?? "")")
        return files[address]
    }

    public func usage() async throws -> KeptMediaUsage {
        KeptMediaUsage(bytes: files.values.reduce(0) { $0 + $1.size }, count: files.count, limit: limit)
    }

    public func setLimit(_ limit: Int64) async throws { self.limit = limit }

    public func clear() async throws {
        files = [:]
        isCleared = true
    }
}
