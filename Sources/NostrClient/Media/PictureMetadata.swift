/// What a picture's file tells besides the picture: where, when and with what it was taken.
///
/// Only parts are left out, nothing is decoded: a file made to harm whoever opens it harms nobody here. How a photo is
/// to be turned stays, as do its colours.
package enum PictureMetadata {
    /// The file without it; one that is no picture as it is.
    ///
    /// - Throws: ``SealedFileError/tellsTooMuch`` for a picture of which it cannot be told what it holds: one that is cut
    ///   off, or of a format that is not known here well enough.
    package static func removed(from file: [UInt8]) throws(SealedFileError) -> [UInt8] {
        let plain: [UInt8]? =
            switch FileSort(of: file) {
            case .jpeg: plainJPEG(file)
            case .png: plainPNG(file)
            case .webp: plainWebP(file)
            case .avif: nil
            case .mp4 where isStillPicture(file): nil
            default: file
            }
        guard let plain else { throw .tellsTooMuch }
        return plain
    }

    /// Whether the brand of an ISO file is one of still pictures, such as HEIC.
    private static func isStillPicture(_ file: [UInt8]) -> Bool {
        file.count >= 12
            && ["heic", "heix", "heim", "heis", "mif1", "msf1"].contains { $0.utf8.elementsEqual(file[8..<12]) }
    }

    // MARK: - JPEG

    private static func plainJPEG(_ file: [UInt8]) -> [UInt8]? {
        var out: [UInt8] = [0xFF, 0xD8]
        var place = 2
        while place + 2 <= file.count, file[place] == 0xFF {
            let mark = file[place + 1]
            switch mark {
            case 0xFF: place += 1
            // The end; what some cameras put behind it is another picture, with all that it tells.
            case 0xD9: return out + [0xFF, 0xD9]
            default:
                let length = file.bigEndian(at: place + 2, bytes: 2) ?? 0
                guard length >= 2, place + 2 + length <= file.count else { return nil }
                let segment = file[place..<place + 2 + length]
                place += 2 + length
                if let kept = kept(segment, mark) { out += kept }
                if mark == 0xDA { place = copyScan(of: file, from: place, to: &out) }
            }
        }
        return nil
    }

    /// What stays of a segment: of the applications' own those for colours, of the camera's how to turn the picture.
    private static func kept(_ segment: ArraySlice<UInt8>, _ mark: UInt8) -> [UInt8]? {
        switch mark {
        case 0xE0, 0xEE: Array(segment)
        case 0xE2: segment.dropFirst(4).starts(with: Array("ICC_PROFILE".utf8)) ? Array(segment) : nil
        case 0xE1: orientation(in: Array(segment.dropFirst(4))).map(turned)
        case 0xE3...0xEF, 0xFE: nil
        default: Array(segment)
        }
    }

    /// The dots themselves, up to the next mark; gives where that is.
    private static func copyScan(of file: [UInt8], from start: Int, to out: inout [UInt8]) -> Int {
        var place = start
        while place + 1 < file.count {
            let next = file[place + 1]
            // Within the dots 0xFF is followed by 0, or by a mark to resume at.
            if file[place] == 0xFF, next != 0, next != 0xFF, !(0xD0...0xD7).contains(next) { break }
            place += 1
        }
        out += file[start..<place]
        return place
    }

    /// How a photo is to be turned, 2 to 8; nil for as it is.
    private static func orientation(in exif: [UInt8]) -> UInt8? {
        guard exif.starts(with: Array("Exif\0\0".utf8)) else { return nil }
        let data = Array(exif.dropFirst(6))
        let isBig = data.starts(with: Array("MM".utf8))
        func number(at place: Int, _ bytes: Int) -> Int? {
            isBig ? data.bigEndian(at: place, bytes: bytes) : data.littleEndian(at: place, bytes: bytes)
        }
        guard let start = number(at: 4, 4), let count = number(at: start, 2) else { return nil }
        for entry in 0..<min(count, 200) {
            let place = start + 2 + entry * 12
            guard number(at: place, 2) == 0x0112 else { continue }
            guard let value = number(at: place + 8, 2), (2...8).contains(value) else { return nil }
            return UInt8(value)
        }
        return nil
    }

    /// A segment that says nothing but how to turn the picture.
    private static func turned(_ orientation: UInt8) -> [UInt8] {
        let entry: [UInt8] = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0]
        var data = Array("Exif\0\0MM\0*".utf8)
        data += [0, 0, 0, 8, 0, 1]
        data += entry
        data += [0, 0, 0, 0]
        return [0xFF, 0xE1, 0, UInt8(data.count + 2)] + data
    }

    // MARK: - PNG and WebP

    private static let droppedOfPNG: Set<String> = ["eXIf", "tEXt", "zTXt", "iTXt", "tIME"]

    private static func plainPNG(_ file: [UInt8]) -> [UInt8]? {
        var out = Array(file.prefix(8))
        var place = 8
        while let length = file.bigEndian(at: place, bytes: 4), place + 12 + length <= file.count {
            let name = String(decoding: file[place + 4..<place + 8], as: UTF8.self)
            if !droppedOfPNG.contains(name) { out += file[place..<place + 12 + length] }
            if name == "IEND" { return out }
            place += 12 + length
        }
        return nil
    }

    private static func plainWebP(_ file: [UInt8]) -> [UInt8]? {
        var body = Array("WEBP".utf8)
        var place = 12
        while let length = file.littleEndian(at: place + 4, bytes: 4) {
            let end = place + 8 + length + length % 2
            guard end <= file.count else { return nil }
            let name = String(decoding: file[place..<place + 4], as: UTF8.self)
            var chunk = Array(file[place..<end])
            // It announces what is left out.
            if name == "VP8X", chunk.count > 8 { chunk[8] &= ~0x0C }
            if name != "EXIF", name != "XMP " { body += chunk }
            place = end
        }
        guard place >= file.count else { return nil }
        let size = (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) }
        return Array("RIFF".utf8) + size + body
    }
}

extension [UInt8] {
    /// A number at a place, the highest byte first; nil where the file ends before.
    fileprivate func bigEndian(at place: Int, bytes: Int) -> Int? {
        guard place >= 0, place <= count - bytes else { return nil }
        return self[place..<place + bytes].reduce(0) { $0 << 8 | Int($1) }
    }

    /// A number at a place, the lowest byte first; nil where the file ends before.
    fileprivate func littleEndian(at place: Int, bytes: Int) -> Int? {
        guard place >= 0, place <= count - bytes else { return nil }
        return self[place..<place + bytes].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
