#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Memory for secret bytes with one owner, wiped before it is given back.
///
/// Every secret of the program that we hold ourselves lies in one of these. The wipe is a call the optimiser must
/// keep (`explicit_bzero`, `memset_s`), not a loop of ours.
@safe package struct WipedMemory: ~Copyable, @unchecked Sendable {
    // Unchecked: writing takes `mutating` or `deinit`, so the one owner of a non-copyable value writes alone.
    private let storage: UnsafeMutableBufferPointer<UInt8>
    private let inspect: (@Sendable ([UInt8]) -> Void)?

    /// Makes `count` zero bytes.
    ///
    /// - Parameter inspect: is shown the bytes after the wipe and before the memory is given back, so that a test
    ///   can see that nothing is left.
    package init(count: Int, inspect: (@Sendable ([UInt8]) -> Void)? = nil) {
        unsafe storage = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
        unsafe storage.initialize(repeating: 0)
        self.inspect = inspect
    }

    deinit {
        if let base = unsafe storage.baseAddress {
            #if canImport(Darwin)
                unsafe memset_s(base, storage.count, 0, storage.count)
            #else
                unsafe explicit_bzero(base, storage.count)
            #endif
        }
        inspect?(unsafe Array(storage))
        unsafe storage.deallocate()
    }

    /// How many bytes.
    package var count: Int { unsafe storage.count }

    /// Lends the bytes.
    package borrowing func withBytes<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try body(unsafe storage.span)
    }

    /// Lends the bytes for writing.
    package mutating func withMutableBytes<R: ~Copyable, E: Error>(
        _ body: (inout MutableSpan<UInt8>) throws(E) -> R
    ) throws(E) -> R {
        var span = unsafe storage.mutableSpan
        return try body(&span)
    }
}
