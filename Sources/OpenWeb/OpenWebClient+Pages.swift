internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1

extension OpenWebClient {
    /// The beginning of a page.
    public struct Page: Hashable, Sendable {
        /// Where it was found in the end.
        public let address: String
        /// What its server says it is, with its charset: the field `Content-Type`.
        public let type: String
        /// Its first bytes, as they came.
        public let bytes: [UInt8]
    }

    /// The beginning of a page; what follows it is not read.
    ///
    /// A way elsewhere is gone, but each step of it begins anew: its host is looked up and judged as the first was.
    /// Nothing packed is taken, so that few bytes never become many.
    ///
    /// - Parameters:
    ///   - types: which sorts of document are read, such as `text/html`.
    ///   - longest: how many bytes are read.
    ///   - redirects: how many steps elsewhere are gone.
    ///   - deadline: for all of it.
    /// - Throws: ``Failure``, or what says that the task was cancelled.
    public func page(
        at address: String, types: Set<String>, longest: Int, redirects: Int = 3, deadline: Duration
    ) async throws -> Page {
        let end = NIODeadline.now() + TimeAmount(deadline)
        var address = address
        for _ in 0...max(0, redirects) {
            let here = address
            let accepted = types.sorted().joined(separator: ", ")
            let step = try await ask(here, accepting: accepted, as: Self.agent, by: end) { answer in
                try await Self.step(answer, at: here, types, longest, end)
            }
            switch step {
            case .page(let page): return page
            case .elsewhere(let next): address = next
            }
        }
        throw Failure.redirected
    }

    /// Some sites answer nobody without a name.
    private static let agent = "Linnet (link preview)"

    private enum Step: Sendable {
        case page(Page)
        case elsewhere(String)
    }

    private static func step(
        _ answer: HTTPClientResponse, at address: String, _ types: Set<String>, _ longest: Int, _ end: NIODeadline
    ) async throws -> Step {
        let status = Int(answer.status.code)
        if (300..<400).contains(status) {
            guard let location = answer.headers.first(name: "location"), let next = resolved(location, from: address)
            else { throw Failure.redirected }
            return .elsewhere(next)
        }
        guard status == 200 else { throw Failure.status(status) }
        let type = answer.headers.first(name: "content-type") ?? ""
        let sort = type.prefix { $0 != ";" }.filter { !$0.isWhitespace }.lowercased()
        let packing = answer.headers.first(name: "content-encoding")?.lowercased() ?? "identity"
        guard types.contains(sort), packing == "identity" else { throw Failure.wrongType }
        var bytes: [UInt8] = []
        for try await part in answer.body {
            bytes += part.readableBytesView.prefix(longest - bytes.count)
            if bytes.count >= longest { break }
            // Whoever sends a byte now and then is not waited for.
            guard NIODeadline.now() < end else { throw Failure.timedOut }
        }
        return .page(Page(address: address, type: type, bytes: bytes))
    }

    /// Where a `Location` leads from an address; `nil` for a way out of the open web over TLS.
    static func resolved(_ location: String, from address: String) -> String? {
        let scheme = "https://"
        let place = location.prefix { $0 != "#" }
        guard place.utf8.count <= 2048, place.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        guard address.hasPrefix(scheme) else { return nil }
        let authority = address.dropFirst(scheme.count).prefix { !"/?#".contains($0) }
        if place.lowercased().hasPrefix(scheme) { return withLowercaseHost(place.dropFirst(scheme.count)) }
        if place.hasPrefix("//") { return withLowercaseHost(place.dropFirst(2)) }
        if place.hasPrefix("/") { return scheme + authority + place }
        // Another scheme, also one in which a colon stands before the first slash.
        let first = place.prefix { !"/?".contains($0) }
        guard !first.contains(":") else { return nil }
        let path = address.dropFirst(scheme.count + authority.count).prefix { !"?#".contains($0) }
        if place.isEmpty { return nil }
        if place.hasPrefix("?") { return scheme + authority + (path.isEmpty ? "/" : path) + place }
        let folder = path.lastIndex(of: "/").map { path[...$0] } ?? "/"
        return scheme + authority + folder + place
    }

    private static func withLowercaseHost(_ rest: Substring) -> String {
        let authority = rest.prefix { !"/?".contains($0) }
        return "https://" + authority.lowercased() + rest.dropFirst(authority.count)
    }
}
