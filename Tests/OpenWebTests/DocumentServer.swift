import NostrTesting
import Synchronization
import WebTesting

/// A server whose paths say how it behaves.
enum DocumentServer {
    static let document = #"{"names":{}}"#
    /// What lies where parts can be had.
    static let film = "0123456789"
    private static let html = [("content-type", "text/html; charset=utf-8")]
    private static let megabyte = 1_048_576

    /// Runs one while a test works.
    static func with<R: Sendable>(
        _ certificate: TestCertificate, _ body: (SecureWebServer) async throws -> R
    ) async throws -> R {
        try await SecureWebServer.with(certificate, answering: { answer(to: $0) }, body)
    }

    private static func answer(to request: SecureWebServer.Request) -> SecureWebServer.Answer {
        switch request.path {
        case "/right": .whole(200, document)
        case "/elsewhere": moved(to: "/right")
        case "/missing": .whole(404, "nothing here")
        case "/endless": .endless(bytes: megabyte)
        case "/page": .whole(200, headers: html, "<title>A page</title>")
        case "/far": moved(to: "/near")
        case "/near": .whole(301, headers: [("location", "page")])
        case "/circle": moved(to: "/circle")
        case "/inside": moved(to: "https://inside.example/secret")
        case "/plain": moved(to: "http://names.example/page")
        case "/nowhere": .whole(302)
        case "/packed": .whole(200, headers: html + [("content-encoding", "gzip")], "\u{1F}\u{8B}")
        case "/pdf": .whole(200, headers: [("content-type", "application/pdf")], "%PDF")
        case "/untyped": .whole(200, "<title>A page</title>")
        case "/endless-page": .endless(bytes: megabyte, headers: html)
        case "/cut": .hangUp
        case "/drip": .drip
        default: request.path.hasPrefix("/film") ? film(request) : .silence
        }
    }

    private static func film(_ request: SecureWebServer.Request) -> SecureWebServer.Answer {
        switch request.path {
        case "/film": part(request.header("range") ?? "")
        case "/film-far": moved(to: "/film")
        case "/film-whole": .whole(200, film)
        case "/film-untold": .whole(206, "012")
        case "/film-beyond": .whole(416, headers: [("content-range", "bytes */10")])
        case "/film-cut": .cut(206, headers: [("content-length", "10"), ("content-range", "bytes 0-9/10")], "01234")
        default: .silence
        }
    }

    /// The part of the film that was asked for.
    private static func part(_ range: String) -> SecureWebServer.Answer {
        let ends = range.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int(ends[0]), first < film.count else { return .whole(400) }
        let last = min(Int(ends[1]) ?? film.count - 1, film.count - 1)
        let text = film.dropFirst(first).prefix(last - first + 1)
        return .whole(206, headers: [("content-range", "bytes \(first)-\(last)/\(film.count)")], String(text))
    }

    private static func moved(to place: String) -> SecureWebServer.Answer {
        .whole(302, headers: [("location", place)])
    }
}

extension SecureWebServer {
    /// The parts that were asked for, in order.
    var ranges: [String] { requests.withLock { $0.compactMap { $0.header("range") } } }
}

extension SecureWebServer.Request {
    /// Whether anything told who asks.
    var tellsWho: Bool { ["cookie", "referer", "authorization", "from"].contains { header($0) != nil } }
}
