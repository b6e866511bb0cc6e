internal import MLS
internal import NostrCore
internal import NostrNIPs

// What the events of all MIPs share: tags of some names, and content in Base64.

extension [Tag] {
    /// The first tag with a name.
    ///
    /// - Throws: `missingTag`.
    func required(_ name: String) throws(MarmotError) -> Tag {
        guard let tag = first(where: { $0.name == name }) else {
            throw MarmotError(.missingTag, "There is no tag “\(name)”.")
        }
        return tag
    }

    /// The relays of the `relays` tag; addresses nobody can use are left out.
    ///
    /// - Throws: `missingTag`, or `badTag` if none is left.
    func requiredRelays() throws(MarmotError) -> [RelayURL] {
        let tag = try required("relays")
        let relays = tag.elements.indices.dropFirst().compactMap { tag.relay(at: $0) }
        guard !relays.isEmpty else { throw MarmotError(.badTag, "The tag “relays” names no relay.") }
        return relays
    }

    /// Refuses content that is not said to be Base64.
    ///
    /// The other form that MIP-00 once had, hex, can be taken for Base64, so what says nothing is refused too.
    ///
    /// - Throws: `missingTag` or `badTag`.
    func requireBase64() throws(MarmotError) {
        guard try required("encoding").value?.lowercased() == "base64" else {
            throw MarmotError(.badTag, "The tag “encoding” does not say “base64”.")
        }
    }
}

/// The bytes of a content, bounded before anything is decoded.
///
/// - Parameter limit: in bytes, decoded.
/// - Throws: `tooLarge` or `badEncoding`.
func bytes(of content: String, limit: Int) throws(MarmotError) -> [UInt8] {
    guard content.utf8.count <= Base64.length(ofBytes: limit) else {
        throw MarmotError(.tooLarge, "The content is longer than we read.")
    }
    guard let bytes = Base64.decode(content) else { throw MarmotError(.badEncoding, "The content is not Base64.") }
    return bytes
}

extension MLSMessage {
    /// Reads a message behind which nothing stands but zeros, with which later programs hide its length.
    init(zeroPadded bytes: [UInt8]) throws(MarmotError) {
        let (message, rest) = try throughMLS("The content is no message of MLS.", .malformed) { () throws(MLSError) in
            var reader = Reader(bytes)
            return (try MLSMessage(from: &reader), try reader.rest())
        }
        guard rest.allSatisfy({ $0 == 0 }) else { throw MarmotError(.malformed, "Bytes stand behind the message.") }
        self = message
    }
}
