internal import Crypto

/// Computes the name of a blob that comes in pieces.
public struct BlobHasher: Sendable {
    private var hasher = SHA256()

    /// Nothing came yet.
    public init() {}

    /// Takes the next bytes.
    public mutating func update(_ bytes: some Sequence<UInt8>) {
        hasher.update(data: Array(bytes))
    }

    /// The name of what came.
    public func finish() -> BlobHash {
        guard let hash = BlobHash(digest: Array(hasher.finalize())) else {
            preconditionFailure("SHA-256 has 32 bytes")
        }
        return hash
    }
}
