internal import NostrClient
internal import NostrCore
internal import NostrNIPs

/// An event of a kind that Linnet does not show: what its author says it is, and a code for a program that may.
public struct UnknownKindItem: Hashable, Sendable {
    /// The number of the kind.
    public let kind: Int
    /// What its author says it is (NIP-31); empty where that is not said.
    public let words: String
    /// The code that leads to it elsewhere: `naddr` for what has an address, else `nevent`.
    public let code: String

    /// Reads it; the content is shown to nobody, since nobody knows what it is.
    init(_ event: Event) {
        kind = Int(event.kind.rawValue)
        words = oneLine(event.tags.alternativeText ?? "", limit: 500)
        let address = event.address.map { NostrEntity.naddr(AddressPointer(address: $0)) }
        // An identifier that fits no code leaves the id, which always does.
        code =
            (try? address?.encoded()) ?? (try? NostrEntity.nevent(EventPointer(event)).encoded()) ?? event.id.hex
    }
}
