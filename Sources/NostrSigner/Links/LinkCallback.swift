internal import NostrNIPs

/// Where the answer to a link goes: a URL that may be opened with a person's signature in it.
///
/// Shape: ASCII, at most ``longest`` bytes; `https` with a host and without user information, or an app's own scheme.
/// Schemes that reach something other than an app that asked are refused. Source: NIP-155, "Terminology"; DIP-05,
/// "Security Considerations".
public struct LinkCallback: Hashable, Sendable {
    /// The longest one taken, in bytes.
    public static let longest = 8192

    /// As the app wrote it; bytes outside ASCII are percent-encoded.
    public let text: String
    /// Its scheme, lowercase.
    public let scheme: String
    /// Its host, lowercase and with the port where one is written; `nil` when it has none.
    public let host: String?

    /// Takes a URL that answers may go to.
    ///
    /// - Throws: ``Problem``.
    public init(_ raw: String) throws(Problem) {
        guard raw.utf8.count <= Self.longest else { throw .tooLong }
        guard raw.utf8.allSatisfy(Self.mayStand), let colon = raw.firstIndex(of: ":") else { throw .notAURL }
        let scheme = raw[..<colon].lowercased()
        guard let first = scheme.utf8.first, (0x61...0x7A).contains(first), scheme.utf8.allSatisfy(Self.isSchemeByte)
        else { throw .notAURL }
        guard !Self.isRefused(scheme) else { throw .refusedScheme(scheme) }
        let rest = raw[raw.index(after: colon)...]
        let authority = rest.hasPrefix("//") ? rest.dropFirst(2).prefix { !"/?#".contains($0) } : nil
        let host = authority.map { $0.lowercased() }
        if let host, !host.utf8.allSatisfy({ $0 < 0x80 }) { throw .notAURL }
        // A person who reads `https://bank.example@other.example` believes the wrong half.
        if let host, host.contains("@") { throw .userInformation }
        if scheme == "https" {
            guard let host, let known = Self.webHost(host) else { throw .notAURL }
            self.host = known
        } else {
            self.host = host.flatMap { $0.isEmpty ? nil : $0 }
        }
        self.scheme = scheme
        text = Self.ascii(raw)
    }

    /// Why a URL is no callback.
    public enum Problem: Error, Hashable, Sendable {
        case tooLong
        case notAURL
        case refusedScheme(String)
        case userInformation
    }

    /// `https://host`, else `scheme:`.
    public var origin: String {
        if scheme == "https", let host { "https://" + host } else { scheme + ":" }
    }

    /// What grants are bound to, since no other app can borrow it: `https://host/path`, else `scheme:`.
    ///
    /// The path is kept as it is written, since programs of several people may live on one host; two spellings of one
    /// path are two apps. The query is not part of it: apps put a request's own marks there.
    public var destination: String {
        guard scheme == "https" else { return origin }
        let path = text.dropFirst("https://".count).prefix { $0 != "?" && $0 != "#" }.drop { $0 != "/" }
        return origin + (path.isEmpty ? "/" : path)
    }

    /// Whether what is put into it also reaches a server and its logs.
    public var reachesServer: Bool { scheme == "https" }

    /// The URL with more parameters: the app's own query and fragment stay as they are.
    func adding(_ items: [(name: String, value: String)]) -> String {
        guard !items.isEmpty else { return text }
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let base = parts[0]
        let glue = !base.contains("?") ? "?" : (base.hasSuffix("?") || base.hasSuffix("&") ? "" : "&")
        let query = items.map { PercentEncoding.encode($0.name) + "=" + PercentEncoding.encode($0.value) }
        return base + glue + query.joined(separator: "&") + (parts.count > 1 ? "#" + parts[1] : "")
    }

    /// The URL with a value put behind it as it stands (NIP-55, "Using Web Applications").
    func appending(_ value: String) -> String { text + PercentEncoding.encode(value) }

    private static func mayStand(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x7F && !"\"<>\\`".utf8.contains(byte)
    }

    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "+-.".utf8.contains(byte)
    }

    /// A host that a certificate can name, without the default port.
    private static func webHost(_ authority: String) -> String? {
        let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map { authority.index(after: $0) } : nil
        let name = authority[..<(end ?? authority.firstIndex(of: ":") ?? authority.endIndex)]
        let port = authority[name.endIndex...].drop { $0 == ":" }
        guard !name.isEmpty, port.count <= 5, port.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        let isName = name.utf8.allSatisfy {
            Self.isSchemeByte($0) && $0 != UInt8(ascii: "+") || $0 == UInt8(ascii: "_")
        }
        guard isName || (end != nil && name.utf8.allSatisfy { $0 != UInt8(ascii: "%") }) else { return nil }
        return port.isEmpty || port == "443" ? String(name) : "\(name):\(port)"
    }

    private static func ascii(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        return text.map { $0.isASCII ? String($0) : PercentEncoding.encode(String($0)) }.joined()
    }

    private static func isRefused(_ scheme: String) -> Bool {
        refused.contains(scheme) || refusedFamilies.contains { scheme.hasPrefix($0) }
    }

    /// Schemes of browsers, files, messages, calls, shops and signers: opening one does something, or shows the answer
    /// to a stranger who did not ask.
    private static let refused: Set<String> = [
        "about", "afp", "app-settings", "apt", "bitcoin", "blob", "bunker", "callto", "cid", "content", "data", "dav",
        "facetime", "facetime-audio", "feed", "file", "filesystem", "ftp", "ftps", "geo", "gopher", "help", "http",
        "im", "imap", "intent", "irc", "ircs", "jar", "javascript", "ldap", "ldaps", "lightning", "magnet", "mailto",
        "maps", "market", "message", "mid", "mms", "mmsto", "news", "nfs", "nntp", "nostr", "nostr+walletconnect",
        "nostrconnect", "nostrsigner", "pop", "prefs", "res", "resource", "rtsp", "search-ms", "sftp", "shell", "sip",
        "sips", "skype", "smb", "sms", "smsto", "snmp", "ssh", "steam", "tel", "telnet", "tftp", "urn", "vbscript",
        "view-source", "vnc", "webcal", "ws", "wss", "wyciwyg", "xmpp",
    ]
    private static let refusedFamilies = ["chrome", "edge", "itms", "moz-", "ms-", "safari-", "x-apple", "x-man"]
}
