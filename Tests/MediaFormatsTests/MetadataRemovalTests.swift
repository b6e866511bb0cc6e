import MediaFormats
import NostrTesting
import Testing

@Suite("Taking metadata out of files")
struct MetadataRemovalTests {
    private static let names = [
        "Exif", "EXIF", "XMP", "xap/1.0", "Photoshop", "tEXt", "eXIf", "tIME", "PK\u{3}\u{4}", "ID3",
    ]

    @Test("of where and by whom it was made nothing is left, in any format", arguments: SampleMedia.all.map(\.type))
    func gone(type: String) throws {
        let sample = try #require(SampleMedia.all.first { $0.type == type })
        let format = try #require(MediaFormat(beginning: Array(sample.bytes.prefix(MediaFormat.beginning))))
        #expect(format.types.contains(type) && sample.bytes.contains(SampleMedia.secret))
        let cleaned = try #require(prepared(sample.bytes, as: format))
        for word in Self.names + [SampleMedia.secret] { #expect(!cleaned.contains(word), "\(word)") }
        // What is clean stays as it is.
        #expect(prepared(cleaned, as: format) == cleaned)
    }

    @Test("what is shown and heard stays")
    func kept() throws {
        let jpeg = try #require(MetadataRemoval.cleaned(SampleMedia.jpeg(), as: .jpeg))
        #expect(jpeg.count == 311 && jpeg.contains("JFIF") && jpeg.suffix(2) == [0xFF, 0xD9])
        let gif = try #require(MetadataRemoval.cleaned(SampleMedia.gif, as: .gif))
        #expect(gif.count == 66 && gif.contains("NETSCAPE2.0"))
        let webp = try #require(MetadataRemoval.cleaned(SampleMedia.webp, as: .webp))
        // The flags for EXIF and XMP are gone with what they tell of, and the length of the whole is true.
        #expect(webp[20] == 0 && Int(webp[4]) == webp.count - 8)
        let film = try #require(prepared(SampleMedia.film, as: .film))
        let parts = try #require(ErasedParts(in: SampleMedia.film, as: .film))
        #expect(film.contains(SampleMedia.pictures) && parts.width == 1080 && parts.height == 1920)
        #expect(parts.milliseconds == 6500)
        let matroska = try #require(ErasedParts(in: SampleMedia.matroska, as: .matroska))
        #expect(matroska.width == 1280 && matroska.height == 720 && matroska.end == Int64(SampleMedia.matroska.count))
        #expect(prepared(SampleMedia.matroska, as: .matroska)?.contains(SampleMedia.pictures) == true)
    }

    @Test("nothing in a film moves")
    func places() throws {
        let film = try #require(prepared(SampleMedia.film, as: .film))
        let changed = zip(film, SampleMedia.film).filter { $0 != $1 }
        #expect(film.count < SampleMedia.film.count && !changed.isEmpty)
        #expect(film.firstRange(of: Array("PICTURES".utf8)) == SampleMedia.film.firstRange(of: Array("PICTURES".utf8)))
    }

    @Test("a film that hides its boxes, or whose fragments have places in them, is not published")
    func refused() {
        let film = SampleMedia.film
        guard let movie = film.firstRange(of: Array("mvhd".utf8)) else { return }
        var packed = film
        packed.replaceSubrange(movie, with: Array("cmov".utf8))
        #expect(ErasedParts(in: packed, as: .film) == nil)
        #expect(ErasedParts(in: [0, 0, 0, 8] + Array("moof".utf8) + film, as: .film) == nil)
        #expect(ErasedParts(in: Array(film.prefix(40)), as: .film) == nil)
    }

    @Test("damaged files never trap, and what comes out is no longer than what went in")
    func noise() {
        for (place, sample) in SampleMedia.all.enumerated() {
            Noise.run(sample.bytes, seed: UInt64(place), rounds: 1_500) { bytes in
                for format in MediaFormat.allCases {
                    let cleaned = prepared(bytes, as: format)
                    // An end that was cut off is put back: 12 bytes at most.
                    #expect(cleaned?.count ?? 0 <= bytes.count + 12)
                    _ = MetadataRemoval.isAnimated(bytes, as: format)
                }
                _ = MediaFormat(beginning: bytes)
            }
        }
    }

    @Test("boxes within boxes, and tables that promise too much, end soon")
    func bombs() {
        func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        var nested: [UInt8] = []
        for depth in 0..<2_000 {
            nested = number(nested.count + 8) + Array(["moov", "trak", "mdia", "minf"][depth % 4].utf8) + nested
        }
        _ = ErasedParts(in: nested, as: .film)
        let many = (0..<200_000).flatMap { _ in number(8) + Array("free".utf8) }
        #expect(ErasedParts(in: number(8) + Array("moov".utf8) + many, as: .film) == nil)
        var film = SampleMedia.film
        while let table = film.firstRange(of: Array("stsz".utf8)) {
            film.replaceSubrange(
                table.upperBound + 4..<table.upperBound + 12, with: [0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF])
            film[table.lowerBound] = UInt8(ascii: "S")
        }
        #expect(ErasedParts(in: film, as: .film) == nil)
        let elements: [UInt8] = (0..<50_000).flatMap { _ in [0xAE, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF] }
        _ = ErasedParts(in: SampleMedia.matroska + elements, as: .matroska)
    }

    @Test("pieces of a track that lie upon each other are no film: no more goes than there is")
    func piecesUponEachOther() {
        func number(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
            number(content.count + 8) + Array(name.utf8) + content
        }
        func film(chunks: Int) -> [UInt8] {
            let head = box("ftyp", Array("isom".utf8) + number(0)) + box("mdat", [UInt8](repeating: 7, count: 10_000))
            let places = (0..<chunks).flatMap { _ in number(head.count - 10_000) }
            let table =
                box("stsz", number(0) + number(10_000) + number(chunks))
                + box("stsc", number(0) + number(1) + number(1) + number(1) + number(1))
                + box("stco", number(0) + number(chunks) + places)
            let media = box("hdlr", number(0) + number(0) + Array("meta".utf8)) + box("minf", box("stbl", table))
            return head + box("moov", box("trak", box("mdia", media)))
        }
        #expect(ErasedParts(in: film(chunks: 1), as: .film) != nil)
        #expect(ErasedParts(in: film(chunks: 40), as: .film) == nil)
    }

    /// The file as it is published.
    private func prepared(_ bytes: [UInt8], as format: MediaFormat) -> [UInt8]? {
        guard format == .film || format == .matroska else { return MetadataRemoval.cleaned(bytes, as: format) }
        return ErasedParts(in: bytes, as: format)?.erased(from: bytes)
    }
}

extension [UInt8] {
    fileprivate func contains(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}
