internal import NostrNIPs

/// What is held back of a recording that should be a certain file, until all of it came.
///
/// So much, rather than the last piece: the server chooses how large its pieces are, and could leave one byte for it.
struct HeldTail {
    /// How many bytes are held back; all of a recording that is shorter.
    static let length = 1 << 20
    /// How many come before some are handed on, so that pieces of one byte do not have all of it moved each time.
    private static let step = 256 << 10

    private var hasher = BlobHasher()
    private(set) var bytes: [UInt8] = []

    /// Takes what came next.
    ///
    /// - Returns: what may be handed on now; may be empty.
    mutating func add(_ piece: [UInt8]) -> [UInt8] {
        hasher.update(piece)
        bytes += piece
        guard bytes.count >= Self.length + Self.step else { return [] }
        let ready = Array(bytes.dropLast(Self.length))
        bytes.removeFirst(ready.count)
        return ready
    }

    /// What file all is that came.
    var hash: BlobHash { hasher.finish() }
}
