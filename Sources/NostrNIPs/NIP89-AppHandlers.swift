public import NostrCore

/// Which apps somebody recommends for a kind of event: kind 31989.
///
/// Source: NIP-89.
public struct AppRecommendation: Hashable, Sendable {
    /// The kind of a recommendation.
    public static let kind: Kind = 31_989
    /// So many apps of one recommendation are read.
    static let mostApps = 32

    /// Who recommends.
    public let author: PublicKey
    /// What the apps are for.
    public let handledKind: Kind
    /// The apps, as far as they are for the web or for no platform in particular, each once.
    public let apps: [AddressPointer]

    /// Reads an event; `nil` for another kind, and where it is not said what the apps are for.
    public init?(_ event: Event) {
        guard event.kind == Self.kind, let handled = event.tags.first(where: { $0.name == "d" })?.kind(at: 1) else {
            return nil
        }
        author = event.pubkey
        handledKind = handled
        let named = event.tags.named("a").prefix(256).compactMap { tag -> AddressPointer? in
            guard let pointer = AddressPointer(tag: tag), pointer.address.kind == AppHandler.kind,
                (tag.text(at: 3) ?? "web") == "web"
            else { return nil }
            return pointer
        }
        var seen: Set<EventAddress> = []
        apps = Array(named.filter { seen.insert($0.address).inserted }.prefix(Self.mostApps))
    }
}

/// What an app says it opens, and where: kind 31990.
///
/// Nothing in it is proven. Only pages of the open web are read: `https`, a name and no number for a host, no password, and
/// the code after the host. Source: NIP-89.
public struct AppHandler: Hashable, Sendable {
    /// The kind of what an app says of itself.
    public static let kind: Kind = 31_990
    private static let mostTags = 256
    private static let longestTemplate = 1024
    private static let placeholder = "<bech32>"

    /// A page that opens something.
    public struct Page: Hashable, Sendable {
        /// Its address; begins with `https://`.
        public let address: String
        /// The host in it, perhaps with a port, lowercase.
        public let host: String
    }

    private struct Template: Hashable, Sendable {
        /// What it opens, such as `naddr`; empty for anything.
        let entity: String
        let text: String
        let host: String
    }

    /// Where it is found.
    public let address: EventAddress
    /// The kinds it says it opens.
    public let kinds: Set<Kind>
    /// What it calls itself; `nil` where it says nothing.
    public let name: String?
    private let templates: [Template]

    /// Reads an event; `nil` for another kind.
    public init?(_ event: Event) {
        guard event.kind == Self.kind, let place = event.address else { return nil }
        address = place
        let tags = event.tags.prefix(Self.mostTags)
        kinds = Set(tags.lazy.filter { $0.name == "k" }.compactMap { $0.kind(at: 1) })
        // What is no object says nothing.
        let words = try? JSONValue(Array(event.content.utf8), depth: 8)
        let names = ["display_name", "name"].lazy.compactMap { words?[$0]?.string }
        name = names.first { $0.contains { !$0.isWhitespace } }
        templates = tags.filter { $0.name == "web" }.compactMap { tag in
            guard let text = tag.text(at: 1), let host = Self.host(of: text) else { return nil }
            return Template(entity: tag[2] ?? "", text: text, host: host)
        }
    }

    /// The page that opens one thing; `nil` where the app has none for it.
    ///
    /// - Parameter codes: its codes (NIP-19), the best first; a page for exactly such a code goes before one for anything.
    public func page(opening codes: [String]) -> Page? {
        for code in codes {
            let entity = code.prefix { $0 != "1" }
            let fits = templates.first { $0.entity == entity } ?? templates.first { $0.entity.isEmpty }
            guard let fits else { continue }
            return Page(address: fits.text.replacing(Self.placeholder, with: code), host: fits.host)
        }
        return nil
    }

    /// The host of an address that may be opened; `nil` for any other.
    private static func host(of template: String) -> String? {
        let scheme = "https://"
        guard template.utf8.count <= longestTemplate, template.hasPrefix(scheme),
            template.utf8.allSatisfy({ 0x20 < $0 && $0 < 0x7F && !#""'\`"#.utf8.contains($0) })
        else { return nil }
        let rest = template.dropFirst(scheme.count)
        let host = rest.prefix { !"/?#".contains($0) }.lowercased()
        guard rest.dropFirst(host.count).contains(placeholder), isOpen(host) else { return nil }
        return host
    }

    /// Whether a host is a name of the open web: letters, and neither this machine nor a private network.
    private static func isOpen(_ host: String) -> Bool {
        let parts = host.split(separator: ":", omittingEmptySubsequences: false)
        guard let name = parts.first, parts.count <= 2, name.utf8.allSatisfy(isOfName) else { return false }
        if parts.count == 2, UInt16(decimal: parts[1]) == nil { return false }
        let labels = name.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count > 1, labels.allSatisfy({ !$0.isEmpty }), let last = labels.last else { return false }
        return last.utf8.allSatisfy { !(0x30...0x39).contains($0) || last.hasPrefix("xn--") }
            && !["localhost", "local", "internal", "lan", "arpa", "onion"].contains(last)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "."):
            true
        default: false
        }
    }
}
