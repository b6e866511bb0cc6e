internal import NIOCore
internal import NIOHTTPTypesHTTP1

/// Reads much at once from a connection over which a blob comes.
///
/// Whatever the length of a part, it costs a call to the system, and the way to the thread that hashes and writes it and
/// back. Only uploads that have a place are read in large parts: each part is memory, of which a client without a token
/// is to get little.
enum LargeReads {
    /// The largest part, in bytes.
    static let largest = 256 * 1024
    /// The first part, in bytes: a short blob takes no large one.
    private static let first = 64 * 1024

    /// Works while much is read at once, and goes back to small parts at the end, however that comes.
    ///
    /// - Parameter channel: the connection; without it, and where it speaks no HTTP/1, nothing changes.
    /// - Throws: what the work throws.
    static func during<Value>(over channel: (any Channel)?, _ work: () async throws -> Value) async rethrows -> Value {
        guard let channel else { return try await work() }
        let large = AdaptiveRecvByteBufferAllocator(minimum: 1024, initial: first, maximum: largest)
        read(large, from: channel)
        defer { read(AdaptiveRecvByteBufferAllocator(), from: channel) }
        return try await work()
    }

    private static func read(_ sizes: AdaptiveRecvByteBufferAllocator, from channel: any Channel) {
        channel.eventLoop.execute {
            // What stands for a stream of another HTTP traps when it is asked for this.
            let codec = try? channel.pipeline.syncOperations.context(handlerType: HTTP1ToHTTPServerCodec.self)
            guard codec != nil, let options = channel.syncOptions else { return }
            // A connection that was closed meanwhile refuses, and whoever reads from it learns that without this.
            try? options.setOption(.recvAllocator, value: sizes)
            // After each part it is seen whether more is wanted. A connection keeps as many parts for what comes next as it
            // may read at once, and from here on that is one.
            try? options.setOption(.maxMessagesPerRead, value: 1)
        }
    }
}
