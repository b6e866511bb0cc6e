internal import NostrCore
internal import NostrNIPs

/// Where something that was pasted into a search leads, when it names one thing.
public enum SearchDestination: Hashable, Sendable {
    /// A person, by a code or a key.
    case person(String)
    /// A note, by a code.
    case note(String)
    /// What stands at an address, by its code; it is looked for.
    case address(String)
    /// A topic, without the `#`.
    case tag(String)
    /// A request for a payment over Lightning: an invoice, or the LNURL of a place that gives invoices.
    case invoice(String)
    /// A relay's page.
    case relay(String)

    /// The longest text that is read as one thing, in bytes.
    private static let longest = 4096

    /// Reads what was pasted; `nil` for words.
    public init?(_ text: String) {
        let word = text.filter { !$0.isWhitespace }
        guard !word.isEmpty, word.utf8.count <= Self.longest else { return nil }
        if word.hasPrefix("#") {
            guard word.count > 1, word == text, !word.dropFirst().contains("#") else { return nil }
            self = .tag(String(word.dropFirst()))
            return
        }
        let plain = Self.withoutScheme(word.first == "@" ? String(word.dropFirst()) : word)
        if let found = Self.entity(plain) ?? Self.key(plain) ?? Self.payment(lightningCode(in: word)) {
            self = found
        } else if plain.hasPrefix("wss://") || plain.hasPrefix("ws://"), (try? RelayURL(plain)) != nil {
            self = .relay(plain)
        } else if webAddress(plain) != nil, let found = Self.link(plain) {
            self = found
        } else {
            return nil
        }
    }

    private static func withoutScheme(_ word: String) -> String {
        let lower = word.prefix(14).lowercased()
        guard let scheme = ["web+nostr:", "nostr:", "lightning:"].first(where: lower.hasPrefix) else { return word }
        return String(word.dropFirst(scheme.count).drop { $0 == "/" })
    }

    /// A code, in the letters it is written in elsewhere: small ones.
    private static func entity(_ word: some StringProtocol) -> SearchDestination? {
        let code = word.lowercased()
        // What does not decode is something else, or searched for.
        switch try? NostrEntity(code) {
        case .npub, .nprofile: return .person(code)
        case .note, .nevent: return .note(code)
        case .naddr: return .address(code)
        case .nrelay(let relay): return .relay(relay.text)
        case nil: return nil
        }
    }

    /// 64 hex digits may be a person or a note; people are looked for more often.
    private static func key(_ word: String) -> SearchDestination? {
        let hex = word.lowercased()
        return hex.utf8.count == 64 && (try? PublicKey(hex: hex)) != nil ? .person(hex) : nil
    }

    private static func payment(_ word: String) -> SearchDestination? {
        let code = word.lowercased()
        if code.hasPrefix("lnurl") { return PayAddressItem(pasted: word).map { .invoice($0.lnurl) } }
        let isInvoice = ["lnbc", "lntb", "lnsb"].contains { code.hasPrefix($0) }
        return isInvoice && code.utf8.count > 100 && code.utf8.allSatisfy(isLetterOrDigit) ? .invoice(code) : nil
    }

    /// The first code in an address of the web: clients put it into the path, the query or the fragment.
    private static func link(_ address: String) -> SearchDestination? {
        let words = address.split { !$0.utf8.allSatisfy(isLetterOrDigit) }
        return words.lazy.compactMap { word in word.utf8.count > 60 ? entity(word) : nil }.first
    }
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    default: false
    }
}
