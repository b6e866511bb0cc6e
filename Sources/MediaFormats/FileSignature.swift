/// What a file begins with: the one place that knows the first bytes of formats.
///
/// It says what stands there and no more. What that makes of the file is for whoever asks: ``MediaFormat`` for what is
/// published, others for what is shown, and for what a server says of a file.
public enum FileSignature: Hashable, Sendable {
    case jpeg, png, gif, matroska, ogg, flac, pdf, zip
    /// A RIFF file with the four letters of its kind, such as `WEBP`, `WAVE` or `AVI `.
    case riff(String)
    /// A tag of ID3, which stands before MP3.
    case id3
    /// A frame of MP3. Its mark is short: what begins so by chance is rare, and is there.
    case mp3Frame
    /// An ISO base media file with its brands, the major one first; none where the file ends before it.
    case film(brands: [String])
    /// A film of before there were brands.
    case filmWithoutBrand

    /// How many of a file's first bytes are looked at.
    public static let length = 64

    /// Looks at the first bytes of a file; `nil` for what is not known here.
    public init?(of file: some Collection<UInt8>) {
        let bytes = Array(file.prefix(Self.length))
        if let plain = Self.plain.first(where: { bytes.starts(with: $0.bytes) }) {
            self = plain.signature
        } else if bytes.has("RIFF", at: 0), bytes.count >= 12 {
            self = .riff(Self.letters(bytes, at: 8))
        } else if MP3.isFrame(bytes, at: 0) {
            self = .mp3Frame
        } else if bytes.has("ftyp", at: 4) {
            self = .film(brands: Self.brands(bytes))
        } else if bytes.has("moov", at: 4) || bytes.has("mdat", at: 4) || bytes.has("wide", at: 4)
            || bytes.has("free", at: 4)
        {
            self = .filmWithoutBrand
        } else {
            return nil
        }
    }

    private static let plain: [(bytes: [UInt8], signature: FileSignature)] = [
        ([0xFF, 0xD8, 0xFF], .jpeg), (PNG.signature, .png), (Array("GIF87a".utf8), .gif), (Array("GIF89a".utf8), .gif),
        ([0x1A, 0x45, 0xDF, 0xA3], .matroska), (Array("OggS".utf8), .ogg), (Array("fLaC".utf8), .flac),
        (Array("ID3".utf8), .id3), (Array("%PDF-".utf8), .pdf), ([0x50, 0x4B, 0x03, 0x04], .zip),
    ]

    private static func letters(_ bytes: [UInt8], at place: Int) -> String {
        String(decoding: bytes[place..<place + 4], as: UTF8.self)
    }

    /// The major brand and those behind the version, as far as the box and the bytes go.
    private static func brands(_ bytes: [UInt8]) -> [String] {
        let length = bytes.number(at: 0, 4).map { min(bytes.count, $0) } ?? bytes.count
        let places = [8] + stride(from: 16, to: max(16, length - 3), by: 4)
        return places.filter { $0 + 4 <= bytes.count }.map { letters(bytes, at: $0) }
    }
}
