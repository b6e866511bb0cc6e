internal import Crypto

/// The bytes whose SHA-256 is an event's id: `[0,pubkey,created_at,kind,tags,content]` without white space.
///
/// Source: NIP-01: only `\n \" \\ \r \t \b \f` are escaped, everything else stands verbatim as UTF-8.
public func canonicalJSON(
    pubkey: PublicKey, createdAt: Timestamp, kind: Kind, tags: [Tag], content: String
) -> [UInt8] {
    canonicalWriter(pubkey: pubkey, createdAt: createdAt, kind: kind, tags: tags, content: content).bytes
}

/// The id of an event with these parts.
public func canonicalID(
    pubkey: PublicKey, createdAt: Timestamp, kind: Kind, tags: [Tag], content: String
) -> EventID {
    var hasher = SHA256()
    let writer = canonicalWriter(pubkey: pubkey, createdAt: createdAt, kind: kind, tags: tags, content: content)
    unsafe writer.withBytes { unsafe hasher.update(bufferPointer: $0) }
    return unsafe hasher.finalize().withUnsafeBytes { digest in
        func word(_ i: Int) -> UInt64 {
            UInt64(bigEndian: unsafe digest.loadUnaligned(fromByteOffset: 8 * i, as: UInt64.self))
        }
        return EventID(Bytes32(bigEndianWords: word(0), word(1), word(2), word(3)))
    }
}

private func canonicalWriter(
    pubkey: PublicKey, createdAt: Timestamp, kind: Kind, tags: [Tag], content: String
) -> JSONWriter {
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
    return writer
}
