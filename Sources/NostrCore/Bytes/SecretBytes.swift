#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Secret bytes with one owner, lent to a closure and wiped on release.
@safe public struct SecretBytes: ~Copyable, @unchecked Sendable {
    // Unchecked: written in `init` and `deinit` only; a non-copyable value has one owner for both.
    private let storage: UnsafeMutableBufferPointer<UInt8>

    /// Copies the bytes; the caller wipes its own.
    public init(_ bytes: Span<UInt8>) {
        unsafe storage = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        for i in bytes.indices { unsafe storage.initializeElement(at: i, to: bytes[i]) }
    }

    deinit {
        if let base = unsafe storage.baseAddress {
            #if canImport(Darwin)
                unsafe memset_s(base, storage.count, 0, storage.count)
            #else
                unsafe explicit_bzero(base, storage.count)
            #endif
        }
        unsafe storage.deallocate()
    }

    /// How many bytes.
    public var count: Int { unsafe storage.count }

    /// Lends the bytes.
    public borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try body(unsafe storage.span)
    }
}
