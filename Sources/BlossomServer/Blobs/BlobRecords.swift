internal import NostrCore
internal import NostrNIPs
internal import NostrStore

/// What is known of a blob besides its bytes.
struct KeptBlob: Hashable, Sendable {
    let hash: BlobHash
    let size: Int
    let type: String
    /// When it came first; in a list of somebody's blobs, when they brought it.
    var uploaded: Timestamp
}

/// Who owns which blob, in a record store.
///
/// Tables: `blob` (hash → size, type, moment), `owner` (hash/key → moment), `owned` (key/moment backwards/hash, so that the
/// newest comes first), `used` (key → bytes). Each change is one step: all of it is there after a crash, or nothing.
/// Whoever changes something has a gate for the blob and one for the owner, since reading and writing back are two steps.
struct BlobRecords: Sendable {
    let store: any RecordStore

    /// What is known of a blob; `nil` when it is not kept.
    func blob(_ hash: BlobHash) async throws -> KeptBlob? {
        try await store.value(hash.hex, in: "blob").flatMap { Self.blob(hash, $0) }
    }

    /// How many bytes somebody's blobs have, each counted whole for each who owns it.
    func used(by owner: PublicKey) async throws -> Int {
        try await store.value(owner.hex, in: "used").flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
    }

    /// Whether somebody owns a blob.
    func owns(_ owner: PublicKey, _ hash: BlobHash) async throws -> Bool {
        try await moment(owner, hash) != nil
    }

    /// Makes somebody an owner of a blob that is in its place; nothing changes when they are already.
    func add(_ owner: PublicKey, to blob: KeptBlob, now: Timestamp) async throws {
        guard try await !owns(owner, blob.hash) else { return }
        let used = try await used(by: owner) + blob.size
        try await store.apply([
            .put(table: "blob", key: blob.hash.hex, value: Self.value(of: blob)),
            .put(table: "owner", key: "\(blob.hash.hex)/\(owner.hex)", value: Array("\(now.seconds)".utf8)),
            .put(table: "owned", key: Self.key(owner, now, blob.hash), value: []),
            .put(table: "used", key: owner.hex, value: Array("\(used)".utf8)),
        ])
    }

    /// Ends somebody's owning of a blob.
    ///
    /// - Returns: whether nobody owns it any more; it is then not known any more either.
    func remove(_ owner: PublicKey, from blob: KeptBlob) async throws -> Bool {
        guard let since = try await moment(owner, blob.hash) else { return false }
        let isLast = try await store.records(in: "owner", prefix: "\(blob.hash.hex)/", after: nil, limit: 2).count == 1
        let used = max(0, try await used(by: owner) - blob.size)
        var changes: [RecordChange] = [
            .remove(table: "owner", key: "\(blob.hash.hex)/\(owner.hex)"),
            .remove(table: "owned", key: Self.key(owner, since, blob.hash)),
            .put(table: "used", key: owner.hex, value: Array("\(used)".utf8)),
        ]
        if isLast { changes.append(.remove(table: "blob", key: blob.hash.hex)) }
        try await store.apply(changes)
        return isLast
    }

    /// Somebody's blobs, the newest first.
    ///
    /// - Parameters:
    ///   - last: the last blob of the page before; `nil` for the first page.
    ///   - since: the oldest moment wanted.
    ///   - until: the newest moment wanted.
    /// - Returns: `nil` when `last` is none of theirs.
    func list(
        of owner: PublicKey, after last: BlobHash?, since: Timestamp?, until: Timestamp?, limit: Int
    ) async throws -> [KeptBlob]? {
        var key: String?
        if let last {
            guard let moment = try await moment(owner, last) else { return nil }
            key = Self.key(owner, moment, last)
        }
        // Keys run backwards in time: the first that is old enough comes right behind this one.
        if let until {
            let bound = "\(owner.hex)/\(Self.backwards(until))"
            if key.map({ $0 < bound }) ?? true { key = bound }
        }
        let rows = try await store.records(in: "owned", prefix: "\(owner.hex)/", after: key, limit: limit)
        var found: [KeptBlob] = []
        for row in rows {
            guard let (moment, hash) = Self.read(row.key) else { continue }
            if let since, moment < since { break }
            guard var blob = try await blob(hash) else { continue }
            blob.uploaded = moment
            found.append(blob)
        }
        return found
    }

    /// Up to so many blobs in the order of their hashes, from behind one on.
    func blobs(after hash: BlobHash?, limit: Int) async throws -> [KeptBlob] {
        try await store.records(in: "blob", prefix: "", after: hash?.hex, limit: limit).compactMap { row in
            BlobHash(hex: row.key).flatMap { Self.blob($0, row.value) }
        }
    }

    private func moment(_ owner: PublicKey, _ hash: BlobHash) async throws -> Timestamp? {
        try await store.value("\(hash.hex)/\(owner.hex)", in: "owner")
            .flatMap { Int64(String(decoding: $0, as: UTF8.self)) }.map(Timestamp.init(seconds:))
    }

    private static func key(_ owner: PublicKey, _ moment: Timestamp, _ hash: BlobHash) -> String {
        "\(owner.hex)/\(backwards(moment))/\(hash.hex)"
    }

    /// A moment as text that sorts the newest first.
    private static func backwards(_ moment: Timestamp) -> String {
        let digits = String(Int64.max - max(0, moment.seconds), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    private static func read(_ key: String) -> (Timestamp, BlobHash)? {
        let parts = key.split(separator: "/")
        guard parts.count == 3, let backwards = Int64(parts[1], radix: 16), let hash = BlobHash(hex: parts[2]) else {
            return nil
        }
        return (Timestamp(seconds: Int64.max - backwards), hash)
    }

    private static func value(of blob: KeptBlob) -> [UInt8] {
        JSONValue.object([
            JSONMember("size", .number("\(blob.size)")), JSONMember("type", .string(blob.type)),
            JSONMember("uploaded", .number("\(blob.uploaded.seconds)")),
        ]).json
    }

    private static func blob(_ hash: BlobHash, _ value: [UInt8]) -> KeptBlob? {
        // A record that cannot be read is that of no blob; whoever brings the blob again writes it anew.
        guard let value = try? JSONValue(value), let size = value["size"]?.integer.flatMap(Int.init(exactly:)),
            let type = value["type"]?.string, let uploaded = value["uploaded"]?.integer
        else { return nil }
        return KeptBlob(hash: hash, size: size, type: type, uploaded: Timestamp(seconds: uploaded))
    }
}
