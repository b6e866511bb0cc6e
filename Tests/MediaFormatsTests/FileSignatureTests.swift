import MediaFormats
import NostrTesting
import Testing

@Suite("First bytes of files")
struct FileSignatureTests {
    /// What each file begins with, and what it may be published as.
    private static let table: [(bytes: [UInt8], signature: FileSignature?, format: MediaFormat?)] = [
        ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg, .jpeg), ([0xFF, 0xD8], nil, nil),
        ([0x89] + Array("PNG\r\n\u{1A}\n".utf8), .png, .png), ([0x89] + Array("PNG\r\n\n".utf8), nil, nil),
        (Array("GIF87a".utf8), .gif, .gif), (Array("GIF89a".utf8), .gif, .gif), (Array("GIF88a".utf8), nil, nil),
        (Array("RIFF....WEBPVP8 ".utf8), .riff("WEBP"), .webp), (Array("RIFF....WAVEfmt ".utf8), .riff("WAVE"), .wave),
        (Array("RIFF....AVI LIST".utf8), .riff("AVI "), nil), (Array("RIFF....ABCD".utf8), .riff("ABCD"), nil),
        (Array("RIFF....WEB".utf8), nil, nil),
        ([0x1A, 0x45, 0xDF, 0xA3], .matroska, .matroska), (Array("OggS".utf8), .ogg, nil),
        (Array("fLaC".utf8), .flac, .flac), (Array("ID3".utf8), .id3, .mp3),
        ([0xFF, 0xFB, 0x90, 0], .mp3Frame, .mp3), ([0xFF, 0xF3, 0x40, 0xC0], .mp3Frame, .mp3),
        ([0xFF, 0xFB, 0xF0, 0], nil, nil), ([0xFF, 0xFB], nil, nil),
        (Array("%PDF-1.7".utf8), .pdf, nil), ([0x50, 0x4B, 0x03, 0x04], .zip, nil),
        (Array("....ftypisom".utf8), .film(brands: ["isom"]), .film),
        (Array("....ftypheic....mif1".utf8), .film(brands: ["heic", "mif1"]), .heic),
        (Array("....ftypmif1....avif".utf8), .film(brands: ["mif1", "avif"]), .heic),
        (Array("....ftypavif....mif1".utf8), .film(brands: ["avif", "mif1"]), .avif),
        (Array("....ftypisom....avis".utf8), .film(brands: ["isom", "avis"]), .avif),
        ([0, 0, 0, 16] + Array("ftypqt  ....avif".utf8), .film(brands: ["qt  "]), .film),
        (Array("....ftyp".utf8), .film(brands: []), .film), (Array("....ftypis".utf8), .film(brands: []), .film),
        (Array("....moov".utf8), .filmWithoutBrand, .film), (Array("....mdat".utf8), .filmWithoutBrand, .film),
        (Array("....wide".utf8), .filmWithoutBrand, .film), (Array("....free".utf8), .filmWithoutBrand, .film),
        (Array("<svg xmlns='http://www.w3.org/2000/svg'>".utf8), nil, nil), (Array("<html>".utf8), nil, nil),
        (Array(" GIF89a".utf8), nil, nil), ([], nil, nil),
    ]

    @Test("name a format, or nothing", arguments: FileSignatureTests.table.indices)
    func names(row: Int) {
        let (bytes, signature, format) = Self.table[row]
        #expect(FileSignature(of: bytes) == signature && MediaFormat(beginning: bytes) == format)
        // What follows changes nothing once enough is there; a film may have more brands.
        guard signature != nil, !bytes.dropFirst(4).starts(with: Array("ftyp".utf8)) else { return }
        #expect(FileSignature(of: bytes + [UInt8](repeating: 0x2E, count: 200)) == signature)
    }

    @Test("only the beginning of a file is looked at, however long it says that is")
    func beginning() {
        let brands = (0..<10_000).flatMap { _ in Array("isom".utf8) }
        let file = [0x7F, 0xFF, 0xFF, 0xFF] + Array("ftyp".utf8) + brands
        #expect(FileSignature(of: file) == .film(brands: Array(repeating: "isom", count: 13)))
    }

    @Test("every sample is known, and noise never traps")
    func samples() {
        for sample in SampleMedia.all + SampleMedia.packed {
            #expect(FileSignature(of: sample.bytes) != nil, "\(sample.type)")
            Noise.run(Array(sample.bytes.prefix(80)), rounds: 500) { _ = FileSignature(of: $0) }
        }
    }
}
