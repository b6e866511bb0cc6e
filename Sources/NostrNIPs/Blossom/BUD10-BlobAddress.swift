public import NostrCore

/// A blob named by its hash, with hints where it may be: `blossom:<sha256>.<ending>?xs=…&as=…&sz=…`.
///
/// Earlier drafts wrote `blob:` for the scheme; both are read. A server without a scheme is one of TLS. Source: BUD-10.
public struct BlobAddress: Hashable, Sendable {
    /// The longest that is read, in bytes.
    public static let longest = 4096
    /// How many hints of each sort are heeded.
    private static let most = 8

    /// Which blob.
    public let hash: BlobHash
    /// What its name ends with; `bin` where that is not known.
    public let ending: String
    /// Servers that may have it (`xs`), in order.
    public let servers: [MediaServer]
    /// People on whose servers it may be (`as`).
    public let authors: [PublicKey]
    /// Its length in bytes (`sz`).
    public let size: Int64?

    /// Reads an address; `nil` for anything else.
    public init?(_ text: some StringProtocol) {
        let text = String(text)
        guard text.utf8.count <= Self.longest,
            let scheme = ["blossom:", "blob:"].first(where: { text.prefix($0.count).lowercased() == $0 })
        else { return nil }
        let parts = text.dropFirst(scheme.count).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first, let hash = BlobHash(hex: name.prefix(64).lowercased()) else { return nil }
        let rest = name.dropFirst(64)
        guard rest.isEmpty || rest.first == ".", rest.utf8.count <= 17,
            rest.dropFirst().utf8.allSatisfy({ isASCIILetterOrDigit($0) })
        else { return nil }
        self.hash = hash
        ending = rest.count > 1 ? rest.dropFirst().lowercased() : "bin"
        var (servers, authors, size): ([MediaServer], [PublicKey], Int64?) = ([], [], nil)
        for hint in (parts.count > 1 ? parts[1] : "").split(separator: "&").prefix(64) {
            let pair = hint.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            switch pair[0] {
            case "xs": if let server = MediaServer(Self.plain(pair[1])) { servers.append(server) }
            // What is no key is nobody.
            case "as": if let author = try? PublicKey(hex: String(pair[1])) { authors.append(author) }
            case "sz": size = Int64(pair[1]).flatMap { $0 > 0 ? $0 : nil }
            default: continue
            }
        }
        self.servers = Array(servers.withoutDuplicates().prefix(Self.most))
        self.authors = Array(authors.withoutDuplicates().prefix(Self.most))
        self.size = size
    }

    /// Where it may lie on the web, in the order of its servers.
    public var addresses: [String] { servers.map { "\($0.address)/\(hash.hex).\(ending)" } }

    /// Some programs escape what stands in an address of a server.
    private static func plain(_ text: Substring) -> String {
        var plain = String(text)
        for (code, sign) in [("%3a", ":"), ("%3A", ":"), ("%2f", "/"), ("%2F", "/")] {
            plain = plain.split(separator: code, omittingEmptySubsequences: false).joined(separator: sign)
        }
        return plain
    }
}
