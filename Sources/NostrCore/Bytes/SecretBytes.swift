internal import Secp256k1

/// Secret bytes with one owner, lent to a closure and wiped on release.
public struct SecretBytes: ~Copyable, Sendable {
    private let memory: WipedMemory

    /// Copies the bytes; the caller wipes its own.
    public init(_ bytes: Span<UInt8>) {
        self.init(count: bytes.count) { out in
            for i in bytes.indices { out[i] = bytes[i] }
        }
    }

    /// Makes `count` secret bytes in place: `body` fills memory that starts as zeros and is wiped even if it throws.
    public init<E: Error>(count: Int, _ body: (inout MutableSpan<UInt8>) throws(E) -> Void) throws(E) {
        var filled = WipedMemory(count: count)
        try filled.withMutableBytes(body)
        memory = filled
    }

    /// How many bytes.
    public var count: Int { memory.count }

    /// Lends the bytes.
    public borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try memory.withBytes(body)
    }
}
