import NIOCore

/// Lines of bytes from a socket, none longer than a bound.
struct ControlLines: AsyncSequence {
    /// A line went past the bound.
    struct TooLong: Error {}

    let buffers: NIOAsyncChannelInboundStream<ByteBuffer>
    let longest: Int

    func makeAsyncIterator() -> Iterator {
        Iterator(buffers: buffers.makeAsyncIterator(), longest: longest)
    }

    struct Iterator: AsyncIteratorProtocol {
        var buffers: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator
        let longest: Int
        private var unread = ByteBuffer()
        /// What of ``unread`` has been searched for a line feed.
        private var searched = 0

        init(buffers: NIOAsyncChannelInboundStream<ByteBuffer>.AsyncIterator, longest: Int) {
            self.buffers = buffers
            self.longest = longest
        }

        /// The next whole line; what has no line feed at the end is none.
        mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> [UInt8]? {
            while true {
                let fresh = unread.readableBytesView.dropFirst(searched)
                if let end = fresh.firstIndex(of: 0x0A) {
                    let length = end - unread.readerIndex
                    searched = 0
                    let line = unread.readBytes(length: length)
                    unread.moveReaderIndex(forwardBy: 1)
                    unread.discardReadBytes()
                    return line
                }
                searched = unread.readableBytes
                guard searched <= longest else { throw TooLong() }
                guard var more = try await buffers.next(isolation: actor) else { return nil }
                unread.writeBuffer(&more)
            }
        }
    }
}
