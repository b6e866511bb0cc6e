#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Overwrites memory in a way the optimiser must keep.
package func wipe(_ pointer: UnsafeMutableRawPointer, count: Int) {
    #if canImport(Darwin)
        unsafe memset_s(pointer, count, 0, count)
    #else
        unsafe explicit_bzero(pointer, count)
    #endif
}

/// Lends zeroed memory for secret bytes and wipes it afterwards, also when `body` throws.
///
/// - Parameter inspect: sees the memory after the wipe and before it is given back, so that a test can look.
package func withWipedBytes<R, E: Error>(
    count: Int, inspect: (UnsafeBufferPointer<UInt8>) -> Void = { _ in },
    _ body: (UnsafeMutableBufferPointer<UInt8>) throws(E) -> R
) throws(E) -> R {
    let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: count)
    unsafe buffer.initialize(repeating: 0)
    defer {
        if let base = buffer.baseAddress { unsafe wipe(UnsafeMutableRawPointer(base), count: count) }
        unsafe inspect(UnsafeBufferPointer(buffer))
        unsafe buffer.deallocate()
    }
    return try unsafe body(buffer)
}
