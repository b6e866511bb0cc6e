internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1

extension OpenWebClient {
    /// Hands on what is at an address that begins with `https://`, as it comes: for what is too long to be in memory.
    ///
    /// - Parameters:
    ///   - longest: in bytes.
    ///   - deadline: for all of it, the look-up too.
    ///   - silence: how long the other side may say nothing.
    ///   - chunk: is awaited before more is read.
    /// - Returns: the `Content-Type` that the other side named.
    /// - Throws: ``Failure``, what `chunk` throws, or what says that the task was cancelled.
    public func stream(
        at address: String, longest: Int, deadline: Duration, silence: Duration = .seconds(30),
        chunk: @escaping @Sendable ([UInt8]) async throws -> Void
    ) async throws -> String? {
        let end = NIODeadline.now() + TimeAmount(deadline)
        return try await ask(address, accepting: "*/*", silence: silence, by: end) { answer in
            let status = Int(answer.status.code)
            if (300..<400).contains(status) { throw Failure.redirected }
            guard status == 200 else { throw Failure.status(status) }
            if let length = answer.headers.first(name: "content-length").flatMap({ Int($0) }), length > longest {
                throw Failure.tooLong
            }
            var count = 0
            for try await part in answer.body {
                count += part.readableBytes
                guard count <= longest else { throw Failure.tooLong }
                // The client's own deadline ends with the head of an answer.
                guard NIODeadline.now() < end else { throw Failure.timedOut }
                do { try await chunk(Array(buffer: part)) } catch { throw ChunkRefused(why: error) }
            }
            return answer.headers.first(name: "content-type")
        }
    }

    /// What whoever takes the chunks throws, on its way past this client's own failures.
    struct ChunkRefused: Error {
        let why: any Error
    }
}
