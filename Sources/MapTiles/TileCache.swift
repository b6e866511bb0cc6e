internal import Crypto
internal import Foundation
public import NostrCore

/// Tiles on disk, bounded in bytes and in age.
///
/// The names of files are keyed hashes, so that a listing tells nobody where somebody looked. The pictures themselves do:
/// who can read this folder can see which places were looked at. So it is only readable by its owner, what was not used
/// for ``Limits/longestUnused`` is deleted, and ``clear()`` deletes all of it.
public actor TileCache {
    /// How much is kept, and how long.
    public struct Limits: Sendable {
        /// The bytes of all files.
        public var bytes: Int
        /// How long a tile stays that nobody looks at.
        public var longestUnused: Duration

        /// A quarter of a gigabyte, ninety days.
        public init(bytes: Int = 256 << 20, longestUnused: Duration = .seconds(90 * 86400)) {
            self.bytes = bytes
            self.longestUnused = longestUnused
        }
    }

    private let folder: URL
    private let limits: Limits
    private let now: @Sendable () -> Timestamp
    private var usage: TileUsage
    private var key: SymmetricKey
    private static let suffix = ".tile"
    private static let keyName = "key"

    /// Opens a folder, made where it is missing; looks once at what lies there.
    ///
    /// - Throws: where the folder cannot be made or written.
    public init(folder path: String, limits: Limits = Limits(), now: @escaping @Sendable () -> Timestamp) throws {
        folder = URL(fileURLWithPath: path, isDirectory: true)
        self.limits = limits
        self.now = now
        usage = TileUsage(limit: limits.bytes)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let keyFile = folder.appendingPathComponent(Self.keyName)
        if let kept = try? Data(contentsOf: keyFile), kept.count == 32 {
            key = SymmetricKey(data: kept)
        } else {
            // The first time, or damaged: older files have names nobody asks for, and go by their age.
            key = try Self.freshKey(in: keyFile)
        }
        for (name, size, usedAt) in Self.found(in: folder) {
            for gone in usage.put(name, size: size, at: usedAt) {
                // What cannot be deleted now is found again at the next start.
                try? FileManager.default.removeItem(at: folder.appendingPathComponent(gone))
            }
        }
    }

    /// The bytes that are kept.
    public var size: Int { usage.size }
    /// The tiles that are kept.
    public var count: Int { usage.count }

    /// Deletes every tile, and the key by which they were named.
    public func clear() throws {
        for (name, _, _) in Self.found(in: folder) {
            try FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
        key = try Self.freshKey(in: folder.appendingPathComponent(Self.keyName))
        usage = TileUsage(limit: limits.bytes)
    }

    /// Deletes what nobody looked at for long.
    public func expire() {
        for name in usage.unused(since: now() - limits.longestUnused) { remove(name) }
    }

    func tile(_ tile: TileAddress, of source: TileSource) -> KeptTile? {
        let name = name(of: tile, source)
        let file = folder.appendingPathComponent(name)
        // A missing file is the ordinary case.
        guard let bytes = try? Data(contentsOf: file) else { return nil }
        guard let kept = KeptTile(file: Array(bytes)) else {
            remove(name)
            return nil
        }
        usage.use(name, at: now())
        // The order survives a restart by the files' dates; without them it is only a little less right.
        try? FileManager.default.setAttributes([.modificationDate: date(now())], ofItemAtPath: file.path)
        return kept
    }

    func keep(_ kept: KeptTile, _ tile: TileAddress, of source: TileSource) {
        let name = name(of: tile, source)
        let bytes = Data(kept.file)
        let file = folder.appendingPathComponent(name)
        do {
            try bytes.write(to: file, options: .atomic)
            try FileManager.default.setAttributes([.modificationDate: date(now())], ofItemAtPath: file.path)
        } catch {
            // A full disk costs the cache, not the map.
            return remove(name)
        }
        for gone in usage.put(name, size: bytes.count, at: now()) { remove(gone) }
    }

    private func remove(_ name: String) {
        usage.drop(name)
        try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }

    private func name(of tile: TileAddress, _ source: TileSource) -> String {
        let message = Array("\(tile.z)/\(tile.x)/\(tile.y) \(source.template)".utf8)
        let code = HMAC<SHA256>.authenticationCode(for: message, using: key)
        return encodeHex(Array(code)) + Self.suffix
    }

    private func date(_ moment: Timestamp) -> Date { Date(timeIntervalSince1970: Double(moment.seconds)) }

    private static func freshKey(in file: URL) throws -> SymmetricKey {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
        try Data(bytes).write(to: file, options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
        return SymmetricKey(data: bytes)
    }

    /// The tiles in a folder, used longest ago first.
    private static func found(in folder: URL) -> [(name: String, size: Int, usedAt: Timestamp)] {
        // A folder that cannot be listed is an empty cache.
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(suffix) }.compactMap { name in
            let path = folder.appendingPathComponent(name).path
            guard let facts = try? FileManager.default.attributesOfItem(atPath: path), let size = facts[.size] as? Int,
                let date = facts[.modificationDate] as? Date
            else { return nil }
            return (name, size, Timestamp(seconds: Int64(date.timeIntervalSince1970.rounded())))
        }.sorted { $0.usedAt < $1.usedAt }
    }
}
