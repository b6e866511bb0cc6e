/// What a file is, told by its first bytes: those that Linnet can take metadata out of.
public enum MediaFormat: String, CaseIterable, Sendable {
    case jpeg, png, gif, webp, heic, avif, film, matroska, wave, mp3, flac

    /// How many of a file's first bytes are needed.
    public static let beginning = FileSignature.length

    /// Names a file by its first bytes; `nil` for a type that is not known here.
    public init?(beginning bytes: [UInt8]) {
        switch FileSignature(of: bytes) {
        case .jpeg: self = .jpeg
        case .png: self = .png
        case .gif: self = .gif
        case .riff("WEBP"): self = .webp
        case .riff("WAVE"): self = .wave
        case .matroska: self = .matroska
        case .flac: self = .flac
        case .id3, .mp3Frame: self = .mp3
        case .film(let brands): self = Self.format(of: brands)
        case .filmWithoutBrand: self = .film
        case .riff, .ogg, .pdf, .zip, nil: return nil
        }
    }

    /// Whether it is a picture, which a library reads; what else there is stays as it is but for its metadata.
    public var isPicture: Bool {
        switch self {
        case .jpeg, .png, .gif, .webp, .heic, .avif: true
        case .film, .matroska, .wave, .mp3, .flac: false
        }
    }

    /// The types it may have; the first is the usual one.
    public var types: [String] {
        switch self {
        case .jpeg: ["image/jpeg"]
        case .png: ["image/png"]
        case .gif: ["image/gif"]
        case .webp: ["image/webp"]
        case .heic: ["image/heic", "image/heif"]
        case .avif: ["image/avif"]
        case .film: ["video/mp4", "video/quicktime", "video/x-m4v", "video/3gpp", "audio/mp4", "audio/x-m4a"]
        case .matroska: ["video/webm", "audio/webm", "video/x-matroska", "audio/x-matroska"]
        case .wave: ["audio/wav", "audio/x-wav", "audio/vnd.wave"]
        case .mp3: ["audio/mpeg", "audio/mp3"]
        case .flac: ["audio/flac", "audio/x-flac"]
        }
    }

    /// What the pictures of a file are drawn on, where it says so besides their own sizes: whoever shows it needs that
    /// room.
    public func canvas(of bytes: [UInt8]) -> (width: Int, height: Int)? {
        func number(at place: Int, _ count: Int) -> Int {
            bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        switch self {
        case .gif where bytes.count >= 10: return (number(at: 6, 2), number(at: 8, 2))
        case .webp where bytes.count >= 30 && bytes.has("VP8X", at: 12):
            return (number(at: 24, 3) + 1, number(at: 27, 3) + 1)
        default: return nil
        }
    }

    /// The type to give it: the one it is said to have where that can be, else the usual one.
    public func type(said: String) -> String {
        let said = said.prefix { $0 != ";" }.lowercased()
        return types.first { $0 == said } ?? types.first ?? ""
    }

    /// What the brands of an ISO base media file make of it: the first that names a picture counts.
    private static func format(of brands: [String]) -> MediaFormat {
        for brand in brands {
            switch brand {
            case "avif", "avis": return .avif
            case "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1": return .heic
            default: continue
            }
        }
        return .film
    }
}

extension [UInt8] {
    /// A whole number, the highest byte first; `nil` where there are too few bytes.
    func number(at place: Int, _ count: Int) -> Int? {
        guard place >= 0, count <= 7, place <= self.count - count else { return nil }
        return self[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Whether text stands at a place.
    func has(_ text: StaticString, at place: Int) -> Bool {
        let letters = Array(text.description.utf8)
        return place >= 0 && place <= count - letters.count
            && self[place..<place + letters.count].elementsEqual(letters)
    }
}
