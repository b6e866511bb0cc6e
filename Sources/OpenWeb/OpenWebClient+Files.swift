internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1

extension OpenWebClient {
    /// All of a file, whatever its server says it is: for what is sealed, and checked by its hash afterwards.
    ///
    /// A way elsewhere is gone, but each step of it begins anew: its host is looked up and judged as the first was.
    /// Nothing packed is taken.
    ///
    /// - Parameters:
    ///   - near: whether the person typed the server's address, so that it may be of this machine or a private network;
    ///     where it leads elsewhere never is.
    ///   - headers: sent to the host of the address alone, and to none that it leads to.
    ///   - longest: in bytes.
    ///   - redirects: how many steps elsewhere are gone.
    ///   - deadline: for all of it.
    /// - Throws: ``Failure``, or what says that the task was cancelled.
    public func file(
        at address: String, near: Bool = false, headers: [String: String] = [:], longest: Int, redirects: Int = 3,
        deadline: Duration
    ) async throws -> [UInt8] {
        let end = NIODeadline.now() + TimeAmount(deadline)
        var (address, near, headers) = (address, near, headers)
        for _ in 0...max(0, redirects) {
            let here = address
            let step = try await ask(
                here, near: near, accepting: "*/*", by: end, with: Outgoing(headers: headers)
            ) { answer in try await Self.fileStep(answer, at: here, longest, end) }
            switch step {
            case .whole(let bytes): return bytes
            case .elsewhere(let next): (address, near, headers) = (next, false, [:])
            }
        }
        throw Failure.redirected
    }

    private enum FileStep: Sendable {
        case whole([UInt8])
        case elsewhere(String)
    }

    private static func fileStep(
        _ answer: HTTPClientResponse, at address: String, _ longest: Int, _ end: NIODeadline
    ) async throws -> FileStep {
        let status = Int(answer.status.code)
        if (300..<400).contains(status) {
            guard let location = answer.headers.first(name: "location"), let next = resolved(location, from: address)
            else { throw Failure.redirected }
            return .elsewhere(next)
        }
        guard status == 200 else { throw Failure.status(status) }
        let packing = answer.headers.first(name: "content-encoding")?.lowercased() ?? "identity"
        guard packing == "identity" else { throw Failure.wrongType }
        // Said at once: what is too long need not be read to its limit.
        if let length = answer.headers.first(name: "content-length").flatMap({ Int($0) }), length > longest {
            throw Failure.tooLong
        }
        var bytes: [UInt8] = []
        for try await part in answer.body {
            guard bytes.count + part.readableBytes <= longest else { throw Failure.tooLong }
            bytes += part.readableBytesView
            // Whoever sends a byte now and then is not waited for.
            guard NIODeadline.now() < end else { throw Failure.timedOut }
        }
        return .whole(bytes)
    }
}
