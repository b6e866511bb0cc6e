internal import Crypto

/// The bytes whose SHA-256 is an event's id: `[0,pubkey,created_at,kind,tags,content]` without white space.
///
/// Source: NIP-01: only `\n \" \\ \r \t \b \f` are escaped, everything else stands verbatim as UTF-8.
public func canonicalJSON(
    pubkey: PublicKey, createdAt: Timestamp, kind: Kind, tags: [Tag], content: String
) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(128 + content.utf8.count + tags.count * 80)
    out.append(contentsOf: "[0,\"".utf8)
    out.append(contentsOf: pubkey.hex.utf8)
    out.append(contentsOf: "\",\(createdAt.seconds),\(kind.rawValue),".utf8)
    appendJSON(tags: tags, to: &out)
    out.append(UInt8(ascii: ","))
    appendJSON(string: content, to: &out)
    out.append(UInt8(ascii: "]"))
    return out
}

/// The id of an event with these parts.
public func canonicalID(
    pubkey: PublicKey, createdAt: Timestamp, kind: Kind, tags: [Tag], content: String
) -> EventID {
    let bytes = canonicalJSON(pubkey: pubkey, createdAt: createdAt, kind: kind, tags: tags, content: content)
    let digest = Array(SHA256.hash(data: bytes))
    guard let id = try? Bytes32(digest.span) else { preconditionFailure("SHA-256 yields 32 bytes") }
    return EventID(id)
}

/// Appends tags as a JSON array of arrays of strings.
func appendJSON(tags: [Tag], to out: inout [UInt8]) {
    out.append(UInt8(ascii: "["))
    for (i, tag) in tags.enumerated() {
        if i > 0 { out.append(UInt8(ascii: ",")) }
        out.append(UInt8(ascii: "["))
        for (j, element) in tag.elements.enumerated() {
            if j > 0 { out.append(UInt8(ascii: ",")) }
            appendJSON(string: element, to: &out)
        }
        out.append(UInt8(ascii: "]"))
    }
    out.append(UInt8(ascii: "]"))
}

/// Appends a string with the escapes of NIP-01.
func appendJSON(string: String, to out: inout [UInt8]) {
    out.append(UInt8(ascii: "\""))
    for byte in string.utf8 {
        switch byte {
        case 0x0A: out.append(contentsOf: [0x5C, 0x6E])
        case 0x22: out.append(contentsOf: [0x5C, 0x22])
        case 0x5C: out.append(contentsOf: [0x5C, 0x5C])
        case 0x0D: out.append(contentsOf: [0x5C, 0x72])
        case 0x09: out.append(contentsOf: [0x5C, 0x74])
        case 0x08: out.append(contentsOf: [0x5C, 0x62])
        case 0x0C: out.append(contentsOf: [0x5C, 0x66])
        default: out.append(byte)
        }
    }
    out.append(UInt8(ascii: "\""))
}
