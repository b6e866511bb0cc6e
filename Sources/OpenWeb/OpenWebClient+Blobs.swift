internal import AsyncHTTPClient
public import Foundation
internal import NIOCore
internal import NIOHTTP1

/// Requests that bring files and fetch them, as media servers take them.
extension OpenWebClient {
    /// What goes along with a request.
    public enum RequestBody: Sendable {
        case none
        case bytes([UInt8])
        /// A file, read while it is sent.
        case file(URL, size: Int64)
    }

    /// What came back, whatever it says.
    public struct Answer: Sendable {
        /// The HTTP status.
        public let status: Int
        /// The fields of its head, names in lowercase, of each the first.
        public let headers: [String: String]
        /// What came, as far as it was to be read.
        public let body: [UInt8]
    }

    /// Sends a request; no way elsewhere is gone.
    ///
    /// - Parameters:
    ///   - near: whether the person typed this very address, so that it may be of this machine or a private network.
    ///   - longest: how many bytes of the answer are read.
    ///   - deadline: for all of it, the look-up too.
    ///   - progress: told how many bytes of a file are on their way.
    /// - Throws: ``Failure``, or what says that the task was cancelled.
    public func exchange(
        _ method: String, at address: String, near: Bool = false, headers: [String: String], body: RequestBody,
        longest: Int, deadline: Duration, progress: @escaping @Sendable (Int64) -> Void
    ) async throws -> Answer {
        let outgoing = Outgoing(
            method: HTTPMethod(rawValue: method), headers: headers, body: Self.body(body, progress))
        let end = NIODeadline.now() + TimeAmount(deadline)
        return try await ask(address, near: near, accepting: "*/*", as: Self.name, by: end, with: outgoing) { answer in
            var bytes: [UInt8] = []
            if method != "HEAD" {
                for try await part in answer.body {
                    bytes += part.readableBytesView.prefix(longest - bytes.count)
                    if bytes.count >= longest { break }
                    // Whoever sends a byte now and then is not waited for.
                    guard NIODeadline.now() < end else { throw Failure.timedOut }
                }
            }
            return Answer(status: Int(answer.status.code), headers: Self.fields(answer), body: bytes)
        }
    }

    /// Reads what lies at an address, piece by piece.
    ///
    /// A way elsewhere is gone, but each step of it begins anew: its host is looked up and judged as the first was.
    ///
    /// - Parameters:
    ///   - near: whether the person typed this very address, so that it may be of this machine or a private network;
    ///     where it leads elsewhere never is.
    ///   - headers: sent to the host of the address alone, and to none that it leads to.
    ///   - longest: more bytes than that are a failure.
    ///   - take: given each piece; what it throws ends the reading.
    /// - Returns: what the server says it is: the field `Content-Type`.
    /// - Throws: ``Failure``, what `take` throws, or what says that the task was cancelled.
    public func stream(
        from address: String, near: Bool = false, headers: [String: String] = [:], longest: Int64, redirects: Int = 3,
        deadline: Duration,
        _ take: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws -> String {
        let end = NIODeadline.now() + TimeAmount(deadline)
        var (address, near, headers) = (address, near, headers)
        for _ in 0...max(0, redirects) {
            let here = address
            let step: (type: String?, next: String?) = try await ask(
                here, near: near, accepting: "*/*", as: Self.name, by: end, with: Outgoing(headers: headers)
            ) { answer in
                let status = Int(answer.status.code)
                if (300..<400).contains(status) {
                    guard let location = answer.headers.first(name: "location"),
                        let next = Self.resolved(location, from: here)
                    else { throw Failure.redirected }
                    return (nil, next)
                }
                guard status == 200 else { throw Failure.status(status) }
                var size: Int64 = 0
                for try await part in answer.body {
                    size += Int64(part.readableBytes)
                    guard size <= longest else { throw Failure.tooLong }
                    guard NIODeadline.now() < end else { throw Failure.timedOut }
                    try take(Array(part.readableBytesView))
                }
                return (answer.headers.first(name: "content-type") ?? "", nil)
            }
            if let type = step.type { return type }
            (address, near, headers) = (step.next ?? address, false, [:])
        }
        throw Failure.redirected
    }

    /// Some servers answer nobody without a name.
    static let name = "Linnet"

    private static func body(
        _ body: RequestBody, _ progress: @escaping @Sendable (Int64) -> Void
    ) -> HTTPClientRequest.Body? {
        switch body {
        case .none: nil
        case .bytes(let bytes): .bytes(ByteBuffer(bytes: bytes))
        case .file(let file, let size): .stream(FilePieces(file: file, progress: progress), length: .known(size))
        }
    }

    private static func fields(_ answer: HTTPClientResponse) -> [String: String] {
        var fields: [String: String] = [:]
        for (name, value) in answer.headers where fields[name.lowercased()] == nil && fields.count < 100 {
            fields[name.lowercased()] = String(value.prefix(8192))
        }
        return fields
    }
}
