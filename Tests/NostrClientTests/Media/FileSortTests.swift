import NostrNIPs
import NostrTesting
import Testing

@testable import NostrClient

/// What files are, by their own first bytes.
@Suite struct FileSortTests {
    @Test(
        "a file is what its bytes say, whatever its author says",
        arguments: [
            ([0x89] + Array("PNG\r\n\u{1A}\n".utf8), FileSort.png), ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
            (Array("GIF89a".utf8), .gif), (Array("RIFF1234WEBPVP8 ".utf8), .webp), (Array("RIFF1234WAVE".utf8), .wav),
            (Array("0000ftypavif".utf8), .avif), (Array("0000ftypisom".utf8), .mp4),
            ([0x1A, 0x45, 0xDF, 0xA3], .webm), (Array("OggS".utf8), .ogg), (Array("ID3".utf8), .mp3),
            (Array("fLaC".utf8), .flac), (Array("%PDF-1.7".utf8), .pdf), ([0xFF, 0xFB, 0x90, 0], .mp3),
            (Array("0000ftypavis".utf8), .avif), (Array("0000ftypheic0000avif".utf8), .mp4),
            (Array("0000ftyp".utf8), .mp4),
            ([0x50, 0x4B, 0x03, 0x04], .bytes), (Array("0000moov".utf8), .bytes), (Array("RIFF1234AVI ".utf8), .bytes),
            (Array("<svg xmlns='http://www.w3.org/2000/svg'>".utf8), .bytes),
            (Array("<html><script>".utf8), .bytes), (Array(" GIF89a".utf8), .bytes), ([], .bytes), ([0x89], .bytes),
        ] as [([UInt8], FileSort)])
    func sorts(bytes: [UInt8], sort: FileSort) {
        #expect(FileSort(of: bytes) == sort)
    }

    @Test("nothing that could run scripts is a picture, and every picture is of a sort that runs none")
    func pictures() {
        #expect(
            FileSort.allCases.filter(\.isPicture).map(\.type)
                == ["image/png", "image/jpeg", "image/gif", "image/webp", "image/avif"])
        #expect(!FileSort.allCases.map(\.type).contains { $0.contains("svg") || $0.contains("html") })
    }

    @Test(
        "a name to save under leads nowhere and ends with what the file is",
        arguments: [
            ("photo.png", "photo.png"), ("", "file.png"), ("../../etc/passwd", "etc-passwd.png"),
            ("a\"b\r\nSet-Cookie: x", "a-b-Set-Cookie- x.png"), ("évil.HTML", "vil.HTML.png"), ("...", "file.png"),
            (".bashrc", "bashrc.png"), (String(repeating: "a", count: 500), String(repeating: "a", count: 90) + ".png"),
        ])
    func names(wanted: String, name: String) {
        #expect(FileSort.png.fileName(wanted) == name)
    }

    @Test("the size of a picture stands in its header, and noise never traps")
    func sizes() {
        var png: [UInt8] = [0x89] + Array("PNG\r\n\u{1A}\n".utf8)
        png += [0, 0, 0, 13]
        png += Array("IHDR".utf8)
        png += [0, 0, 1, 104, 0, 0, 0, 240]
        #expect(PixelSize(ofPicture: png)?.text == "360x240")
        #expect(PixelSize(ofPicture: Array("GIF89a".utf8) + [3, 0, 0, 1])?.text == "3x256")
        let jpeg: [UInt8] = [
            0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 1, 1, 0xFF, 0xFF, 0xC2, 0, 11, 8, 0, 96, 0, 128, 1, 1, 0x11, 0,
        ]
        #expect(PixelSize(ofPicture: jpeg)?.text == "128x96")
        for whole in [png, jpeg] {
            for length in whole.indices { _ = PixelSize(ofPicture: Array(whole.prefix(length))) }
            Noise.run(whole, rounds: 2_000) { _ = PixelSize(ofPicture: $0) }
        }
        #expect(PixelSize(ofPicture: [0xFF, 0xD8, 0xFF, 0xE0, 0, 0]) == nil)
    }
}
