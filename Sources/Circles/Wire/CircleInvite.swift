internal import NostrClient
public import NostrCore
internal import NostrNIPs

/// An invitation to a circle: whom to ask, and where.
///
/// It lets nobody in by itself; whoever has it can ask. Shape of its code: JSON
/// `{"relay":…,"inviterNpub":…,"groupId":<hex>}` as Base64 (RFC 4648 §4); in links of ours also `relays` and `name`,
/// which others pass over. Source: Whistle, "InviteCode Encoding".
public struct CircleInvite: Hashable, Sendable {
    /// The most relays.
    public static let mostRelays = 10

    /// The id of the circle in MLS; 1 to 64 bytes.
    public let circle: [UInt8]
    /// Whom to ask.
    public let inviter: PublicKey
    /// Where the inviter reads, at least one; the first is the one Whistle is told.
    ///
    /// They are of the inviter's choice and may be private addresses; see ``/NostrCore/RelayURL/isPrivate``.
    public let relays: [RelayURL]
    /// What the circle is called, if the inviter says.
    public let name: String?

    /// Takes all; nil without a relay or for an id of no or too many bytes.
    ///
    /// Relays beyond the tenth are left out.
    public init?(circle: [UInt8], inviter: PublicKey, relays: [RelayURL], name: String? = nil) {
        var seen: Set<RelayURL> = []
        let each = relays.filter { seen.insert($0).inserted }
        guard (1...64).contains(circle.count), !each.isEmpty else { return nil }
        (self.circle, self.inviter) = (circle, inviter)
        (self.relays, self.name) = (Array(each.prefix(Self.mostRelays)), shownName(name))
    }

    /// The code, as short as Whistle's: what a QR code shows.
    public var code: String { InviteCode.encode(members(full: false)) }

    /// The link that opens Whistle, and this program.
    public var whistleLink: String { "whistle://invite/\(InviteCode.encode(members(full: true)))" }

    /// A link for a browser, which says it all behind `#`, where no server sees it.
    ///
    /// - Parameter page: an `https` address without `#` that leads people on; nil for any other.
    public func link(on page: String) -> String? {
        guard page.lowercased().hasPrefix("https://"), page.utf8.count <= 1024,
            page.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
        else { return nil }
        return "\(page)#\(InviteCode.encode(members(full: true)))"
    }

    private func members(full: Bool) -> [JSONMember] {
        var members = relays.prefix(1).map { JSONMember("relay", .string($0.text)) }
        members += [
            JSONMember("inviterNpub", .string(inviter.npub)), JSONMember("groupId", .string(encodeHex(circle))),
        ]
        guard full else { return members }
        if relays.count > 1 {
            members.append(JSONMember("relays", .array(relays.map { .string($0.text) })))
        }
        if let name { members.append(JSONMember("name", .string(name))) }
        return members
    }

    /// Reads the JSON of a code.
    init(_ json: [UInt8]) throws(CircleLinkError) {
        // Whatever is wrong with the JSON, a person can only copy the code again.
        guard let value = try? JSONValue(json, depth: CirclePayload.deepest), case .object = value else {
            throw .damaged
        }
        let texts = [value["relay"]].compactMap { $0?.string } + (value["relays"]?.elements ?? []).compactMap(\.string)
        // A relay that cannot be read is left out: the others may do.
        let relays = texts.prefix(4 * Self.mostRelays).compactMap { try? RelayURL($0) }
        guard !relays.isEmpty else { throw .noRelay }
        guard let inviter = value["inviterNpub"]?.string.flatMap(ProfilePointer.init(pasted:)) else {
            throw .noPerson
        }
        guard let circle = value["groupId"]?.string.flatMap({ CircleID(hex: $0)?.bytes }),
            let invite = CircleInvite(
                circle: circle, inviter: inviter.key, relays: relays, name: value["name"]?.string)
        else { throw .noCircle }
        self = invite
    }
}

/// The text of a code.
enum InviteCode {
    /// The JSON as Base64 without `/`, `+` or `=`.
    ///
    /// Whistle on iOS reads a code in a path only up to the first `/`. Base64 writes `/` and `+` for six bits that
    /// ASCII has only in `>`, `?`, `~` and DEL, so these are escaped as everything is that is not ASCII; and it writes
    /// `=` for bytes that lack to a multiple of three, so spaces fill it up.
    static func encode(_ members: [JSONMember]) -> String {
        var bytes: [UInt8] = []
        for unit in JSONValue.object(members).text.utf16 {
            switch unit {
            case 0x3E, 0x3F, 0x7E...: bytes += Array("\\u".utf8) + hex(unit)
            default: bytes.append(UInt8(truncatingIfNeeded: unit))
            }
        }
        while !bytes.count.isMultiple(of: 3) { bytes.append(UInt8(ascii: " ")) }
        return Base64.encode(bytes.span)
    }

    private static func hex(_ unit: UInt16) -> [UInt8] {
        Array(encodeHex([UInt8(unit >> 8), UInt8(unit & 0xFF)]).utf8)
    }

    /// The JSON of a code; nil for what is no Base64.
    ///
    /// Both alphabets are read, with or without padding, and a `/` too many at the end, which some programs add to
    /// links.
    static func decode(_ code: String) -> [UInt8]? {
        if let bytes = Base64URL.decode(code), !bytes.isEmpty { return bytes }
        guard code.last == "/" else { return nil }
        return Base64URL.decode(String(code.dropLast())).flatMap { $0.isEmpty ? nil : $0 }
    }
}
