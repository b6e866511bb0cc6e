public import MLS
internal import NostrCore

/// The bytes of the extension.
///
/// The layout is what programs send each other: lengths as in RFC 9420 §2.1.2, lists as vectors, keys as bytes. Source:
/// MIP-01; MDK 0.8 for the layout.
extension GroupData: MLSCodable {
    /// Reads the extension, to the end of what it is read from.
    ///
    /// Versions 1 and 2 have the same fields, of which the first ones of version 1 end before the upload key; version 3
    /// has one more. Bytes behind the fields of a later version are kept.
    ///
    /// - Throws: `MLSError` with the code `malformed`, `limitExceeded` or `trailingBytes`.
    public init(from reader: inout Reader) throws(MLSError) {
        let version: UInt16 = try reader.integer()
        let id = try Bytes32(reader.fixed(32), "an id of another length")
        let name = try Self.text(reader.opaque())
        let description = try Self.text(reader.opaque())
        let keys = try reader.opaque()
        guard keys.count.isMultiple(of: 32) else { throw MLSError.malformed("the keys of admins have another length") }
        var admins: Set<PublicKey> = []
        for start in stride(from: 0, to: keys.count, by: 32) {
            admins.insert(PublicKey(try Bytes32(Array(keys[start..<start + 32]), "a key of another length")))
        }
        let relays = try reader.vector { (inner) throws(MLSError) in try Self.text(inner.opaque()) }
        self.init(nostrGroupID: id, name: name, description: description, admins: admins, relays: [])
        (self.version, self.relays) = (version, relays)
        try readImage(from: &reader)
        if version >= 3 { disappearance = try Self.seconds(reader.opaque()) }
        if version > 3 { tail = try reader.rest() }
        guard version > 0 else { throw MLSError.malformed("version 0") }
    }

    private mutating func readImage(from reader: inout Reader) throws(MLSError) {
        imageHash = try Self.optional(reader.opaque())
        imageKey = try Self.optional(reader.opaque())
        let nonce = try reader.opaque()
        guard nonce.isEmpty || nonce.count == 12 else { throw MLSError.malformed("a nonce of another length") }
        imageNonce = nonce.isEmpty ? nil : nonce
        if version == 1, reader.isAtEnd { return }
        imageUploadKey = try Self.optional(reader.opaque())
    }

    /// Appends the extension, in the lowest version that says all of it.
    public func write(to writer: inout Writer) {
        writer.integer(writtenVersion)
        writer.fixed(nostrGroupID.array)
        writer.opaque(Array(name.utf8))
        writer.opaque(Array(description.utf8))
        writer.opaque(admins.sorted().flatMap(\.bytes.array))
        writer.vector(relays.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }) { $0.opaque(Array($1.utf8)) }
        writer.opaque(imageHash?.array ?? [])
        writer.opaque(imageKey?.array ?? [])
        writer.opaque(imageNonce ?? [])
        writer.opaque(imageUploadKey?.array ?? [])
        guard writtenVersion >= 3 else { return }
        var seconds = Writer()
        if let disappearance { seconds.integer(UInt64(clamping: disappearance.components.seconds)) }
        writer.opaque(seconds.bytes)
        writer.fixed(tail)
    }

    /// MDK 0.8 reads no version but those laid out as 2; what a picture of version 1 is encrypted with has no other form.
    private var writtenVersion: UInt16 {
        if version > 3 { return version }
        if disappearance != nil { return 3 }
        return version == 1 && imageKey != nil ? 1 : 2
    }

    private static func text(_ bytes: [UInt8]) throws(MLSError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw MLSError.malformed("text is not UTF-8") }
        return text
    }

    private static func optional(_ bytes: [UInt8]) throws(MLSError) -> Bytes32? {
        bytes.isEmpty ? nil : try Bytes32(bytes, "a hash or key of another length")
    }

    private static func seconds(_ bytes: [UInt8]) throws(MLSError) -> Duration? {
        guard !bytes.isEmpty else { return nil }
        guard bytes.count == 8 else { throw MLSError.malformed("a time of another length") }
        let seconds = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard seconds > 0, let span = Int64(exactly: seconds) else { throw MLSError.malformed("a time out of range") }
        return .seconds(span)
    }
}

extension Bytes32 {
    fileprivate init(_ bytes: [UInt8], _ reason: String) throws(MLSError) {
        do { try self.init(bytes.span) } catch { throw MLSError.malformed(reason) }
    }
}
