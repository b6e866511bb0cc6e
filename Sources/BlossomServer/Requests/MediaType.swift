internal import MediaFormats

/// The type of a blob: as its sender says, or as its first bytes tell.
enum MediaType {
    /// How many first bytes tell a type.
    static let tellingBytes = 32

    /// A type as a header writes it, in lower case and without what follows it; `nil` for what is none.
    static func read(_ header: String?) -> String? {
        guard let header else { return nil }
        let type = header.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
        let parts = type.split(separator: "/", omittingEmptySubsequences: false)
        guard type.utf8.count <= 127, parts.count == 2, parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy(isToken) })
        else { return nil }
        return type
    }

    /// The type that first bytes tell; `nil` where they tell none.
    static func told(by bytes: [UInt8]) -> String? {
        switch FileSignature(of: bytes) {
        case .png: "image/png"
        case .jpeg: "image/jpeg"
        case .gif: "image/gif"
        case .pdf: "application/pdf"
        case .matroska: "video/webm"
        case .ogg: "audio/ogg"
        case .flac: "audio/flac"
        case .id3: "audio/mpeg"
        case .zip: "application/zip"
        case .riff(let kind): ["WEBP": "image/webp", "WAVE": "audio/wav", "AVI ": "video/x-msvideo"][kind]
        case .film(let brands): brands.first.map { Self.brands[$0] ?? "video/mp4" }
        // Too little is said for a server to say it to others.
        case .mp3Frame, .filmWithoutBrand, nil: nil
        }
    }

    /// Whether a type is among some, which may end in `/*`; none means all.
    static func isAmong(_ patterns: [String], _ type: String) -> Bool {
        patterns.isEmpty
            || patterns.contains { pattern in
                pattern == type || (pattern.hasSuffix("/*") && type.hasPrefix(pattern.dropLast()))
            }
    }

    /// The ending of a file's name for a type.
    static func fileExtension(_ type: String) -> String { extensions[type] ?? "bin" }

    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: Array("!#$&^_.+-".utf8).contains(byte)
        }
    }

    private static let brands = [
        "heic": "image/heic", "heix": "image/heic", "mif1": "image/heif", "avif": "image/avif", "avis": "image/avif",
        "qt  ": "video/quicktime", "M4A ": "audio/mp4",
    ]

    private static let extensions = [
        "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp", "image/avif": "avif",
        "image/heic": "heic", "image/heif": "heif", "image/svg+xml": "svg", "video/mp4": "mp4", "video/webm": "webm",
        "video/quicktime": "mov", "video/x-msvideo": "avi", "audio/mpeg": "mp3", "audio/ogg": "ogg",
        "audio/flac": "flac", "audio/wav": "wav", "audio/mp4": "m4a", "application/pdf": "pdf", "text/plain": "txt",
        "text/html": "html", "text/markdown": "md", "application/json": "json", "application/zip": "zip",
    ]
}
