internal import NostrCore
internal import NostrNIPs

/// What a path leads to.
///
/// Source: BUD-01, 02, 04, 05, 12. Only these forms are anything at all, so no path ever names a file.
enum BlossomRoute: Equatable {
    /// What the server says of itself: at `/`, and where it shares a port at `/blossom`.
    case document
    case blob(BlobHash)
    case upload
    case mirror
    /// Where servers that change pictures take them; this one does not.
    case media
    case list(PublicKey)
    /// Meant for one of these, and not well formed.
    case malformed(String)
    case nothing

    /// Reads a path, without its query.
    init(path: String) {
        switch path {
        case "/", "/blossom": self = .document
        case "/upload": self = .upload
        case "/mirror": self = .mirror
        case "/media": self = .media
        default:
            if path.hasPrefix("/list/") {
                self = Self.list(path.dropFirst("/list/".count))
            } else {
                self = Self.blob(path.dropFirst())
            }
        }
    }

    private static func list(_ text: Substring) -> BlossomRoute {
        // Only whether it is a key matters.
        guard let key = try? PublicKey(hex: String(text)) else {
            return .malformed("A list is asked for by a public key of 64 lowercase hex characters.")
        }
        return .list(key)
    }

    private static func blob(_ text: Substring) -> BlossomRoute {
        // Bytes, not characters: every request comes by here, some of them several times.
        let name = Substring(text.utf8.prefix { $0 != UInt8(ascii: ".") })
        guard name.utf8.count == 64, name.utf8.allSatisfy(isHexDigit) else { return .nothing }
        let ending = text[name.endIndex...]
        guard let hash = BlobHash(hex: name) else { return .malformed("A blob's name is in lowercase.") }
        guard ending.isEmpty || (ending.utf8.count > 1 && ending.utf8.count <= 32 && ending.utf8.allSatisfy(isEnding))
        else { return .malformed("What follows a blob's name is no file extension.") }
        return .blob(hash)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }

    private static func isEnding(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2E, 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }
}
