internal import NostrClient
internal import NostrNIPs

/// Where somebody is paid, as a screen shows it.
public struct PayAddressItem: Hashable, Sendable {
    /// The Lightning address, the start of an LNURL, or, of one that was pasted, the host it leads to.
    public let text: String
    /// What a wallet opens or scans: an LNURL.
    public let lnurl: String

    /// Reads where a profile says its person is paid; `nil` where it says nothing that could be.
    init?(_ person: Person) {
        guard let place = LightningPlace(fields: person.fields) else { return nil }
        lnurl = place.lnurl
        text = place.name.map { oneLine($0, limit: 80) } ?? "\(place.lnurl.prefix(16))…"
    }

    /// Reads an LNURL that somebody pasted or opened, with `lightning:` before it or without.
    public init?(pasted text: String) {
        guard let place = LightningPlace(lightningCode(in: text)), place.address == nil else { return nil }
        lnurl = place.lnurl
        self.text = oneLine(place.host, limit: 80)
    }
}
