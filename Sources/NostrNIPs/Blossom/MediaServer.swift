internal import NostrCore

/// A media server, by its address.
///
/// Shape: `https://host` or `http://host`, with a port where it is not the usual one; lowercase, nothing behind it.
/// Source: BUD-03.
public struct MediaServer: Hashable, Sendable, CustomStringConvertible {
    /// The address, without a slash at its end.
    public let address: String
    /// The host, without a port, as tokens name it (BUD-11).
    public let domain: String

    /// Reads what a person or a list wrote; `nil` for what is no address of a server.
    ///
    /// Without a scheme it is taken for one of TLS. What stands behind the host is left out: blobs lie at the root.
    public init?(_ text: some StringProtocol) {
        let lower = String(text.filter { !$0.isWhitespace }).lowercased()
        guard lower.utf8.count <= 512 else { return nil }
        let (scheme, rest) = Self.split(lower)
        guard let scheme else { return nil }
        let authority = rest.prefix { !"/?#".contains($0) }
        guard let place = Self.place(authority) else { return nil }
        let isUsual = place.port == nil || place.port == (scheme == "https" ? 443 : 80)
        domain = place.host
        address = "\(scheme)://\(place.host)" + (isUsual ? "" : place.port.map { ":\($0)" } ?? "")
    }

    /// Where a blob lies there.
    ///
    /// - Parameter type: its type, which gives the address its ending.
    public func address(of blob: BlobHash, type: String?) -> String {
        "\(address)/\(blob.hex)" + (type.flatMap { Self.endings[$0] }.map { ".\($0)" } ?? "")
    }

    public var description: String { address }

    private static func split(_ text: String) -> (scheme: String?, rest: Substring) {
        for scheme in ["https", "http"] where text.hasPrefix("\(scheme)://") {
            return (scheme, text.dropFirst(scheme.count + 3))
        }
        // Another scheme is no server; a port is no scheme.
        return text.contains("://") ? (nil, "") : ("https", text[...])
    }

    private static func place(_ authority: Substring) -> (host: String, port: Int?)? {
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard let host = parts.first, !host.isEmpty, parts.count <= 2, host.utf8.count <= 253,
            host.utf8.allSatisfy({
                $0 == 0x2D || $0 == 0x2E || (0x30...0x39).contains($0) || (0x61...0x7A).contains($0)
            }), !host.hasPrefix("."), !host.hasPrefix("-"), host == "localhost" || host.contains(".")
        else { return nil }
        guard parts.count == 2 else { return (String(host), nil) }
        guard let port = Int(parts[1]), (1...65_535).contains(port) else { return nil }
        return (String(host), port)
    }

    private static let endings = [
        "image/jpeg": "jpg", "image/png": "png", "image/gif": "gif", "image/webp": "webp", "image/avif": "avif",
        "image/svg+xml": "svg", "video/mp4": "mp4", "video/webm": "webm", "video/quicktime": "mov",
        "audio/mpeg": "mp3", "audio/mp4": "m4a", "audio/ogg": "ogg", "audio/wav": "wav", "audio/flac": "flac",
        "application/pdf": "pdf", "text/plain": "txt",
    ]
}
