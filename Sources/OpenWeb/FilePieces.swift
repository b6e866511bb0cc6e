internal import Foundation
internal import NIOCore

/// A file as pieces, each read when the one before it is on its way.
struct FilePieces: AsyncSequence, Sendable {
    typealias Element = ByteBuffer
    private static let piece = 64 << 10

    let file: URL
    /// Told how many bytes were handed on.
    let progress: @Sendable (Int64) -> Void

    /// Reads one piece after the other.
    struct AsyncIterator: AsyncIteratorProtocol {
        let file: URL
        let progress: @Sendable (Int64) -> Void
        private var handle: FileHandle?
        private var count: Int64 = 0

        init(file: URL, progress: @escaping @Sendable (Int64) -> Void) {
            self.file = file
            self.progress = progress
        }

        mutating func next() async throws -> ByteBuffer? {
            let open = try handle ?? FileHandle(forReadingFrom: file)
            handle = open
            guard let bytes = try open.read(upToCount: FilePieces.piece), !bytes.isEmpty else { return nil }
            count += Int64(bytes.count)
            progress(count)
            return ByteBuffer(bytes: bytes)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(file: file, progress: progress) }
}
