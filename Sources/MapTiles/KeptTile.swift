internal import NostrCore

/// A tile as it lies in the cache.
///
/// Shape: `LTC1`, the moment it was fetched and the moment until which it is fresh (8 bytes each, big-endian seconds), the
/// length of its tag (1 byte), the tag, the picture.
struct KeptTile: Hashable, Sendable {
    static let longestTag = 200
    private static let mark = Array("LTC1".utf8)

    let picture: TilePicture
    let tag: String?
    let fetchedAt: Timestamp
    let freshUntil: Timestamp

    init(picture: TilePicture, tag: String?, fetchedAt: Timestamp, freshUntil: Timestamp) {
        self.picture = picture
        // A tag goes back into a header: only what may stand there (RFC 9110 §8.8.3).
        self.tag = tag.flatMap { tag in
            (1...Self.longestTag).contains(tag.utf8.count) && tag.utf8.allSatisfy { (0x21...0x7E).contains($0) }
                ? tag : nil
        }
        self.fetchedAt = fetchedAt
        self.freshUntil = freshUntil
    }

    /// Reads a file of the cache; `nil` for anything else.
    init?(file: [UInt8]) {
        guard file.count >= 21, file.starts(with: Self.mark) else { return nil }
        func moment(at start: Int) -> Timestamp {
            let number = file[start..<start + 8].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return Timestamp(seconds: Int64(bitPattern: number))
        }
        let tagEnd = 21 + Int(file[20])
        guard file.count >= tagEnd, let picture = TilePicture(Array(file[tagEnd...])) else { return nil }
        self.init(
            picture: picture, tag: String(validating: file[21..<tagEnd], as: UTF8.self), fetchedAt: moment(at: 4),
            freshUntil: moment(at: 12))
    }

    /// The file.
    var file: [UInt8] {
        let tag = Array((tag ?? "").utf8)
        var file = Self.mark
        for moment in [fetchedAt, freshUntil] {
            let number = UInt64(bitPattern: moment.seconds)
            file += stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt64($0)) }
        }
        return file + [UInt8(tag.count)] + tag + picture.bytes
    }
}
