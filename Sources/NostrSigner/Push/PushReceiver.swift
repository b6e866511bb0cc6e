internal import NostrCore
internal import NostrNIPs

/// How the person's own machine is woken: where pushes for it are posted, and the key that opens them.
///
/// Kept in a file that only its owner reads: three lines, `kind`, `endpoint` and `key`, a space behind each name.
public struct PushReceiver: Sendable {
    /// Who takes pushes in.
    public enum Kind: String, Sendable {
        /// This machine, reached at an address of its own.
        case own
        /// A distributor of UnifiedPush that speaks ntfy, which is listened to.
        case ntfy
    }

    /// Who takes pushes in.
    public let kind: Kind
    /// Where they are posted: an `https` address that ends in a word nobody guesses.
    public let endpoint: String
    /// What opens them.
    public let key: WebPushKey

    /// Draws the word at the end of the address, and the key.
    ///
    /// - Parameters:
    ///   - base: `https://host`, with a path or without.
    ///   - word: at least 16 random letters; ntfy takes up to 64 letters and digits.
    /// - Returns: `nil` for what is no `https` address.
    public init?(_ kind: Kind, at base: String, word: String) {
        let base = base.hasSuffix("/") ? String(base.dropLast()) : base
        guard base.hasPrefix("https://"), base.utf8.count <= 500, base.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !base.contains("?"), !base.contains("#")
        else { return nil }
        self.kind = kind
        // The marks by which ntfy treats a topic as UnifiedPush's.
        endpoint = base + "/" + (kind == .ntfy ? "up" + word + "?up=1" : word)
        key = WebPushKey()
    }

    /// Reads the file; `nil` for what is none.
    public init?(text: String) {
        var values: [Substring: String] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 1)
            if parts.count == 2 { values[parts[0]] = String(parts[1]) }
        }
        guard let kind = values["kind"].flatMap(Kind.init), let endpoint = values["endpoint"],
            endpoint.hasPrefix("https://"), let key = values["key"].flatMap(WebPushKey.init(text:))
        else { return nil }
        (self.kind, self.endpoint, self.key) = (kind, endpoint, key)
    }

    /// The file's text; a secret.
    public var text: String { "kind \(kind.rawValue)\nendpoint \(endpoint)\nkey \(key.text)\n" }

    /// The device as a push proxy is told of it.
    public var device: PushProxyLedger.Device {
        switch kind {
        case .own: .webPush(endpoint: endpoint, key: key.publicKey, secret: key.secret)
        case .ntfy: .unifiedPush(endpoint: endpoint, key: key.publicKey, secret: key.secret)
        }
    }

    /// Whether a request that came to this machine is for the endpoint; what stands before its last word, a proxy of
    /// one's own may take away.
    public func isMeant(by path: String) -> Bool {
        guard kind == .own, let word = endpoint.split(separator: "/").last else { return false }
        let named = path.prefix { $0 != "?" }.split(separator: "/").last ?? ""
        return named.utf8.count == word.utf8.count
            && zip(named.utf8, word.utf8).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// A push as it comes by HTTP to a program that is started for it: one request on its standard input.
///
/// Source: RFC 9112; RFC 8030 §5.
public struct PushDelivery: Sendable {
    /// What is known after some bytes.
    public enum Reading: Sendable {
        /// There is more to come.
        case more
        /// The whole request.
        case complete(PushDelivery)
        /// It is no push; the status to answer.
        case refused(Int)
    }

    /// The longest head read; unit: bytes.
    static let longestHead = 16_384

    /// The request's path.
    public let path: String
    /// The encrypted message.
    public let body: [UInt8]

    /// Reads what has come so far.
    public static func read(_ bytes: [UInt8]) -> Reading {
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: [13, 10, 13, 10]) }) else {
            return bytes.count > longestHead ? .refused(431) : .more
        }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\r\n")
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return .refused(400) }
        guard words[0] == "POST" else { return .refused(405) }
        var length: Int?
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "content-length" else { continue }
            length = Int(parts[1].drop { $0 == " " })
        }
        guard let length, length >= 0 else { return .refused(411) }
        guard length <= WebPushKey.longest else { return .refused(413) }
        let start = end + 4
        guard bytes.count - start >= length else { return .more }
        return .complete(PushDelivery(path: String(words[1]), body: Array(bytes[start..<start + length])))
    }

    /// The answer to it, after which the connection ends.
    public static func answer(_ status: Int) -> [UInt8] {
        let words = [201: "Created", 404: "Not Found", 400: "Bad Request"]
        return Array(
            "HTTP/1.1 \(status) \(words[status] ?? "Refused")\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)
    }
}
