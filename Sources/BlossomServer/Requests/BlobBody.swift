internal import Hummingbird
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypesHTTP1

#if canImport(Glibc)
    internal import Glibc
#endif

/// The body of an answer that is a blob, or a part of one.
///
/// Over plain HTTP/1 the system sends the file itself, so that its bytes never pass through this program. Over any
/// other connection they are read, and written as the client takes them.
enum BlobBody {
    /// How much is read and written at once where the system does not send it, in bytes.
    private static let piece = BlobStore.chunk
    /// How much is sent before the connection's own task goes on, in bytes; a client that stands still in it meets
    /// ``TransferPace``.
    private static let share = 1 << 20

    /// - Parameter channel: the connection; `nil` where it is not known.
    static func of(_ file: OpenBlob, _ range: Range<Int>, over channel: (any Channel)?) -> ResponseBody {
        ResponseBody(contentLength: range.count) { writer in
            for start in stride(from: range.lowerBound, to: range.upperBound, by: share) {
                let part = start..<min(start + share, range.upperBound)
                // Threads that answer others do not wait for the disk.
                if !file.isInMemory(part) { try await onDisk { file.warm(part) } }
                if try await isSent(file, part, over: channel) { continue }
                for start in stride(from: part.lowerBound, to: part.upperBound, by: piece) {
                    let count = min(piece, part.upperBound - start)
                    let bytes = try await onDisk { try file.read(at: start, count: count) }
                    // The length was promised; a client whose connection breaks knows that it has not all.
                    guard bytes.readableBytes == count else { throw DiskFailure.cutShort }
                    try await writer.write(bytes)
                }
            }
            try await writer.finish(nil)
        }
    }

    /// Has the system send a part of a file, and waits until it did.
    ///
    /// - Returns: false where the connection is of another kind.
    private static func isSent(
        _ file: OpenBlob, _ part: Range<Int>, over channel: (any Channel)?
    ) async throws -> Bool {
        guard let channel else { return false }
        let handle = file.lent()
        // Who lent it closes it.
        defer { _ = try? handle.takeDescriptorOwnership() }
        // The head was handed to the same loop before, so it goes out before.
        let wasSent = try await channel.eventLoop.flatSubmit { () -> EventLoopFuture<Bool> in
            // What this handler writes may be a file; a connection without it speaks another HTTP.
            let codec = try? channel.pipeline.syncOperations.context(handlerType: HTTP1ToHTTPServerCodec.self)
            guard let codec else { return channel.eventLoop.makeSucceededFuture(false) }
            return send(handle, part, codec).map { true }
        }.get()
        return withExtendedLifetime(file) { wasSent }
    }

    /// Sends a part, behind the answer's head, which waits for it in the same connection.
    private static func send(
        _ handle: NIOFileHandle, _ part: Range<Int>, _ codec: ChannelHandlerContext
    ) -> EventLoopFuture<Void> {
        let region = FileRegion(fileHandle: handle, readerIndex: part.lowerBound, endIndex: part.upperBound)
        let sent = codec.eventLoop.makePromise(of: Void.self)
        gatherPackets(codec.channel, true)
        codec.writeAndFlush(NIOAny(HTTPServerResponsePart.body(.fileRegion(region))), promise: sent)
        gatherPackets(codec.channel, false)
        return sent.futureResult
    }

    /// Has the system fill packets across several writes, so that the head and what follows it go and wake the client
    /// together, or send what it has gathered.
    ///
    /// Source: tcp(7), TCP_CORK.
    private static func gatherPackets(_ channel: any Channel, _ isGathering: Bool) {
        #if canImport(Glibc)
            let option = ChannelOptions.Types.SocketOption(level: .tcp, name: NIOBSDSocket.Option(rawValue: TCP_CORK))
            // A connection without packets sends all the same, and one that is closed says so to the write.
            try? channel.syncOptions?.setOption(option, value: isGathering ? 1 : 0)
        #endif
    }
}
