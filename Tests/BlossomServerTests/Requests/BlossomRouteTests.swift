import NostrCore
import NostrNIPs
import NostrTesting
import Testing

@testable import BlossomServer

@Suite("paths of a media server")
struct BlossomRouteTests {
    private static let hash = BlobHash(of: Array("picture".utf8))
    private static let hex = hash.hex
    private static let key = TestPerson.alice.publicKey

    @Test(
        "a path is one of a few things or nothing at all",
        arguments: [
            ("/", .document), ("/blossom", .document), ("/blossom/", .nothing), ("/upload", .upload),
            ("/mirror", .mirror), ("/media", .media),
            ("/\(hex)", .blob(hash)), ("/\(hex).png", .blob(hash)), ("/\(hex).tar.gz", .blob(hash)),
            ("/list/\(key.hex)", .list(key)),
            ("", .nothing), ("/uploads", .nothing), ("/upload/", .nothing), ("/media/x", .nothing),
            ("/\(hex)/", .nothing), ("/\(hex)/../x", .nothing), ("/../\(hex)", .nothing), ("//\(hex)", .nothing),
            ("/%2e%2e/\(hex)", .nothing), ("/\(hex.dropLast())", .nothing), ("/\(hex)0", .nothing),
            ("/incoming", .nothing), ("/\(hex.prefix(2))/\(hex.dropFirst(2).prefix(2))/\(hex)", .nothing),
            ("/etc/passwd", .nothing), ("/blobs.sqlite", .nothing),
        ] as [(String, BlossomRoute)])
    func routes(path: String, expected: BlossomRoute) {
        #expect(BlossomRoute(path: path) == expected)
    }

    @Test(
        "what is nearly a blob or a list is said to be malformed",
        arguments: [
            "/\(hex.uppercased())", "/\(hex).", "/\(hex).p/g", "/\(hex).p%2f",
            "/\(hex)." + String(repeating: "a", count: 40),
            "/list/", "/list/alice", "/list/\(key.hex.uppercased())", "/list/\(key.hex)/x",
        ])
    func malformed(path: String) {
        guard case .malformed = BlossomRoute(path: path) else {
            Issue.record("\(path) is not malformed")
            return
        }
    }

    @Test("a shared port gives its own paths away, and no others")
    func claims() {
        for path in [
            "/upload", "/media", "/mirror?x", "/\(Self.hex).png?x=/", "/list/\(Self.key.hex)?limit=3", "/list/x",
            "/blossom",
        ] {
            #expect(BlobServer.claims(path))
        }
        for path in [
            "/", "/?/upload", "/lists", "/lists/10000", "/home", "/media/1", "/blossom/x", "/static/linnet.css", "",
        ] {
            #expect(!BlobServer.claims(path))
        }
    }

    @Test("no path traps")
    func noise() {
        var random = SeededRandom(seed: 1)
        let letters = Array("/.%abcdef0123456789?list\u{0}é".unicodeScalars)
        for _ in 0..<2000 {
            var text = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...90, using: &random) {
                text.append(letters[Int.random(in: 0..<letters.count, using: &random)])
            }
            _ = BlossomRoute(path: String(text))
            _ = BlobServer.claims("/list/" + String(text))
        }
    }
}
