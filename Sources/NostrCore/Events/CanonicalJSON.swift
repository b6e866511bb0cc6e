internal import Crypto

/// The bytes whose SHA-256 is an event's id: `[0,pubkey,created_at,kind,tags,content]` without white space.
///
/// Source: NIP-01: only `\n \" \\ \r \t \b \f` are escaped, everything else stands verbatim as UTF-8.
public func canonicalJSON(
    pubkey: PublicKey, createdAt: Timestamp, kind: Kind, tags: [Tag], content: String
) -> [UInt8] {
    var writer = JSONWriter(.verbatim, capacity: 128 + content.utf8.count + tags.count * 80)
    writer.raw("[0,")
    writer.hex(pubkey.bytes)
    writer.raw(",")
    writer.integer(createdAt.seconds)
    writer.raw(",")
    writer.integer(kind.rawValue)
    writer.raw(",")
    writer.tags(tags)
    writer.raw(",")
    writer.string(content)
    writer.raw("]")
    return writer.bytes
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
