internal import NostrClient
internal import NostrNIPs

/// Where a person is paid, as a screen shows it.
public struct PayAddressItem: Hashable, Sendable {
    /// The Lightning address, or the start of an LNURL.
    public let text: String
    /// What a wallet opens or scans: an LNURL.
    public let lnurl: String

    /// Reads where a profile says its person is paid; `nil` where it says nothing that could be.
    init?(_ person: Person) {
        guard let place = LightningPlace(fields: person.fields) else { return nil }
        lnurl = place.lnurl
        text = place.address.map { oneLine($0.description, limit: 80) } ?? "\(place.lnurl.prefix(16))…"
    }
}
