import Testing

@testable import MapTiles

@Suite("Tile sources")
struct TileSourceTests {
    @Test(
        "are https, or on this machine, and have their marks once",
        arguments: [
            ("https://tiles.example/{z}/{x}/{y}.png", nil), ("https://{s}.tiles.example:8443/{z}/{x}/{y}?key=k", nil),
            ("https://tiles.example/?z={z}&x={x}&y={y}", nil), ("http://127.0.0.1:8080/{z}/{x}/{y}", nil),
            ("http://localhost/{z}/{x}/{y}", nil), ("http://[::1]:9/{z}/{x}/{y}", nil),
            ("http://tiles.example/{z}/{x}/{y}", .notSecure), ("http://127.0.0.1.evil.example/{z}/{x}/{y}", .notSecure),
            ("http://127.evil/{z}/{x}/{y}", .notSecure), ("http://{s}/{z}/{x}/{y}", .notSecure),
            ("file:///{z}/{x}/{y}", .notSecure), ("ftp://a/{z}/{x}/{y}", .notSecure), ("", .notSecure),
            ("https://tiles.example/{z}/{x}", .missing("{y}")), ("https://{z}.example/{x}/{y}", .missing("{z}")),
            ("https://tiles.example/{z}/{z}/{x}/{y}", .missing("{z}")),
            ("https://tiles.example/{z}/{x}/{y}{r}.png", .unknownMark),
            ("https://tiles.example/{z}/{x}/{y}}", .unknownMark),
            ("https://me:word@tiles.example/{z}/{x}/{y}", .notAnAddress), ("https:///{z}/{x}/{y}", .notAnAddress),
            ("https://tiles.example:0/{z}/{x}/{y}", .notAnAddress),
            ("https://tiles.example:70000/{z}/{x}/{y}", .notAnAddress),
            ("https://a..b/{z}/{x}/{y}", .notAnAddress), ("https://a/{z}/{x}/{y}\r\nCookie: a", .notAnAddress),
            ("https://a/{z}/{x}/{y}#top", .notAnAddress), ("https://a/{s}/{z}/{x}/{y}", .notAnAddress),
            ("https://a/{z}/{x}/{y}?" + String(repeating: "k", count: 500), .tooLong),
        ] as [(String, TileSourceError?)])
    func templates(template: String, problem: TileSourceError?) throws {
        if let problem {
            #expect(throws: problem) { try TileSource(template: template) }
        } else {
            _ = try TileSource(template: template)
        }
    }

    @Test("never trap on noise")
    func noise() {
        var generator = SeededBytes(seed: 7)
        let alphabet = Array("https://{zxys}.[]:@?#/a1\u{e9}% ")
        for _ in 0..<2000 {
            let length = Int(generator.next() % 60)
            let text = String((0..<length).compactMap { _ in alphabet.randomElement(using: &generator) })
            _ = try? TileSource(template: text)
            _ = try? TileSource(template: "https://" + text + "{z}{x}{y}")
            _ = TileAddress(z: text, x: text, y: text)
        }
    }

    @Test("give the address of a tile, and none nearer than they have")
    func addresses() throws {
        let source = try TileSource(template: "https://{s}.t.example/{z}/{x}/{y}.png?key=secret", maxZoom: 3)
        #expect(
            source.url(of: try #require(TileAddress(z: 3, x: 4, y: 5))) == "https://a.t.example/3/4/5.png?key=secret")
        #expect(
            source.url(of: try #require(TileAddress(z: 3, x: 4, y: 6))) == "https://b.t.example/3/4/6.png?key=secret")
        #expect(source.url(of: try #require(TileAddress(z: 4, x: 4, y: 5))) == nil)
        #expect(throws: TileSourceError.badZoom) { try TileSource(template: source.template, maxZoom: 23) }
    }

    @Test("tell neither their key nor a place where they are described")
    func descriptions() throws {
        let source = try TileSource(template: "https://t.example/{z}/{x}/{y}?key=secret")
        let tile = try #require(TileAddress(z: 17, x: 70406, y: 42987))
        let url = try #require(source.url(of: tile))
        let request = TileRequest(url: url, tag: nil, agent: "", deadline: .zero, longest: 0)
        for text in [
            "\(source)", String(reflecting: source), "\(tile)", String(reflecting: tile), "\(request)",
            String(reflecting: request),
        ] {
            #expect(!text.contains("secret") && !text.contains("70406") && !text.contains("42987"))
        }
    }

    @Test(
        "are asked only for tiles that exist, each by one address",
        arguments: [
            ("0", "0", "0", true), ("1", "1", "1", true), ("22", "4194303", "0", true), ("1", "2", "0", false),
            ("0", "0", "1", false), ("23", "0", "0", false), ("-1", "0", "0", false), ("01", "0", "0", false),
            ("1", "+1", "0", false), ("1", "", "0", false), ("1", "１", "0", false), ("1", "99999999", "0", false),
            ("99999999999999999999", "0", "0", false), ("2", "0x1", "0", false), ("2", "1.", "0", false),
        ])
    func parts(z: String, x: String, y: String, isTile: Bool) {
        #expect((TileAddress(z: z, x: x, y: y) != nil) == isTile)
    }

    @Test(
        "give pictures, known by their first bytes",
        arguments: [
            (picture(), .png), (jpeg(256, 256), .jpeg), (webp("VP8 ", [0, 0, 0, 0x9D, 1, 0x2A, 0, 1, 0, 1]), .webp),
            ([0xFF, 0xD8, 0xFF, 0xE0], nil), (Array("RIFF....WEBPVP8 ".utf8), nil),
            (Array("<svg onload=".utf8), nil), (Array("<!doctype html>".utf8), nil), (Array("GIF89a".utf8), nil),
            ([], nil),
            (Array("RIFF....WEB".utf8), nil), (picture(TilePicture.longest), .png),
            (picture(TilePicture.longest + 1), nil),
        ] as [([UInt8], TilePicture.Kind?)])
    func kinds(bytes: [UInt8], kind: TilePicture.Kind?) {
        #expect(TilePicture(bytes)?.kind == kind)
    }
}

/// Numbers that are the same in every run (SplitMix64).
struct SeededBytes: RandomNumberGenerator {
    private var state: UInt64
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
