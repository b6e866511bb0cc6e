/// What a picture's file says of it before its dots: how large it is, and how it is to be turned.
///
/// Nothing is decoded for it. Formats that are never kept as they are have none.
public struct PictureHead: Hashable, Sendable {
    /// Dots from left to right, as they lie in the file.
    public let width: Int
    /// Dots from top to bottom.
    public let height: Int
    /// 1 to 8 as in EXIF; 1 is upright.
    public let orientation: Int

    init?(width: Int, height: Int, orientation: Int = 1) {
        guard width > 0, height > 0 else { return nil }
        (self.width, self.height, self.orientation) = (width, height, orientation)
    }

    /// Reads it; `nil` for a file that does not say so, or is of a format that must be written anew.
    public init?(_ bytes: [UInt8], as format: MediaFormat) {
        let head: PictureHead? =
            switch format {
            case .jpeg: JPEG.head(of: bytes)
            case .png: PNG.head(of: bytes)
            case .gif: format.canvas(of: bytes).flatMap { PictureHead(width: $0.width, height: $0.height) }
            case .webp: RIFF.head(of: bytes)
            case .heic, .avif, .film, .matroska, .wave, .mp3, .flac: nil
            }
        guard let head else { return nil }
        self = head
    }

    /// Whether the picture can be published as it is but for its metadata: upright, and no larger than those that are
    /// made smaller become.
    ///
    /// - Parameters:
    ///   - bytes: how long the file is.
    ///   - isAnimated: whether it moves.
    public func isReady(_ format: MediaFormat, bytes: Int, isAnimated: Bool) -> Bool {
        switch PicturePlan(
            format, bytes: bytes, width: width, height: height, orientation: orientation, isAnimated: isAnimated)
        {
        case .cleaned: true
        case .rewritten: orientation == 1 && max(width, height) <= PicturePlan.longest
        }
    }
}

/// The one thing that is needed of EXIF: how a picture is to be turned.
///
/// Source: TIFF 6.0, section 2; Exif 2.32, 4.6.4.
enum EXIF {
    private static let orientationTag = 0x0112
    private static let mostEntries = 1000

    /// - Parameter tiff: what stands behind the name of the segment.
    /// - Returns: 1 to 8; 1 for what does not say so.
    static func orientation(in tiff: [UInt8]) -> Int {
        let isLittle = tiff.starts(with: Array("II".utf8))
        guard isLittle || tiff.starts(with: Array("MM".utf8)) else { return 1 }
        func number(_ place: Int, _ count: Int) -> Int? {
            guard place >= 0, place <= tiff.count - count else { return nil }
            let bytes = tiff[place..<place + count]
            return (isLittle ? Array(bytes.reversed()) : Array(bytes)).reduce(0) { $0 << 8 | Int($1) }
        }
        guard let start = number(4, 4), let count = number(start, 2) else { return 1 }
        for entry in 0..<min(count, mostEntries) {
            let place = start + 2 + entry * 12
            guard let tag = number(place, 2) else { return 1 }
            guard tag == orientationTag else { continue }
            return number(place + 8, 2).flatMap { (1...8).contains($0) ? $0 : nil } ?? 1
        }
        return 1
    }
}
