public import NostrCore

/// Where the newest version of a replaceable or addressable event is found, whatever its id is today.
///
/// Shape on the wire: `<kind>:<author in hex>:<identifier>`, the identifier empty for replaceable kinds; it may hold
/// colons itself. Two identifiers are the same when their bytes are, not when they look alike as `String` has it.
/// Source: NIP-01, "Tags", the `a` tag.
public struct EventAddress: Hashable, Sendable, CustomStringConvertible {
    /// What it is.
    public let kind: Kind
    /// Whose it is.
    public let author: PublicKey
    /// The value of the `d` tag.
    public let identifier: String

    /// Nothing is checked: the kind may be one that is not addressable.
    public init(kind: Kind, author: PublicKey, identifier: String) {
        self.kind = kind
        self.author = author
        self.identifier = identifier
    }

    /// Parses the wire form, or is `nil`.
    public init?(_ text: String) {
        let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, let kind = UInt16(decimal: parts[0]) else { return nil }
        do {
            author = try PublicKey(hex: String(parts[1]))
        } catch {
            return nil
        }
        self.kind = Kind(kind)
        identifier = parts.count == 3 ? String(parts[2]) : ""
    }

    /// The wire form.
    public var description: String { "\(kind.rawValue):\(author.hex):\(identifier)" }

    public static func == (a: EventAddress, b: EventAddress) -> Bool {
        a.kind == b.kind && a.author == b.author && a.identifier.utf8.elementsEqual(b.identifier.utf8)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(author)
        for byte in identifier.utf8 { hasher.combine(byte) }
    }
}

extension Event {
    /// The address of a replaceable or addressable event; `nil` for every other kind.
    public var address: EventAddress? { unverified.address }
}

extension UnverifiedEvent {
    /// The address of a replaceable or addressable event; `nil` for every other kind.
    ///
    /// An addressable event without a `d` tag counts as one with an empty `d`.
    public var address: EventAddress? {
        switch kind.retention {
        case .replaceable: EventAddress(kind: kind, author: pubkey, identifier: "")
        case .addressable: EventAddress(kind: kind, author: pubkey, identifier: tags.firstValue("d") ?? "")
        case .regular, .ephemeral: nil
        }
    }
}
