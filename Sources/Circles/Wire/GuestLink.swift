internal import Crypto
public import NostrCore
internal import NostrNIPs

/// A link by which somebody without Linnet sees one person's place in a browser until a moment.
///
/// All it takes to read stands behind the `#` of the address, which browsers send to no server. It reads and cannot
/// write: the key that signs stays with whoever made the link. Source: docs/decisions/0021-guest-links.md.
public struct GuestLink: Hashable, Sendable {
    /// The most relays in a link, which has to fit a QR code.
    public static let mostRelays = 4
    /// How long a link may work.
    public static let lifetimes: ClosedRange<Duration> = .seconds(900)...(.seconds(7 * 86_400))
    /// The longest address of a page; unit: bytes.
    private static let longestPage = 1024
    private static let version: UInt8 = 1

    /// What the keys are derived from.
    let secret: Bytes32
    /// The key that signs what the link reads; it was made for the link and is used for nothing else.
    public let author: PublicKey
    /// When it ends.
    public let endsAt: Timestamp
    /// Where what it reads is, at least one.
    public let relays: [RelayURL]

    /// Takes all; nil without a relay, and for an end that 32 bits do not hold.
    ///
    /// Relays beyond the fourth are left out.
    init?(secret: Bytes32, author: PublicKey, endsAt: Timestamp, relays: [RelayURL]) {
        let short = relays.filter { $0.text.utf8.count <= 255 }
        guard !short.isEmpty, UInt32(exactly: endsAt.seconds) != nil else { return nil }
        (self.secret, self.author, self.endsAt) = (secret, author, endsAt)
        self.relays = Array(short.prefix(Self.mostRelays))
    }

    /// What stands behind the `#`.
    ///
    /// Shape: base64url without padding of a version byte (1), the secret (32 bytes), the author's key (32), the end in
    /// seconds (4, big-endian), and per relay a byte with the length of its address in UTF-8, and that.
    public var fragment: String {
        var bytes = [Self.version] + secret.array + author.bytes.array
        let end = UInt32(truncatingIfNeeded: endsAt.seconds)
        bytes += stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: end >> $0) }
        for relay in relays {
            let text = Array(relay.text.utf8)
            bytes += [UInt8(truncatingIfNeeded: text.count)] + text
        }
        return Base64URL.encode(bytes)
    }

    /// The whole address.
    ///
    /// - Parameter page: the page of guests of any Linnet: an `https` address, or one of this machine by `http`, since
    ///   browsers decrypt nowhere else; without `#`. Nil for any other.
    public func address(on page: String) -> String? {
        Self.isPage(page) ? "\(page)#\(fragment)" : nil
    }

    /// Whether a page may show guests where somebody is.
    public static func isPage(_ page: String) -> Bool {
        guard page.utf8.count <= longestPage,
            page.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
        else { return false }
        let lower = page.lowercased()
        if lower.hasPrefix("https://") { return lower.utf8.count > 8 }
        guard lower.hasPrefix("http://") else { return false }
        let authority = lower.dropFirst(7).prefix { $0 != "/" && $0 != "?" }
        let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } + "]" : authority.prefix { $0 != ":" }
        return ["localhost", "127.0.0.1", "[::1]"].contains(String(host)) || host.hasSuffix(".localhost")
    }
}

extension GuestLink: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Says that it is a link, and not which: whoever has it sees where somebody is.
    public var description: String { "a guest link" }
    /// Says that it is a link, and not which.
    public var debugDescription: String { description }
    /// Shows nothing of what is inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What a guest link reads: events of its author, encrypted with a key from its secret.
///
/// An addressable event of kind 30078 (NIP-78) with an `expiration` at the link's end (NIP-40); each replaces the one
/// before. Its `d` and its content say nothing to who has not the link.
extension GuestLink {
    /// Application data (NIP-78).
    static let kind: Kind = 30_078
    /// The length of what is encrypted, filled up with spaces; unit: bytes.
    ///
    /// It must not show whether there is a place.
    static let paddedLength = 256

    /// Where the event stands.
    var eventAddress: EventAddress { EventAddress(kind: Self.kind, author: author, identifier: identifier) }

    /// The `d` of the event: 16 bytes in hex.
    var identifier: String { encodeHex(derived("linnet guest link v1 name", count: 16).array) }

    /// The event that tells guests something.
    ///
    /// Shape of its content: base64 of a nonce (12 bytes), the ciphertext, and a tag (16): AES-256-GCM, with the author's
    /// key authenticated beside it.
    func draft(_ report: GuestReport, at moment: Timestamp, nonce: [UInt8]) throws -> EventDraft {
        var text = Array(report.json.utf8)
        text += Array(repeating: UInt8(ascii: " "), count: max(0, Self.paddedLength - text.count))
        let box = try AES.GCM.seal(
            text, using: derived("linnet guest link v1 place", count: 32), nonce: AES.GCM.Nonce(data: nonce),
            authenticating: author.bytes.array)
        let content = nonce + Array(box.ciphertext) + Array(box.tag)
        return EventDraft(
            kind: Self.kind, tags: [["d", identifier], .expiration(endsAt)], content: Base64.encode(content.span),
            createdAt: moment)
    }

    /// Asks relays to delete what the link read, all of it up to a moment (NIP-09).
    func deletion(at moment: Timestamp) -> EventDraft {
        EventDraft(
            kind: DeletionRequest.kind,
            tags: [["a", eventAddress.description], ["k", String(Self.kind.rawValue)]], content: "", createdAt: moment)
    }

    private func derived(_ purpose: String, count: Int) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: secret.array), info: Array(purpose.utf8), outputByteCount: count)
    }
}

extension SymmetricKey {
    fileprivate var array: [UInt8] { unsafe withUnsafeBytes { unsafe Array($0) } }
}
