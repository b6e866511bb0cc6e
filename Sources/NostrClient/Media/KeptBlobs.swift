internal import Foundation
internal import NostrCore
internal import NostrNIPs

/// The files of a ``MediaFinder``: what lies in its folder, and which of it is used.
///
/// A file's name says what it is: the hash, and the type with a dot for its slash. Its date is when it was asked for
/// last, so that the order survives a restart. Shape of names: `ab…cd.image.png`.
struct KeptBlobs {
    private struct Entry {
        var size: Int64
        var type: String
        /// When it was asked for, as far as its date says.
        var dated: Timestamp
        /// Its place in the order of this run; 0 where nobody asked yet.
        var used: Int
    }

    /// How exact the date is: a player asks for many parts of one film, and a date is written no oftener.
    private static let exactness: Duration = .seconds(60)

    let folder: URL
    private(set) var bytes: Int64 = 0
    private var entries: [BlobHash: Entry] = [:]
    private var uses = 0

    var count: Int { entries.count }

    /// Looks at a folder; what a stopped program left half done goes.
    init(_ folder: URL) {
        self.folder = folder
        // What cannot be listed is as good as empty.
        for name in ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() {
            let file = folder.appendingPathComponent(name)
            guard let (hash, entry) = Self.found(file, name), entries[hash] == nil else {
                // What cannot be deleted now is found again at the next start.
                try? FileManager.default.removeItem(at: file)
                continue
            }
            entries[hash] = entry
            bytes += entry.size
        }
    }

    /// A file, which counts as asked for; `nil` where there is none, or somebody else deleted it.
    mutating func file(_ hash: BlobHash, now: Timestamp) -> FoundFile? {
        guard let entry = entries[hash] else { return nil }
        let file = path(hash, entry.type)
        guard FileManager.default.fileExists(atPath: file.path) else {
            forget(hash)
            return nil
        }
        uses += 1
        entries[hash]?.used = uses
        if now - Self.exactness > entry.dated || entry.dated > now {
            entries[hash]?.dated = now
            Self.date(file, now)
        }
        return FoundFile(file: file, size: entry.size, type: entry.type)
    }

    /// Keeps a file that is whole, by giving it its name.
    mutating func keep(_ file: URL, _ blob: FetchedBlob, type: String, now: Timestamp) throws -> FoundFile {
        let final = path(blob.hash, type)
        if let old = entries[blob.hash] {
            try? FileManager.default.removeItem(at: path(blob.hash, old.type))
            forget(blob.hash)
        }
        Self.date(file, now)
        // Within one folder this happens wholly or not at all.
        try? FileManager.default.removeItem(at: final)
        try FileManager.default.moveItem(at: file, to: final)
        uses += 1
        entries[blob.hash] = Entry(size: blob.size, type: type, dated: now, used: uses)
        bytes += blob.size
        return FoundFile(file: final, size: blob.size, type: type)
    }

    /// Deletes what was not asked for longest until so many bytes are left; one stays in any case.
    mutating func makeRoom(_ limit: Int64, but newest: BlobHash? = nil) {
        guard bytes > limit else { return }
        let oldest = entries.sorted { one, other in
            (one.value.used, one.value.dated, one.key) < (other.value.used, other.value.dated, other.key)
        }
        for (hash, entry) in oldest where bytes > limit && hash != newest {
            // What cannot be deleted now is found again at the next start.
            try? FileManager.default.removeItem(at: path(hash, entry.type))
            forget(hash)
        }
    }

    /// Deletes everything; what is just being fetched goes by itself.
    mutating func clear() throws {
        for (hash, entry) in entries {
            let file = path(hash, entry.type)
            if FileManager.default.fileExists(atPath: file.path) { try FileManager.default.removeItem(at: file) }
            forget(hash)
        }
    }

    private mutating func forget(_ hash: BlobHash) {
        guard let entry = entries.removeValue(forKey: hash) else { return }
        bytes -= entry.size
    }

    private func path(_ hash: BlobHash, _ type: String) -> URL {
        folder.appendingPathComponent(hash.hex + "." + type.map { $0 == "/" ? "." : "\($0)" }.joined())
    }

    /// What a file's name and facts say.
    private static func found(_ file: URL, _ name: String) -> (BlobHash, Entry)? {
        let parts = name.split(separator: ".", maxSplits: 2)
        guard parts.count == 3, let hash = BlobHash(hex: parts[0]),
            // A file without facts is none.
            let facts = try? FileManager.default.attributesOfItem(atPath: file.path),
            facts[.type] as? FileAttributeType == .typeRegular,
            let size = facts[.size] as? Int, let dated = facts[.modificationDate] as? Date
        else { return nil }
        let moment = Timestamp(seconds: Int64(dated.timeIntervalSince1970.rounded()))
        return (hash, Entry(size: Int64(size), type: "\(parts[1])/\(parts[2])", dated: moment, used: 0))
    }

    /// Without its date a file only goes earlier or later than it should.
    private static func date(_ file: URL, _ moment: Timestamp) {
        try? FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: Double(moment.seconds))], ofItemAtPath: file.path)
    }
}
