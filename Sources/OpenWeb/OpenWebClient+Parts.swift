internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1

extension OpenWebClient {
    /// What an answer says of the bytes that come with it.
    public struct Part: Hashable, Sendable {
        /// Where in the file they begin.
        public let start: Int64
        /// How many bytes the whole file has; `nil` where that is not said.
        public let size: Int64?
        /// Whether they are the part that was asked for; else they are the file from its beginning.
        public let isPart: Bool
    }

    /// Hands on a part of what lies at an address, as it comes: for films, of which players read here and there.
    ///
    /// A way elsewhere is gone, but each step of it begins anew: its host is looked up and judged as the first was.
    /// Nothing packed is taken.
    ///
    /// - Parameters:
    ///   - first: the first byte that is wanted; a server that knows no parts begins with the first of all.
    ///   - last: the last one; `nil` for all that follow.
    ///   - deadline: for all of it, the look-up too.
    ///   - silence: how long the other side may say nothing.
    ///   - take: is awaited before more is read; `false` when it has enough.
    /// - Throws: ``Failure``, what `take` throws, or what says that the task was cancelled.
    public func part(
        at address: String, from first: Int64, to last: Int64?, redirects: Int = 3, deadline: Duration,
        silence: Duration, _ take: (Part, [UInt8]) async throws -> Bool
    ) async throws {
        let end = NIODeadline.now() + TimeAmount(deadline)
        let outgoing = Outgoing(headers: [
            "range": "bytes=\(first)-\(last.map { "\($0)" } ?? "")", "accept-encoding": "identity",
        ])
        var address = address
        for _ in 0...max(0, redirects) {
            let here = address
            let next: String? = try await ask(
                here, accepting: "*/*", as: Self.name, silence: silence, by: end, with: outgoing
            ) { answer in try await Self.partStep(answer, at: here, by: end, take) }
            guard let next else { return }
            address = next
        }
        throw Failure.redirected
    }

    /// Hands an answer on; where it leads, if that is elsewhere.
    private static func partStep(
        _ answer: HTTPClientResponse, at address: String, by end: NIODeadline,
        _ take: (Part, [UInt8]) async throws -> Bool
    ) async throws -> String? {
        let status = Int(answer.status.code)
        if (300..<400).contains(status) {
            guard let location = answer.headers.first(name: "location"), let next = resolved(location, from: address)
            else { throw Failure.redirected }
            return next
        }
        guard status == 200 || status == 206 else { throw Failure.status(status) }
        let packing = answer.headers.first(name: "content-encoding")?.lowercased() ?? "identity"
        guard packing == "identity", let part = Part(answer) else { throw Failure.wrongType }
        for try await bytes in answer.body {
            // The client's own deadline ends with the head of an answer.
            guard NIODeadline.now() < end else { throw Failure.timedOut }
            let isWanted: Bool
            do { isWanted = try await take(part, Array(bytes.readableBytesView)) } catch {
                throw ChunkRefused(why: error)
            }
            guard isWanted else { return nil }
        }
        return nil
    }
}

extension OpenWebClient.Part {
    /// Reads the head of an answer; `nil` for a part that does not say which one it is.
    fileprivate init?(_ answer: HTTPClientResponse) {
        if answer.status.code == 206 {
            guard let field = answer.headers.first(name: "content-range") else { return nil }
            self.init(contentRange: field)
        } else {
            self.init(
                start: 0, size: answer.headers.first(name: "content-length").flatMap { Self.number($0) }, isPart: false)
        }
    }

    /// Reads the field `Content-Range`, such as `bytes 0-511/12345`, or `/*` where nobody knows how long the file is.
    ///
    /// Source: RFC 9110, 14.4.
    init?(contentRange field: String) {
        guard field.lowercased().hasPrefix("bytes ") else { return nil }
        let sides = field.dropFirst("bytes ".count).split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2 else { return nil }
        let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false).map { Self.number($0) }
        guard ends.count == 2, let start = ends[0], let last = ends[1], start <= last else { return nil }
        let size = Self.number(sides[1])
        if sides[1] != "*" {
            guard let size, last < size else { return nil }
        }
        self.init(start: start, size: size, isPart: true)
    }

    /// A number of digits and nothing else.
    private static func number(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int64(text)
    }
}
