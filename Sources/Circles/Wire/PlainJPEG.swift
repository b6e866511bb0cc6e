/// A JPEG of which nothing is left but the picture.
///
/// A photo says where and when it was taken, with what, and often holds a second picture of what was cut away. Only the
/// segments a decoder needs are taken over; EXIF, XMP, colour profiles, comments, thumbnails and what follows the end
/// are left behind, so nothing of them leaves the machine. Nothing is decoded. Source: ITU-T T.81, Annex B; JFIF 1.02.
struct PlainJPEG: Hashable, Sendable {
    /// Why a file is not taken.
    enum Refusal: Error, Hashable, Sendable {
        /// It begins as no JPEG does.
        case notJPEG
        /// A segment is cut off, out of order or missing; the byte it begins at.
        case damaged(at: Int)
        /// A way to code pictures that browsers do not read.
        case unusualCoding
    }

    /// The file.
    let bytes: [UInt8]
    /// Unit: pixels.
    let width: Int
    /// Unit: pixels.
    let height: Int

    /// Reads a file segment by segment.
    init(_ file: [UInt8]) throws(Refusal) {
        var outline = JPEGOutline(file)
        try outline.read()
        guard let (width, height) = outline.sides else { throw .damaged(at: file.count) }
        (bytes, self.width, self.height) = (outline.kept, width, height)
    }
}

/// Reads the segments of one file.
private struct JPEGOutline {
    private let file: [UInt8]
    private var place = 0
    private(set) var kept: [UInt8] = []
    private(set) var sides: (width: Int, height: Int)?
    private var hasScan = false

    init(_ file: [UInt8]) {
        self.file = file
        kept.reserveCapacity(file.count)
    }

    mutating func read() throws(PlainJPEG.Refusal) {
        guard file.starts(with: [0xFF, 0xD8, 0xFF]) else { throw .notJPEG }
        keep(2)
        while true {
            guard byte(place) == 0xFF, let marker = byte(place + 1) else { throw .damaged(at: place) }
            switch marker {
            case 0xFF: place += 1  // Fill bytes may stand before any marker.
            case 0xD9:
                guard hasScan else { throw .damaged(at: place) }
                // What stands behind the end is for nobody who looks at the picture.
                return keep(2)
            case 0xC0, 0xC1, 0xC2: try frame()
            // Tables, and how often the decoder starts anew.
            case 0xDB, 0xC4, 0xDD: keep(try length())
            case 0xDA: try scan()
            case 0xE0...0xEF: try application(marker)
            case 0xFE: place += try length()
            case 0xC3, 0xC5...0xCF: throw .unusualCoding
            default: throw .damaged(at: place)
            }
        }
    }

    /// The frame says how large the picture is; there is one.
    private mutating func frame() throws(PlainJPEG.Refusal) {
        let length = try length()
        guard sides == nil, length >= 11, let parts = byte(place + 9), [1, 3, 4].contains(parts),
            length == 10 + 3 * Int(parts), let height = word(place + 5), let width = word(place + 7), height > 0,
            width > 0
        else { throw .damaged(at: place) }
        sides = (width, height)
        keep(length)
    }

    /// The coded picture: all up to the next marker that is neither a stuffed byte nor a restart.
    private mutating func scan() throws(PlainJPEG.Refusal) {
        guard sides != nil else { throw .damaged(at: place) }
        keep(try length())
        hasScan = true
        var end = place
        while let here = byte(end) {
            if here == 0xFF, let next = byte(end + 1), next != 0, !(0xD0...0xD7).contains(next) {
                return keep(end - place)
            }
            end += 1
        }
        throw .damaged(at: end)
    }

    /// Of what programs add, a decoder needs how colours are meant: the plain JFIF header and Adobe's.
    private mutating func application(_ marker: UInt8) throws(PlainJPEG.Refusal) {
        let length = try length()
        let isHeader = marker == 0xE0 && length == 18 && text(place + 4, "JFIF\0")
        let isAdobe = marker == 0xEE && length == 16 && text(place + 4, "Adobe")
        if isHeader || isAdobe { keep(length) } else { place += length }
    }

    // MARK: - Bytes

    /// How long the segment is that begins here, its marker counted.
    private func length() throws(PlainJPEG.Refusal) -> Int {
        guard let length = word(place + 2), length >= 2, place + 2 + length <= file.count else {
            throw .damaged(at: place)
        }
        return 2 + length
    }

    private mutating func keep(_ count: Int) {
        kept += file[place..<place + count]
        place += count
    }

    private func byte(_ place: Int) -> UInt8? { place < file.count ? file[place] : nil }

    private func word(_ place: Int) -> Int? {
        guard let high = byte(place), let low = byte(place + 1) else { return nil }
        return Int(high) << 8 | Int(low)
    }

    private func text(_ place: Int, _ text: String) -> Bool {
        place + text.utf8.count <= file.count && file[place...].starts(with: text.utf8)
    }
}
