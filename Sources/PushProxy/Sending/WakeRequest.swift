public import NostrCore
internal import NostrNIPs

/// A request to a signer that may wake its devices.
public struct WakeRequest: Hashable, Sendable {
    /// The encrypted request; what it says is between the app and the signer.
    public let event: Event
    /// Where it came in.
    public let relay: RelayURL
    /// Where a device is told to look for it: ``relay`` by the address that the world knows it by.
    let publicRelay: RelayURL
    /// Whom it is for: the first `p` tag.
    public let signer: PublicKey

    /// The app that asks.
    public var client: PublicKey { event.pubkey }

    /// Takes a request from a relay, unless it is none: another kind, for nobody, or to its own author.
    ///
    /// Source: NIP-46.
    ///
    /// - Parameter publicRelay: the relay's address for everybody else, where the proxy reads it by one of its own.
    public init?(_ event: Event, from relay: RelayURL, known publicRelay: RelayURL? = nil) {
        guard event.kind == Self.kind, let signer = event.tags.first(where: { $0.name == "p" })?.publicKey(at: 1),
            signer != event.pubkey
        else { return nil }
        self.event = event
        self.relay = relay
        self.publicRelay = publicRelay ?? relay
        self.signer = signer
    }

    /// The kind of requests and answers (NIP-46).
    static let kind: Kind = 24_133

    /// What a device is told: where the request is and, if it is small, the encrypted request itself; no name, no text.
    ///
    /// - Parameters:
    ///   - members: what goes before, as JSON members with a comma behind each.
    ///   - limit: how long the whole may be, in bytes.
    func payload(before members: String = "", limit: Int) -> [UInt8] {
        let pointer = """
            {\(members)"relay_url":\(quotedJSON(publicRelay.text)),"event_id":"\(event.id.hex)",\
            "signer_pubkey":"\(signer.hex)"
            """
        let json = event.json
        var payload = Array(pointer.utf8)
        if json.count <= Self.longestEmbedded, payload.count + json.count + 10 <= limit {
            payload += Array(",\"event\":".utf8) + json
        }
        return payload + [UInt8(ascii: "}")]
    }

    /// The longest event that travels inside a push, in bytes of JSON; what Clave's app is used to.
    static let longestEmbedded = 3415
}
