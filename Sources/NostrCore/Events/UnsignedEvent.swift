/// An event that nobody signed, as somebody claims it: what NIP-59 calls a rumor, before its id was compared.
///
/// Source: NIP-59.
package struct UnsignedEvent: Hashable, Sendable {
    /// The id it gives, if any.
    package var claimedID: EventID?
    /// Who is said to have written it.
    package var pubkey: PublicKey
    /// The four parts an author chooses.
    package var draft: EventDraft

    /// An event as it was claimed; whether the id is its own is not looked at here.
    package init(claimedID: EventID?, pubkey: PublicKey, draft: EventDraft) {
        self.claimedID = claimedID
        self.pubkey = pubkey
        self.draft = draft
    }

    /// Parses strict JSON as events are; the id may be missing, and a `sig` of any form is passed over.
    package init(json: Span<UInt8>, limits: ParseLimits = ParseLimits()) throws(ParseError) {
        self = try JSONReader.read(json, limits: limits) { (reader) throws(ParseError) in try reader.unsignedEvent() }
    }

    /// The event as JSON on one line, keys in the order of NIP-01, without a `sig`.
    package var json: [UInt8] {
        var writer = JSONWriter(capacity: 260 + draft.content.utf8.count + draft.tags.count * 80)
        writer.raw("{")
        if let claimedID {
            writer.raw("\"id\":")
            writer.hex(claimedID.bytes)
            writer.raw(",")
        }
        writer.raw("\"pubkey\":")
        writer.hex(pubkey.bytes)
        writer.raw(",\"created_at\":")
        writer.integer(draft.createdAt.seconds)
        writer.raw(",\"kind\":")
        writer.integer(draft.kind.rawValue)
        writer.raw(",\"tags\":")
        writer.tags(draft.tags)
        writer.raw(",\"content\":")
        writer.string(draft.content)
        writer.raw("}")
        return writer.bytes
    }
}
