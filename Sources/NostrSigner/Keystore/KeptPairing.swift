internal import NostrCore
internal import NostrNIPs

/// The file of a pairing with a signer elsewhere.
///
/// Shape: JSON with the signer's key, the client's, its relays, those of them that the person named (all, where it does not
/// say), and the client's secret key encrypted (NIP-49), unless
/// that is in the system's keyring.
struct KeptPairing: Hashable, Sendable {
    var pairing: RemotePairing
    /// The client's secret key; `nil` when the keyring has it.
    var key: EncryptedSecretKey?

    init(_ pairing: RemotePairing, key: EncryptedSecretKey? = nil) {
        self.pairing = pairing
        self.key = key
    }

    /// Parses the file of a person, or is `nil` when it is damaged.
    init?(json: [UInt8], user: PublicKey) {
        // What is damaged is told by the caller, who knows whose file it is.
        guard let document = try? JSONValue(json, depth: 4), document["version"]?.integer == 1,
            let signer = document["signer"]?.string.flatMap({ try? PublicKey(hex: $0) }),
            let client = document["client"]?.string.flatMap({ try? PublicKey(hex: $0) })
        else { return nil }
        let read = { (value: JSONValue) in
            value.elements.compactMap { $0.string.flatMap { try? RelayURL($0) } }
        }
        let relays = document["relays"].map(read) ?? []
        guard !relays.isEmpty else { return nil }
        pairing = RemotePairing(
            signer: signer, user: user, client: client, relays: relays, named: document["named"].map(read))
        if let text = document["key"]?.string {
            guard let encrypted = try? EncryptedSecretKey(text) else { return nil }
            key = encrypted
        }
    }

    /// The file.
    var json: [UInt8] {
        var members = [
            JSONMember("version", .number("1")), JSONMember("signer", .string(pairing.signer.hex)),
            JSONMember("client", .string(pairing.client.hex)),
            JSONMember("relays", .array(pairing.relays.map { .string($0.text) })),
            JSONMember("named", .array(pairing.named.map { .string($0.text) })),
        ]
        if let key { members.append(JSONMember("key", .string(key.description))) }
        return JSONValue.object(members).json + [UInt8(ascii: "\n")]
    }
}
