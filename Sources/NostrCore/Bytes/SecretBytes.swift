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

    /// Makes `count` secret bytes in place: `body` fills memory that starts as zeros and is wiped even if it throws.
    public init<E: Error>(count: Int, _ body: (inout MutableSpan<UInt8>) throws(E) -> Void) throws(E) {
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
        unsafe buffer.initialize(repeating: 0)
        var span = unsafe buffer.mutableSpan
        do {
            try body(&span)
        } catch {
            unsafe wipe(buffer)
            unsafe buffer.deallocate()
            throw error
        }
        unsafe storage = buffer
    }

    deinit {
        unsafe wipe(storage)
        unsafe storage.deallocate()
    }

    /// How many bytes.
    public var count: Int { unsafe storage.count }

    /// Lends the bytes.
    public borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try body(unsafe storage.span)
    }
}

/// Overwrites memory in a way the optimiser must keep.
private func wipe(_ memory: UnsafeMutableBufferPointer<UInt8>) {
    guard let base = memory.baseAddress else { return }
    #if canImport(Darwin)
        unsafe memset_s(base, memory.count, 0, memory.count)
    #else
        unsafe explicit_bzero(base, memory.count)
    #endif
}
