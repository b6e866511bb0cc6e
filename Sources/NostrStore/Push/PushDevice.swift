public import NostrCore

/// Where a device can be woken.
public enum PushAddress: Hashable, Sendable {
    /// A device of Apple's push service; the token is lowercase hex.
    case apns(token: String)
    /// A browser's subscription.
    case webPush(PushSubscription)
    /// A distributor's endpoint of UnifiedPush, which speaks Web Push.
    case unifiedPush(PushSubscription)

    /// What tells two addresses apart: the kind and the token or endpoint, without keys.
    public var identity: String {
        switch self {
        case .apns(let token): "apns:\(token)"
        case .webPush(let subscription): "webpush:\(subscription.endpoint)"
        case .unifiedPush(let subscription): "unifiedpush:\(subscription.endpoint)"
        }
    }
}

extension PushAddress {
    /// Puts an address together from what a registry keeps; `nil` for a kind this version does not know.
    package init?(identity: String, key: [UInt8], secret: [UInt8]) {
        guard let colon = identity.firstIndex(of: ":") else { return nil }
        let rest = String(identity[identity.index(after: colon)...])
        switch identity[..<colon] {
        case "apns": self = .apns(token: rest)
        case "webpush": self = .webPush(PushSubscription(endpoint: rest, publicKey: key, secret: secret))
        case "unifiedpush": self = .unifiedPush(PushSubscription(endpoint: rest, publicKey: key, secret: secret))
        default: return nil
        }
    }
}

/// What a browser or a distributor gives an application so that it can send encrypted messages.
///
/// Source: RFC 8030; RFC 8291 §3.
public struct PushSubscription: Hashable, Sendable {
    /// The absolute address messages are posted to; whoever knows it can reach the device.
    public let endpoint: String
    /// The receiver's public key: an uncompressed point on P-256, 65 bytes.
    public let publicKey: [UInt8]
    /// The receiver's authentication secret, 16 bytes.
    public let secret: [UInt8]

    /// Nothing is checked: a registration is judged where it arrives, and what is kept was judged then.
    public init(endpoint: String, publicKey: [UInt8], secret: [UInt8]) {
        self.endpoint = endpoint
        self.publicKey = publicKey
        self.secret = secret
    }
}

/// A device that wants to be woken for one signer.
public struct PushDevice: Hashable, Sendable {
    /// Whose requests wake it.
    public let signer: PublicKey
    /// Where it is woken.
    public let address: PushAddress
    /// When it registered last.
    public let lastSeen: Timestamp

    /// A device as it registered itself, or as the registry holds it.
    public init(signer: PublicKey, address: PushAddress, lastSeen: Timestamp) {
        self.signer = signer
        self.address = address
        self.lastSeen = lastSeen
    }
}

/// An app that a signer has paired with, and the relays its requests come over.
public struct PushPairing: Hashable, Sendable {
    /// Who was paired with.
    public let signer: PublicKey
    /// The app's key.
    public let client: PublicKey
    /// Where its requests come; the relays that are watched anyway need not be named.
    public let relays: Set<RelayURL>
    /// From which network the signer declared it; nil where that is not known.
    public let network: PushNetworkID?

    /// A pairing as its signer declared it.
    public init(signer: PublicKey, client: PublicKey, relays: Set<RelayURL>, network: PushNetworkID? = nil) {
        self.signer = signer
        self.client = client
        self.relays = relays
        self.network = network
    }
}

/// Tells networks apart and does not tell which they are.
///
/// Shape: two bytes of a digest. Tens of thousands of addresses share each, so that what a registry keeps names nobody;
/// whoever invents keys cannot choose among many.
public struct PushNetworkID: Hashable, Sendable {
    /// The number.
    public let rawValue: UInt16

    /// A number that was kept.
    public init(rawValue: UInt16) { self.rawValue = rawValue }
}

/// A relay that pairings name.
public struct WatchedRelay: Hashable, Sendable {
    /// The signers paired there that have a device.
    public var signers: Set<PublicKey>
    /// From which networks they were paired.
    public var networks: Set<PushNetworkID>
    /// Whether a pairing is of times before networks were noted.
    public var hasUnknownNetwork: Bool
    /// When a wake for a paired app that came over it first reached a device, and when last.
    public var delivered: ClosedRange<Timestamp>?

    /// A relay as a registry knows it.
    public init(
        signers: Set<PublicKey> = [], networks: Set<PushNetworkID> = [], hasUnknownNetwork: Bool = false,
        delivered: ClosedRange<Timestamp>? = nil
    ) {
        (self.signers, self.networks, self.hasUnknownNetwork) = (signers, networks, hasUnknownNetwork)
        self.delivered = delivered
    }

    /// One more pairing there.
    package mutating func add(_ signer: PublicKey, from network: PushNetworkID?) {
        signers.insert(signer)
        if let network { networks.insert(network) } else { hasUnknownNetwork = true }
    }
}

/// What became of a pairing.
public enum PairingOutcome: Hashable, Sendable {
    /// It is kept; a known client's relays are replaced.
    case paired
    /// The signer has as many clients as it may.
    case tooManyClients(limit: Int, used: Int)
    /// The signer would have more relays that nobody else is paired on than it may.
    case tooManyNovelRelays(limit: Int)
}

/// How much one signer may keep.
public struct PushQuota: Hashable, Sendable {
    /// Devices; the one not seen for longest makes room for a new one.
    public var devices = 10
    /// Clients.
    public var clients = 5
    /// Relays that no other signer is paired on.
    public var novelRelays = 50

    /// The defaults, which are Clave's.
    public init() {}
}

/// How much a registry holds.
public struct PushCounts: Hashable, Sendable {
    /// Devices, one for each signer they wake for.
    public let devices: Int
    /// Signers with a device.
    public let signers: Int
    /// Pairings.
    public let pairings: Int

    /// Counts that a registry has made.
    public init(devices: Int, signers: Int, pairings: Int) {
        self.devices = devices
        self.signers = signers
        self.pairings = pairings
    }
}

/// What an id is claimed for.
public enum PushClaim: Int, Hashable, Sendable {
    /// Waking devices for a request.
    case wake = 1
    /// Doing what a NIP-98 event asks.
    case authorization = 2
}
