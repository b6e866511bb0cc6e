internal import Crypto

/// The bytes whose SHA-256 is an event's id: `[0,pubkey,created_at,kind,tags,content]` without white space.
///
/// `\n \" \\ \r \t \b \f` are escaped so, other characters below U+0020 as `\u00XX`, everything else stands verbatim as
/// UTF-8. Source: NIP-01, RFC 8259. By the letter of NIP-01 those others stand verbatim, too; that is no JSON, and
/// programs in JavaScript, Go and Rust hash JSON. An id over either form is believed.
public func canonicalJSON(
    pubkey: PublicKey, createdAt: Timestamp, kind: Kind, tags: [Tag], content: String
) -> [UInt8] {
    canonicalWriter(.escaped, pubkey, createdAt, kind, tags, content).bytes
}

/// The id of an event with these parts.
public func canonicalID(
    pubkey: PublicKey, createdAt: Timestamp, kind: Kind, tags: [Tag], content: String
) -> EventID {
    canonicalWriter(.escaped, pubkey, createdAt, kind, tags, content).id
}

extension EventID {
    /// Sees whether this is the id of an event with these parts, in either form of their control characters.
    ///
    /// The second form costs time only where the first does not fit and there are such characters.
    ///
    /// - Throws: ``EventRejection/wrongID(claimed:computed:)``.
    package func check(
        pubkey: PublicKey, createdAt: Timestamp, kind: Kind, tags: [Tag], content: String
    ) throws(EventRejection) {
        let writer = canonicalWriter(.escaped, pubkey, createdAt, kind, tags, content)
        let computed = writer.id
        if computed == self { return }
        guard writer.hasControlCharacters,
            canonicalWriter(.verbatim, pubkey, createdAt, kind, tags, content).id == self
        else { throw .wrongID(claimed: self, computed: computed) }
    }
}

extension JSONWriter {
    /// SHA-256 of what was written.
    fileprivate var id: EventID {
        var hasher = SHA256()
        unsafe withBytes { unsafe hasher.update(bufferPointer: $0) }
        return unsafe hasher.finalize().withUnsafeBytes { digest in
            func word(_ i: Int) -> UInt64 {
                UInt64(bigEndian: unsafe digest.loadUnaligned(fromByteOffset: 8 * i, as: UInt64.self))
            }
            return EventID(Bytes32(bigEndianWords: word(0), word(1), word(2), word(3)))
        }
    }
}

private func canonicalWriter(
    _ controls: JSONWriter.ControlCharacters, _ pubkey: PublicKey, _ createdAt: Timestamp, _ kind: Kind, _ tags: [Tag],
    _ content: String
) -> JSONWriter {
    var writer = JSONWriter(controls, capacity: 128 + content.utf8.count + tags.count * 80)
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
