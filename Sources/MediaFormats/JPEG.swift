/// JPEG files: segments after markers, and between them what is packed.
///
/// Source: ITU-T T.81, annex B.
enum JPEG {
    private static let start: UInt8 = 0xD8, end: UInt8 = 0xD9, scan: UInt8 = 0xDA, comment: UInt8 = 0xFE

    /// Without comments and applications' segments, but for what colours need: JFIF, Adobe's transform, ICC profiles.
    static func cleaned(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.starts(with: [0xFF, start]) else { return nil }
        var out: [UInt8] = [0xFF, start]
        out.reserveCapacity(bytes.count)
        var place = 2
        var hasScan = false
        while let marker = nextMarker(bytes, &place) {
            if marker == end { break }
            // Markers without a segment mean nothing between segments.
            if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
            guard let length = bytes.number(at: place, 2), length >= 2, place + length <= bytes.count else {
                guard hasScan else { return nil }
                break
            }
            if isKept(marker, bytes, place + 2, length - 2) {
                out += [0xFF, marker]
                out += bytes[place..<place + length]
            }
            place += length
            guard marker == scan else { continue }
            hasScan = true
            let stop = endOfScan(bytes, from: place)
            out += bytes[place..<stop]
            place = stop
        }
        return hasScan ? out + [0xFF, end] : nil
    }

    /// How large a picture is, and how it is to be turned.
    static func head(of bytes: [UInt8]) -> PictureHead? {
        guard bytes.starts(with: [0xFF, start]) else { return nil }
        var (place, orientation) = (2, 1)
        var size: (width: Int, height: Int)?
        while let marker = nextMarker(bytes, &place), marker != end, marker != scan {
            if marker == 0x01 || (0xD0...0xD8).contains(marker) { continue }
            guard let length = bytes.number(at: place, 2), length >= 2, place + length <= bytes.count else {
                return nil
            }
            if marker == 0xE1, length >= 8, bytes.has("Exif\0\0", at: place + 2) {
                orientation = EXIF.orientation(in: Array(bytes[place + 8..<place + length]))
            }
            if isFrame(marker), length >= 8, let height = bytes.number(at: place + 3, 2),
                let width = bytes.number(at: place + 5, 2)
            {
                size = (width, height)
            }
            place += length
        }
        return size.flatMap { PictureHead(width: $0.width, height: $0.height, orientation: orientation) }
    }

    /// Whether a segment begins a picture; three of these numbers mean something else.
    private static func isFrame(_ marker: UInt8) -> Bool {
        (0xC0...0xCF).contains(marker) && ![0xC4, 0xC8, 0xCC].contains(marker)
    }

    /// The next marker, whatever fills the way to it; `nil` where something else stands.
    private static func nextMarker(_ bytes: [UInt8], _ place: inout Int) -> UInt8? {
        guard place + 1 < bytes.count, bytes[place] == 0xFF else { return nil }
        while place < bytes.count, bytes[place] == 0xFF { place += 1 }
        guard place < bytes.count, bytes[place] != 0 else { return nil }
        place += 1
        return bytes[place - 1]
    }

    private static func isKept(_ marker: UInt8, _ bytes: [UInt8], _ place: Int, _ length: Int) -> Bool {
        func begins(_ text: StaticString) -> Bool { length >= text.utf8CodeUnitCount && bytes.has(text, at: place) }
        return switch marker {
        case 0xE0: begins("JFIF\0") && hasNoThumbnail(bytes, place, length)
        case 0xE2: begins("ICC_PROFILE\0")
        case 0xEE: begins("Adobe") && length == 12
        case 0xE1...0xEF, 0xF0...0xFD, comment: false
        default: true
        }
    }

    /// A JFIF segment may carry a small copy, of before the picture was cut.
    private static func hasNoThumbnail(_ bytes: [UInt8], _ place: Int, _ length: Int) -> Bool {
        length == 14 && bytes[place + 12] == 0 && bytes[place + 13] == 0
    }

    /// Where what is packed ends: before a marker that does not belong to it.
    private static func endOfScan(_ bytes: [UInt8], from start: Int) -> Int {
        var place = start
        while place < bytes.count {
            guard bytes[place] == 0xFF else {
                place += 1
                continue
            }
            guard place + 1 < bytes.count else { return place }
            let next = bytes[place + 1]
            guard next == 0 || next == 0xFF || (0xD0...0xD7).contains(next) else { return place }
            place += next == 0xFF ? 1 : 2
        }
        return bytes.count
    }
}
