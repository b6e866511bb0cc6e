public import NostrCore

/// A name at a domain, such as `bob@example.com`.
///
/// Shape: the local part of `a-z 0-9 - _ .`, the domain a host name with at least one dot; both kept lowercase. A bare
/// domain means `_` at that domain. Source: NIP-05.
public struct InternetIdentifier: Hashable, Sendable, CustomStringConvertible {
    /// The name before the `@`; `_` stands for the domain itself.
    public let local: String
    /// The host that answers for the name.
    public let domain: String

    /// Parses `name@domain` or `domain`, or is `nil`.
    public init?(_ text: String) {
        let parts = text.lowercased().split(separator: "@", omittingEmptySubsequences: false)
        guard let domain = parts.last, parts.count <= 2 else { return nil }
        let local = parts.count == 2 ? String(parts[0]) : "_"
        guard (1...64).contains(local.utf8.count), local.utf8.allSatisfy(Self.isLocalByte), Self.isHost(domain) else {
            return nil
        }
        self.local = local
        self.domain = String(domain)
    }

    /// The text for a person: the domain alone where the name is `_`.
    public var description: String { local == "_" ? domain : "\(local)@\(domain)" }

    /// Where the answer is; redirects there must not be followed.
    public var documentURL: String { "https://\(domain)/.well-known/nostr.json?name=\(local)" }

    private static func isLocalByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."): true
        default: false
        }
    }

    private static func isHost(_ text: Substring) -> Bool {
        guard text.utf8.count <= 253 else { return false }
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, let last = labels.last, last.utf8.contains(where: { !(0x30...0x39).contains($0) })
        else { return false }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.utf8.first != UInt8(ascii: "-")
                && label.utf8.last != UInt8(ascii: "-")
                && label.utf8.allSatisfy { isLocalByte($0) && $0 != UInt8(ascii: "_") }
        }
    }
}

/// The document a domain serves about its names.
///
/// Source: NIP-05.
public struct WellKnownNames: Hashable, Sendable {
    /// The key of each name; entries that are no lowercase hex key are left out.
    public let names: [String: PublicKey]
    /// Relays of a key, where the domain says.
    public let relays: [PublicKey: [RelayURL]]

    /// Parses the document, or is `nil` when it is no JSON object with `names`.
    public init?(json: [UInt8]) {
        // What is no JSON is no document; there is no better answer for a person than "not found".
        guard let document = try? JSONValue(json), case .object(let entries)? = document["names"] else { return nil }
        var names: [String: PublicKey] = [:]
        for entry in entries {
            if let key = Self.key(entry.value.string) { names[entry.name.lowercased()] = key }
        }
        var relays: [PublicKey: [RelayURL]] = [:]
        for entry in document["relays"]?.members ?? [] {
            guard let key = Self.key(entry.name) else { continue }
            // Malformed addresses are left out.
            relays[key] = entry.value.elements.compactMap { $0.string.flatMap { try? RelayURL($0) } }
        }
        self.names = names
        self.relays = relays
    }

    /// The person behind an identifier of this document's domain, and where to look for them.
    public func pointer(for identifier: InternetIdentifier) -> ProfilePointer? {
        names[identifier.local].map { ProfilePointer(key: $0, relays: relays[$0] ?? []) }
    }

    /// Whether the document confirms that an identifier belongs to a key.
    public func confirms(_ identifier: InternetIdentifier, for key: PublicKey) -> Bool {
        names[identifier.local] == key
    }

    private static func key(_ text: String?) -> PublicKey? {
        guard let text else { return nil }
        // An entry that is no key is left out.
        return try? PublicKey(hex: text)
    }
}
