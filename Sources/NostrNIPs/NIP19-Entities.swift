public import NostrCore

/// A key, an event or an address as people copy and share it.
///
/// Shape: Bech32 of at most 5000 characters. Secret keys are no entity: see ``NostrCore/SecretKey/parse(nsec:)``.
/// Source: NIP-19.
public enum NostrEntity: Hashable, Sendable {
    /// A person.
    case npub(PublicKey)
    /// An event id.
    case note(EventID)
    /// A person and their relays.
    case nprofile(ProfilePointer)
    /// An event with its relays, author and kind.
    case nevent(EventPointer)
    /// An address with its relays.
    case naddr(AddressPointer)
    /// A relay; deprecated, only read.
    case nrelay(RelayURL)

    /// The longest text taken and made, in characters.
    public static let maxLength = 5000

    /// The most relays put into one text; more help nobody.
    public static let maxRelays = 10

    /// Parses the Bech32 form.
    ///
    /// Unknown TLV types, malformed relays and kinds above 65535 in an `nevent` are ignored.
    ///
    /// - Throws: ``EntityError``.
    public init(_ text: String) throws(EntityError) {
        let decoded: Bech32Text
        do {
            decoded = try bech32Decode(text, maxLength: Self.maxLength)
        } catch {
            throw .notBech32(error)
        }
        switch decoded.prefix {
        case "npub": self = .npub(PublicKey(try Self.bytes32(decoded.bytes)))
        case "note": self = .note(EventID(try Self.bytes32(decoded.bytes)))
        case "nprofile": self = .nprofile(try Self.profile(EntityParts(decoded.bytes)))
        case "nevent": self = .nevent(try Self.event(EntityParts(decoded.bytes)))
        case "naddr": self = .naddr(try Self.address(EntityParts(decoded.bytes)))
        case "nrelay": self = .nrelay(try Self.relay(EntityParts(decoded.bytes)))
        case "nsec", "ncryptsec": throw .secret
        default: throw .unknownPrefix(decoded.prefix)
        }
    }

    /// The Bech32 form.
    ///
    /// - Throws: ``EntityError/identifierTooLong(bytes:)``: an address whose identifier (or a relay whose address)
    ///   has more than 255 bytes has no such form.
    public func encoded() throws(EntityError) -> String {
        switch self {
        case .npub(let key): return bech32Encode(prefix: "npub", bytes: key.bytes.array)
        case .note(let id): return bech32Encode(prefix: "note", bytes: id.bytes.array)
        case .nprofile(let pointer):
            return Self.encode("nprofile", special: pointer.key.bytes.array, relays: pointer.relays)
        case .nevent(let pointer):
            return Self.encode(
                "nevent", special: pointer.id.bytes.array, relays: pointer.relays, author: pointer.author,
                kind: pointer.kind)
        case .naddr(let pointer):
            let identifier = Array(pointer.address.identifier.utf8)
            guard identifier.count <= 255 else { throw .identifierTooLong(bytes: identifier.count) }
            return Self.encode(
                "naddr", special: identifier, relays: pointer.relays, author: pointer.address.author,
                kind: pointer.address.kind)
        case .nrelay(let relay):
            let text = Array(relay.text.utf8)
            guard text.count <= 255 else { throw .identifierTooLong(bytes: text.count) }
            return Self.encode("nrelay", special: text, relays: [])
        }
    }

    /// The person this entity is about or was written by.
    public var author: PublicKey? {
        switch self {
        case .npub(let key): key
        case .nprofile(let pointer): pointer.key
        case .nevent(let pointer): pointer.author
        case .naddr(let pointer): pointer.address.author
        case .note, .nrelay: nil
        }
    }

    /// Where to look for it.
    public var relays: [RelayURL] {
        switch self {
        case .nprofile(let pointer): pointer.relays
        case .nevent(let pointer): pointer.relays
        case .naddr(let pointer): pointer.relays
        case .nrelay(let relay): [relay]
        case .npub, .note: []
        }
    }
}

