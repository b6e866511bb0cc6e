internal import NostrNIPs

/// An address that another program or page of this device opened here, and what it leads to.
///
/// Nothing happens by it: each leads to a page that shows something, or asks.
public enum OpenedAddress: Hashable, Sendable {
    /// `nostr:`: a person, a note or something to search for (NIP-21).
    case name(String)
    /// `bunker:`: a signer elsewhere that lets one app in (NIP-46).
    case signer(token: String)
    /// `nostrconnect:`: an app that wants this signer (NIP-46).
    case app(token: String)
    /// `whistle:`: an invitation to a circle, or somebody who wants to be let in.
    case circle(String)
    /// `nostrsigner:`, or this program's own scheme: an app asks for a signature (NIP-155).
    case signerLink(String)
    /// An answer of a signer on this device, that this program asked by a link.
    case answer(String)
    /// `lightning:`, or `bitcoin:` with something for Lightning in it: a request for a payment (BOLT-11, BIP-21).
    case invoice(String)
    /// A secret key, which belongs nowhere in an address.
    case secret
    /// A scheme that leads nowhere here.
    case unknown(scheme: String)

    /// The longest address taken, in bytes.
    public static let longest = 1024 * 1024

    /// Reads an address.
    ///
    /// Browsers let pages register for few schemes and for all that begin with `web+`, so that is dropped (HTML,
    /// "Custom scheme handlers").
    public init(_ text: String) {
        let text = String(text.prefix(Self.longest).filter { !$0.isWhitespace })
        let plain = text.lowercased().hasPrefix("web+") ? String(text.dropFirst(4)) : text
        guard let colon = plain.firstIndex(of: ":") else {
            self = Self.entity(plain)
            return
        }
        let scheme = plain[..<colon].lowercased()
        switch scheme {
        case "nostr": self = Self.entity(String(plain[plain.index(after: colon)...].drop { $0 == "/" }))
        case "bunker": self = .signer(token: plain)
        case "nostrconnect": self = .app(token: plain)
        case "whistle", "famstr": self = .circle(plain)
        case "nostrsigner", "linnet-signer": self = .signerLink(plain)
        case "lightning": self = .invoice(lightningCode(in: plain))
        case "bitcoin":
            let code = lightningCode(in: plain)
            self = code == plain ? .unknown(scheme: scheme) : .invoice(code)
        case "linnet-answer": self = .answer(plain)
        default: self = .unknown(scheme: oneLine(scheme, limit: 40))
        }
    }

    private static func entity(_ text: String) -> OpenedAddress {
        let word = text.lowercased()
        if word.hasPrefix("nsec1") || word.hasPrefix("ncryptsec1") { return .secret }
        return text.isEmpty ? .unknown(scheme: "") : .name(text)
    }
}
