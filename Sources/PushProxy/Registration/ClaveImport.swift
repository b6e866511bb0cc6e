public import NostrCore
internal import NostrNIPs
public import NostrStore

/// Takes the files of Clave's proxy into a registry.
///
/// Shape: `tokens.json` is `[{"token": hex, "pubkey": hex, "last_seen": seconds}]`, `clients.json`
/// `[{"signerPubkey": hex, "clientPubkey": hex, "relayUrls": […], "createdAt": seconds, "lastSeenAt": seconds}]`.
/// Source: `relay-proxy/storage.js` and `clients.js` of DocNR/clave.
public struct ClaveImport: Sendable {
    private let registry: any PushRegistry
    private let now: Timestamp

    /// What was taken.
    public struct Counts: Hashable, Sendable {
        /// Devices, one for each signer they wake for.
        public var devices = 0
        /// Paired apps.
        public var pairings = 0
        /// Entries that make no sense, or that there is no place for.
        public var leftOut = 0
    }

    /// Why nothing is taken.
    public enum Failure: Error, Hashable, Sendable {
        /// This file holds no JSON list.
        case notAList(String)
    }

    /// - Parameter now: when devices count as last seen, where the files do not say.
    public init(registry: any PushRegistry, now: Timestamp) {
        (self.registry, self.now) = (registry, now)
    }

    /// Reads both files before anything is kept; what is kept is durable on return.
    ///
    /// - Throws: ``Failure``; `StoreError`, then what came before is kept, and all can be run again.
    public func run(tokens: [UInt8]?, clients: [UInt8]?) async throws -> Counts {
        let devices = try Self.entries(tokens, "tokens.json")
        let pairings = try Self.entries(clients, "clients.json")
        var counts = Counts()
        for entry in devices {
            guard let device = device(entry) else {
                counts.leftOut += 1
                continue
            }
            try await registry.register(device, quota: PushQuota())
            counts.devices += 1
        }
        for entry in pairings {
            guard let pairing = pairing(entry), case .paired = try await keep(pairing) else {
                counts.leftOut += 1
                continue
            }
            counts.pairings += 1
        }
        return counts
    }

    private func keep(_ pairing: PushPairing) async throws -> PairingOutcome {
        try await registry.pair(pairing, quota: PushQuota(), now: now)
    }

    private func device(_ entry: JSONValue) -> PushDevice? {
        // Why an entry makes no sense does not matter: it is left out.
        guard let signer = entry["pubkey"]?.string.flatMap({ try? PublicKey(hex: $0) }),
            let address = try? RegistrationBodies.address(entry, allowsPrivate: false), case .apns = address
        else { return nil }
        // Seconds are what its proxy writes; a moment to come would keep a device for ever.
        let seen = entry["last_seen"]?.integer.map { min(Timestamp(seconds: $0), now) } ?? now
        return PushDevice(signer: signer, address: address, lastSeen: seen)
    }

    private func pairing(_ entry: JSONValue) -> PushPairing? {
        guard let signer = entry["signerPubkey"]?.string.flatMap({ try? PublicKey(hex: $0) }),
            let client = entry["clientPubkey"]?.string.flatMap({ try? PublicKey(hex: $0) })
        else { return nil }
        let relays = (entry["relayUrls"]?.elements ?? []).prefix(10).compactMap { url in
            // One that is no address any more is left out of the pairing, as no relay would be watched there.
            url.string.flatMap { try? RelayURL($0) }.flatMap { $0.isPrivate ? nil : $0 }
        }
        guard !relays.isEmpty else { return nil }
        return PushPairing(signer: signer, client: client, relays: Set(relays))
    }

    private static func entries(_ file: [UInt8]?, _ name: String) throws(Failure) -> [JSONValue] {
        guard let file else { return [] }
        // An empty file is how its proxy begins.
        if file.allSatisfy({ $0 == 0x20 || (0x09...0x0D).contains($0) }) { return [] }
        guard let json = try? JSONValue(file, depth: 4), case .array(let entries) = json else { throw .notAList(name) }
        return entries
    }
}
