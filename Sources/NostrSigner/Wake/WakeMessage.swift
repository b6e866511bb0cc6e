public import NostrCore
internal import NostrNIPs

/// What a push tells a sleeping signer: that a request waits, and where.
///
/// Shape: a JSON object with `signer_pubkey`, `event_id`, `relay_url` and, where it is small enough, the whole `event`;
/// anything else in it, as the wrapping that a push service adds, is left alone. Nothing of it is believed: the request
/// itself is checked like any other. Source: the push proxy of Clave.
public struct WakeMessage: Hashable, Sendable {
    /// The longest message read, in bytes.
    public static let longest = 65_536

    /// Whose signer is meant.
    public var signer: PublicKey
    /// The request's event.
    public var event: EventID
    /// Where it is found.
    public var relay: RelayURL
    /// The event itself.
    public var embedded: UnverifiedEvent?

    /// Why a message says nothing.
    public enum Failure: Error, Hashable, Sendable {
        case tooLong, notAnObject, noSigner, noEvent, noRelay
    }

    /// A message about one request.
    public init(signer: PublicKey, event: EventID, relay: RelayURL, embedded: UnverifiedEvent? = nil) {
        self.signer = signer
        self.event = event
        self.relay = relay
        self.embedded = embedded
    }

    /// Reads the message; an event in it that is another one than it names, or that cannot be read, is left out.
    public init(json: [UInt8]) throws(Failure) {
        guard json.count <= Self.longest else { throw .tooLong }
        // What is not JSON is no message; the reason does not matter.
        guard let value = try? JSONValue(json), case .object = value else { throw .notAnObject }
        guard let signer = value["signer_pubkey"]?.string.flatMap({ try? PublicKey(hex: $0) }) else { throw .noSigner }
        guard let relay = value["relay_url"]?.string.flatMap({ try? RelayURL($0) }) else { throw .noRelay }
        let embedded = value["event"].flatMap { try? UnverifiedEvent(json: $0.json) }
        let named = value["event_id"]?.string.flatMap { try? EventID(hex: $0) }
        guard let event = named ?? embedded?.id else { throw .noEvent }
        self.init(signer: signer, event: event, relay: relay, embedded: embedded?.id == event ? embedded : nil)
    }
}
