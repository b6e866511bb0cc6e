internal import MediaFormats
public import NostrNIPs

/// What a file is, as far as its own first bytes tell (`FileSignature`): what a sender claims may run scripts when a
/// browser believes it.
///
/// Only what is named here is ever given to a browser under its own type; all else is a heap of bytes to be saved.
public enum FileSort: String, Hashable, Sendable, CaseIterable {
    case png, jpeg, gif, webp, avif
    case mp4, webm, mp3, ogg, wav, flac
    case pdf
    /// Anything else.
    case bytes

    /// Looks at the first bytes of a file.
    ///
    /// Of brands only the major one counts, by which browsers go.
    public init(of file: [UInt8]) {
        switch FileSignature(of: file) {
        case .png: self = .png
        case .jpeg: self = .jpeg
        case .gif: self = .gif
        case .riff("WEBP"): self = .webp
        case .riff("WAVE"): self = .wav
        case .film(let brands): self = ["avif", "avis"].contains(brands.first) ? .avif : .mp4
        case .matroska: self = .webm
        case .ogg: self = .ogg
        case .flac: self = .flac
        case .id3, .mp3Frame: self = .mp3
        case .pdf: self = .pdf
        case .riff, .zip, .filmWithoutBrand, nil: self = .bytes
        }
    }

    /// Its MIME type.
    public var type: String {
        switch self {
        case .png: "image/png"
        case .jpeg: "image/jpeg"
        case .gif: "image/gif"
        case .webp: "image/webp"
        case .avif: "image/avif"
        case .mp4: "video/mp4"
        case .webm: "video/webm"
        case .mp3: "audio/mpeg"
        case .ogg: "audio/ogg"
        case .wav: "audio/wav"
        case .flac: "audio/flac"
        case .pdf: "application/pdf"
        case .bytes: "application/octet-stream"
        }
    }

    /// Whether a browser may show it within a page: pictures that hold no scripts, and nothing else.
    public var isPicture: Bool {
        switch self {
        case .png, .jpeg, .gif, .webp, .avif: true
        default: false
        }
    }

    /// Whether a browser may play it within a page.
    public var isRecording: Bool {
        switch self {
        case .mp4, .webm, .mp3, .ogg, .wav, .flac: true
        case .png, .jpeg, .gif, .webp, .avif, .pdf, .bytes: false
        }
    }

    /// What its name ends with; empty where that is not known.
    public var ending: String {
        switch self {
        case .jpeg: "jpg"
        case .bytes: ""
        default: rawValue
        }
    }

    /// A name to save it under: one that leads nowhere, and for what is known ends with what the file is.
    ///
    /// Shape: letters, digits, `-`, `_`, space and dots within, of ASCII, so that it needs no further quoting; at most
    /// 100.
    func fileName(_ wanted: String) -> String {
        let kept = wanted.prefix(200).map { sign -> Character in
            sign.isASCII && (sign.isLetter || sign.isNumber || "-_. ".contains(sign)) ? sign : "-"
        }
        let trimmed = String(kept).trimming { $0 == "." || $0 == " " || $0 == "-" }
        let stem = trimmed.isEmpty ? "file" : String(trimmed.prefix(90))
        guard !ending.isEmpty, !stem.lowercased().hasSuffix("." + ending) else { return stem }
        return stem + "." + ending
    }
}

extension String {
    /// Without such signs at both ends.
    fileprivate func trimming(_ isGone: (Character) -> Bool) -> String {
        let start = drop(while: isGone)
        return String(start.reversed().drop(while: isGone).reversed())
    }
}

extension PixelSize {
    /// How large a picture is, as its header says; `nil` where that cannot be told.
    public init?(ofPicture file: [UInt8]) {
        switch FileSort(of: file) {
        case .png: self.init(width: file.number(at: 16, bytes: 4), height: file.number(at: 20, bytes: 4))
        case .gif:
            self.init(
                width: file.number(at: 6, bytes: 2).byteSwapped16, height: file.number(at: 8, bytes: 2).byteSwapped16)
        case .jpeg:
            guard let frame = file.jpegFrame else { return nil }
            self.init(width: file.number(at: frame + 7, bytes: 2), height: file.number(at: frame + 5, bytes: 2))
        default: return nil
        }
    }
}

extension Int {
    fileprivate var byteSwapped16: Int { (self & 0xFF) << 8 | self >> 8 & 0xFF }
}

extension [UInt8] {
    /// A number that stands at a place, the highest byte first; 0 where the file ends before.
    fileprivate func number(at place: Int, bytes: Int) -> Int {
        guard place >= 0, count >= place + bytes else { return 0 }
        return self[place..<place + bytes].reduce(0) { $0 << 8 | Int($1) }
    }

    /// Where the frame's header of a JPEG begins.
    fileprivate var jpegFrame: Int? {
        var place = 2
        while place + 9 <= count, self[place] == 0xFF {
            let mark = self[place + 1]
            // Fill bytes stand before some marks.
            if mark == 0xFF {
                place += 1
                continue
            }
            if (0xC0...0xCF).contains(mark), ![0xC4, 0xC8, 0xCC].contains(mark) { return place }
            let length = number(at: place + 2, bytes: 2)
            guard length >= 2 else { return nil }
            place += 2 + length
        }
        return nil
    }
}
