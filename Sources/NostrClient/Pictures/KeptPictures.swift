internal import Foundation
internal import NostrCore
internal import NostrNIPs

/// The files of a ``PictureCache``: what lies in its folder, and which of it is used.
///
/// A file's name says what it is, and its date when it was looked at last, so that nothing else has to be kept to find it
/// again. Shape of names: the hash of the address, the size, when it was fetched, the type: `ab…cd.small.1700000000.image.png`.
struct KeptPictures {
    /// Which picture.
    struct Name: Hashable {
        /// The hash of its address.
        let address: BlobHash
        /// How large; `nil` as it came, where nothing smaller could be made of it.
        let size: PictureSize?
    }

    struct Entry {
        let bytes: Int64
        let type: String
        let fetched: Timestamp
        var used: Timestamp
    }

    static let part = "part"
    /// How exact the date of the last look is: a date is written no oftener.
    private static let lookedAt: Duration = .seconds(3600)

    let folder: URL
    private(set) var bytes: Int64 = 0
    private var entries: [Name: Entry] = [:]

    var count: Int { entries.count }

    /// Looks at a folder, made where it is missing; what a stopped program left half done goes.
    init(_ folder: URL) throws {
        self.folder = folder
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() {
            let path = folder.appendingPathComponent(name)
            guard let (key, entry) = Self.found(path, name), entries[key] == nil else {
                // What cannot be deleted now is found again at the next start.
                try? FileManager.default.removeItem(at: path)
                continue
            }
            entries[key] = entry
            bytes += entry.bytes
        }
    }

    /// A picture of this size, or as it came.
    func entry(_ address: BlobHash, _ size: PictureSize) -> (name: Name, entry: Entry)? {
        for name in [Name(address: address, size: size), Name(address: address, size: nil)] {
            if let entry = entries[name] { return (name, entry) }
        }
        return nil
    }

    /// The file of an entry, which counts as looked at; `nil` where somebody else deleted it.
    mutating func file(_ name: Name, now: Timestamp) -> FoundFile? {
        guard let entry = entries[name] else { return nil }
        let path = path(name, entry)
        guard FileManager.default.fileExists(atPath: path.path) else {
            forget(name)
            return nil
        }
        if now - Self.lookedAt > entry.used || entry.used > now {
            entries[name]?.used = now
            date(path, now)
        }
        return FoundFile(file: path, size: entry.bytes, type: entry.type)
    }

    /// Takes a whole file up by giving it its name, in place of one from before.
    mutating func keep(_ file: URL, as name: Name, bytes size: Int64, type: String, now: Timestamp) throws {
        let entry = Entry(bytes: size, type: type, fetched: now, used: now)
        let target = path(name, entry)
        if let old = entries[name] { remove(name, old) }
        date(file, now)
        // Within one folder this happens wholly or not at all.
        try? FileManager.default.removeItem(at: target)
        try FileManager.default.moveItem(at: file, to: target)
        entries[name] = entry
        bytes += size
    }

    /// Deletes what is kept of an address in some sizes, and as it came.
    mutating func remove(_ address: BlobHash, _ sizes: [PictureSize]) {
        for size in sizes.map(Optional.some) + [nil] {
            let name = Name(address: address, size: size)
            if let entry = entries[name] { remove(name, entry) }
        }
    }

    /// Deletes what was not looked at longest until so many bytes are left; one address stays in any case.
    mutating func makeRoom(_ limit: Int64, but newest: BlobHash? = nil) {
        guard bytes > limit else { return }
        // A little more than has to be, so that this is not done for each file.
        let aim = limit - limit / 20
        let oldest = entries.sorted { one, other in
            (one.value.used, one.key.address, one.key.size?.rawValue ?? "")
                < (other.value.used, other.key.address, other.key.size?.rawValue ?? "")
        }
        for (name, entry) in oldest where bytes > aim && name.address != newest { remove(name, entry) }
    }

    /// Deletes everything.
    mutating func clear() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let path = folder.appendingPathComponent(name)
            // What is just being fetched and made goes by itself.
            if Self.found(path, name) != nil { try FileManager.default.removeItem(at: path) }
        }
        entries = [:]
        bytes = 0
    }

    private mutating func remove(_ name: Name, _ entry: Entry) {
        // What cannot be deleted now is found again at the next start.
        try? FileManager.default.removeItem(at: path(name, entry))
        forget(name)
    }

    private mutating func forget(_ name: Name) {
        guard let entry = entries.removeValue(forKey: name) else { return }
        bytes -= entry.bytes
    }

    private func path(_ name: Name, _ entry: Entry) -> URL {
        let type = entry.type.map { $0 == "/" ? "." : "\($0)" }.joined()
        let size = name.size?.rawValue ?? Self.asItCame
        return folder.appendingPathComponent("\(name.address.hex).\(size).\(entry.fetched.seconds).\(type)")
    }

    private static let asItCame = "whole"

    /// What a file's name says.
    private static func found(_ path: URL, _ name: String) -> (Name, Entry)? {
        let parts = name.split(separator: ".", maxSplits: 4)
        guard parts.count == 5, let address = BlobHash(hex: parts[0]), let seconds = Int64(parts[2]),
            parts[1] == asItCame || PictureSize(rawValue: String(parts[1])) != nil,
            // A file without facts is none.
            let facts = try? FileManager.default.attributesOfItem(atPath: path.path),
            facts[.type] as? FileAttributeType == .typeRegular,
            let size = facts[.size] as? Int, size > 0, let used = facts[.modificationDate] as? Date
        else { return nil }
        let entry = Entry(
            bytes: Int64(size), type: "\(parts[3])/\(parts[4])", fetched: Timestamp(seconds: seconds),
            used: Timestamp(seconds: Int64(used.timeIntervalSince1970.rounded())))
        return (Name(address: address, size: PictureSize(rawValue: String(parts[1]))), entry)
    }

    /// The order survives a restart by the files' dates; without them it is only a little less right.
    private func date(_ file: URL, _ moment: Timestamp) {
        try? FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: Double(moment.seconds))], ofItemAtPath: file.path)
    }
}
