import MediaFormats
import NostrTesting
import Testing

@Suite("Files that are made to harm", .timeLimit(.minutes(2)))
struct HostileMediaTests {
    @Test("a thousand of them end as a copy that is no longer than they are, or as none, whatever they are taken for")
    func thousand() {
        let files = HostileMedia.files(1_000, seed: 36)
        #expect(files.count == 1_000 && Array(files.prefix(100)) == HostileMedia.files(100, seed: 36))
        for file in files {
            _ = MediaFormat(beginning: file.bytes)
            for format in MediaFormat.allCases {
                // An end that was cut off is put back: 12 bytes at most.
                let cleaned = MetadataRemoval.cleaned(file.bytes, as: format)
                #expect(cleaned?.count ?? 0 <= file.bytes.count + 12, "\(file.what) as \(format)")
                _ = MetadataRemoval.isAnimated(file.bytes, as: format)
                _ = format.canvas(of: file.bytes)
                guard let parts = ErasedParts(in: file.bytes, as: format) else { continue }
                #expect(parts.end <= Int64(file.bytes.count), "\(file.what) as \(format)")
            }
        }
    }

    @Test("each kind of harm is among them, to each kind of file")
    func kinds() {
        let files = HostileMedia.files(1_000, seed: 36)
        let words = ["flipped bits", "damage", "the beginning", "another head", "another file within", "large numbers"]
        for type in (SampleMedia.all + SampleMedia.packed).map(\.type) {
            for word in words {
                let start = "\(word) of \(type)"
                #expect(files.contains { $0.what.hasPrefix(start) }, "\(start)")
            }
        }
        #expect(HostileMedia.bombs.allSatisfy { $0.bytes.count < 4096 })
    }

    @Test("where a picture says what it is drawn on, that is known")
    func canvas() {
        let gif = MediaFormat.gif.canvas(of: SampleMedia.gif)
        #expect(gif?.width == 2 && gif?.height == 2)
        let webp = MediaFormat.webp.canvas(of: SampleMedia.webp)
        #expect(webp?.width == 32 && webp?.height == 16)
        #expect(MediaFormat.jpeg.canvas(of: SampleMedia.jpeg()) == nil && MediaFormat.gif.canvas(of: [0x47]) == nil)
    }
}
