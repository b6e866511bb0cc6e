import Testing

@testable import BlossomServer

@Suite("types of blobs")
struct MediaTypeTests {
    @Test(
        "a header's type is read without what follows it",
        arguments: [
            ("image/png", "image/png"), ("Image/PNG ; charset=x", "image/png"), ("image/svg+xml", "image/svg+xml"),
            (nil, nil), ("", nil), ("image", nil), ("image/", nil), ("/png", nil), ("a/b/c", nil),
            ("image/p\u{0}ng", nil), ("text/ht\"ml", nil), ("a/" + String(repeating: "b", count: 200), nil),
        ] as [(String?, String?)])
    func reads(header: String?, expected: String?) {
        #expect(MediaType.read(header) == expected)
    }

    @Test(
        "first bytes tell what they can",
        arguments: [
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"), ([0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"),
            (Array("GIF89a….".utf8), "image/gif"), (Array("RIFF....WEBPVP8 ".utf8), "image/webp"),
            (Array("....ftypisom....".utf8), "video/mp4"), (Array("....ftypheic....".utf8), "image/heic"),
            (Array("%PDF-1.7".utf8), "application/pdf"), (Array("RIFF....ABCD".utf8), nil),
            (Array("....ftyp".utf8), nil), (Array("words".utf8), nil), ([], nil),
            (Array("RIFF....WAVE".utf8), "audio/wav"), (Array("RIFF....AVI ".utf8), "video/x-msvideo"),
            (Array("....ftypmif1....".utf8), "image/heif"), (Array("....ftypavis....".utf8), "image/avif"),
            (Array("....ftypqt  ....".utf8), "video/quicktime"), (Array("....ftypM4A ....".utf8), "audio/mp4"),
            ([0x1A, 0x45, 0xDF, 0xA3], "video/webm"), (Array("OggS".utf8), "audio/ogg"),
            (Array("fLaC".utf8), "audio/flac"), (Array("ID3".utf8), "audio/mpeg"), ([0xFF, 0xFB, 0x90, 0], nil),
            ([0x50, 0x4B, 0x03, 0x04], "application/zip"), (Array("....moov".utf8), nil),
        ] as [([UInt8], String?)])
    func tells(bytes: [UInt8], expected: String?) {
        #expect(MediaType.told(by: bytes) == expected)
    }

    @Test("patterns name a type or a whole family")
    func patterns() {
        #expect(MediaType.isAmong([], "text/html"))
        #expect(MediaType.isAmong(["image/*"], "image/png") && MediaType.isAmong(["a/b", "image/png"], "image/png"))
        #expect(!MediaType.isAmong(["image/*"], "imagery/png") && !MediaType.isAmong(["image/png"], "image/p"))
    }
}
