/// WebP and WAVE files: chunks with a name, each of an even length.
///
/// Source: RFC 9649; Multimedia Programming Interface 1.0.
enum RIFF {
    private static let pictures: Set<String> = ["VP8 ", "VP8L", "VP8X", "ALPH", "ANIM", "ANMF", "ICCP"]
    private static let frames: Set<String> = ["VP8 ", "VP8L", "ALPH"]
    private static let sounds: Set<String> = ["fmt ", "fact", "data"]

    static func cleaned(_ bytes: [UInt8], as format: MediaFormat) -> [UInt8]? {
        let isPicture = format == .webp
        guard bytes.has("RIFF", at: 0), bytes.has(isPicture ? "WEBP" : "WAVE", at: 8) else { return nil }
        var out = Array(bytes[..<12])
        out.reserveCapacity(bytes.count)
        var hasContent = false
        // What is behind the length that the file says of itself is no part of it.
        let end = min(bytes.count, 8 + (length(bytes, at: 4) ?? 0))
        walk(bytes, 12..<max(12, end)) { name, content in
            guard (isPicture ? pictures : sounds).contains(name) else { return }
            hasContent = hasContent || ["VP8 ", "VP8L", "ANMF", "data"].contains(name)
            switch name {
            case "VP8X": append(name, marked(Array(bytes[content])), to: &out)
            case "ANMF": append(name, frame(bytes, content), to: &out)
            default: append(name, Array(bytes[content]), to: &out)
            }
        }
        guard hasContent, out.count - 8 <= UInt32.max else { return nil }
        out.replaceSubrange(4..<8, with: number(out.count - 8))
        return out
    }

    static func isAnimated(_ bytes: [UInt8]) -> Bool {
        bytes.has("VP8X", at: 12) && bytes.count > 20 && bytes[20] & 2 != 0
    }

    /// How large a WebP is, and how it is to be turned.
    static func head(of bytes: [UInt8]) -> PictureHead? {
        guard bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) else { return nil }
        var size = MediaFormat.webp.canvas(of: bytes)
        var orientation = 1
        walk(bytes, 12..<bytes.count) { name, content in
            let inner = Array(bytes[content.lowerBound..<min(content.upperBound, content.lowerBound + 10)])
            switch name {
            case "VP8 " where inner.count == 10 && size == nil:
                size = (Int(inner[6]) | Int(inner[7] & 0x3F) << 8, Int(inner[8]) | Int(inner[9] & 0x3F) << 8)
            case "VP8L" where inner.count >= 5 && size == nil:
                let packed = length(inner, at: 1) ?? 0
                size = ((packed & 0x3FFF) + 1, (packed >> 14 & 0x3FFF) + 1)
            // Some begin it as JPEG does, with its name.
            case "EXIF":
                let name = bytes.has("Exif\0\0", at: content.lowerBound) ? 6 : 0
                orientation = EXIF.orientation(in: Array(bytes[content].dropFirst(name)))
            default: break
            }
        }
        return size.flatMap { PictureHead(width: $0.width, height: $0.height, orientation: orientation) }
    }

    /// The flags of a picture without those for EXIF and XMP.
    private static func marked(_ content: [UInt8]) -> [UInt8] {
        var content = Array(content.prefix(10))
        if !content.isEmpty { content[0] &= ~0x0C }
        return content
    }

    /// A picture of a film: its place and time, and then chunks again.
    private static func frame(_ bytes: [UInt8], _ content: Range<Int>) -> [UInt8] {
        guard content.count >= 16 else { return [] }
        var out = Array(bytes[content.lowerBound..<content.lowerBound + 16])
        walk(bytes, content.lowerBound + 16..<content.upperBound) { name, inner in
            if frames.contains(name) { append(name, Array(bytes[inner]), to: &out) }
        }
        return out
    }

    private static func append(_ name: String, _ content: [UInt8], to out: inout [UInt8]) {
        out += Array(name.utf8) + number(content.count) + content
        if content.count % 2 == 1 { out.append(0) }
    }

    /// Goes through the chunks; of one that is cut the rest is its content.
    private static func walk(_ bytes: [UInt8], _ range: Range<Int>, _ body: (String, Range<Int>) -> Void) {
        var place = range.lowerBound
        while place + 8 <= range.upperBound, let length = length(bytes, at: place + 4) {
            let name = String(decoding: bytes[place..<place + 4], as: UTF8.self)
            let end = min(range.upperBound, place + 8 + length)
            body(name, place + 8..<end)
            place = end + length % 2
        }
    }

    /// Four bytes, the lowest first.
    private static func length(_ bytes: [UInt8], at place: Int) -> Int? {
        guard place + 4 <= bytes.count else { return nil }
        return bytes[place..<place + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func number(_ value: Int) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
