public import NostrCore

/// The event that carries requests and responses.
///
/// Shape: kind 24133, one `p` tag with the key of the other side, content encrypted with NIP-44, by old programs with
/// NIP-04. Source: NIP-46, "Request Events" and "Response Events".
public enum RemoteSigning {
    /// Its kind.
    public static let kind: Kind = 24_133

    /// An event for the sender to sign.
    public static func draft(_ payload: String, to other: PublicKey, now: Timestamp) -> EventDraft {
        EventDraft(kind: kind, tags: [Tag(["p", other.hex])], content: payload, createdAt: now)
    }

    /// Whether an event is addressed to a key; other `p` tags do not count, so that nothing goes to two by one event.
    public static func isAddressed(_ event: Event, to key: PublicKey) -> Bool {
        event.kind == kind && event.tags.first { $0.name == "p" }?.value == key.hex
    }

    /// Whether a payload is encrypted with NIP-04: its `?iv=` holds a character that Base64, and so NIP-44, has not.
    public static func isLegacy(_ payload: String) -> Bool {
        payload.utf8.contains(UInt8(ascii: "?"))
    }

    /// Reads the result of `switch_relays`; `nil` when there is nothing to change.
    ///
    /// Shape: a JSON array of addresses, or `null`. One that cannot be read is left out; a list without one that can
    /// changes nothing, since nobody is reached on no relay.
    public static func relays(result: String) -> [RelayURL]? {
        guard let value = try? JSONValue(Array(result.utf8), depth: 4) else { return nil }
        var seen: Set<RelayURL> = []
        let relays = value.elements.compactMap { $0.string.flatMap { try? RelayURL($0) } }
            .filter { seen.insert($0).inserted }.prefix(BunkerURI.mostRelays)
        return relays.isEmpty ? nil : Array(relays)
    }

    /// The result of `switch_relays`; `nil` when there is nothing to change.
    public static func result(relays: [RelayURL]?) -> String {
        relays.map { JSONValue.array($0.map { .string($0.text) }).text } ?? "null"
    }
}