/// Why text is not an entity of NIP-19; never carries the text.
public enum EntityError: Error, Hashable, Sendable {
    /// Not Bech32, or too long.
    case notBech32(Bech32Error)
    /// A secret key where something public belongs.
    case secret
    /// Another prefix than those of NIP-19.
    case unknownPrefix(String)
    /// The data has another length than its prefix asks, or ends within a part.
    case wrongLength
    /// A part that the prefix needs is missing.
    case missingPart
    /// An identifier above 255 bytes fits no `naddr`.
    case identifierTooLong(bytes: Int)
    /// 32 bytes that are no secret key.
    case notASecretKey
}

extension NostrEntity {
    private static func bytes32(_ bytes: [UInt8]) throws(EntityError) -> Bytes32 {
        do {
            return try Bytes32(bytes.span)
        } catch {
            throw .wrongLength
        }
    }

    private static func profile(_ parts: EntityParts) throws(EntityError) -> ProfilePointer {
        guard let key = parts.first(0) else { throw .missingPart }
        return ProfilePointer(key: PublicKey(try bytes32(key)), relays: parts.relays)
    }

    private static func event(_ parts: EntityParts) throws(EntityError) -> EventPointer {
        guard let id = parts.first(0) else { throw .missingPart }
        let author: PublicKey? =
            if let key = parts.first(2) { PublicKey(try bytes32(key)) } else { nil }
        return EventPointer(id: EventID(try bytes32(id)), relays: parts.relays, author: author, kind: parts.kind)
    }

    private static func address(_ parts: EntityParts) throws(EntityError) -> AddressPointer {
        guard let identifier = parts.first(0), let author = parts.first(2), let kind = parts.kind,
            let text = String(validating: identifier, as: UTF8.self)
        else { throw .missingPart }
        let address = EventAddress(kind: kind, author: PublicKey(try bytes32(author)), identifier: text)
        return AddressPointer(address: address, relays: parts.relays)
    }

    private static func relay(_ parts: EntityParts) throws(EntityError) -> RelayURL {
        guard let text = parts.first(0).flatMap({ String(validating: $0, as: UTF8.self) }) else { throw .missingPart }
        do {
            return try RelayURL(text)
        } catch {
            throw .missingPart
        }
    }

    private static func encode(
        _ prefix: String, special: [UInt8], relays: [RelayURL], author: PublicKey? = nil, kind: Kind? = nil
    ) -> String {
        var bytes: [UInt8] = [0, UInt8(special.count)] + special
        // A relay longer than a part can be is left out.
        for relay in relays.map({ Array($0.text.utf8) }).filter({ $0.count <= 255 }).prefix(maxRelays) {
            bytes += [1, UInt8(relay.count)] + relay
        }
        if let author { bytes += [2, 32] + author.bytes.array }
        if let kind { bytes += [3, 4, 0, 0, UInt8(kind.rawValue >> 8), UInt8(kind.rawValue & 255)] }
        return bech32Encode(prefix: prefix, bytes: bytes)
    }
}

/// The type-length-value parts of an entity.
private struct EntityParts {
    private var parts: [(type: UInt8, value: [UInt8])] = []

    init(_ bytes: [UInt8]) throws(EntityError) {
        var rest = bytes[...]
        while let type = rest.popFirst() {
            guard let length = rest.popFirst(), rest.count >= Int(length) else { throw .wrongLength }
            parts.append((type, Array(rest.prefix(Int(length)))))
            rest = rest.dropFirst(Int(length))
        }
    }

    func first(_ type: UInt8) -> [UInt8]? {
        parts.first { $0.type == type }?.value
    }

    var relays: [RelayURL] {
        // A malformed relay is left out: the entity is still good without it.
        parts.filter { $0.type == 1 }.compactMap { part in
            String(validating: part.value, as: UTF8.self).flatMap { try? RelayURL($0) }
        }.withoutDuplicates()
    }

    var kind: Kind? {
        guard let bytes = first(3), bytes.count == 4 else { return nil }
        return UInt16(exactly: bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }).map { Kind($0) }
    }
}
