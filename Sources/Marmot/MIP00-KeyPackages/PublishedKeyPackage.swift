public import MLS
public import NostrCore

/// A key package that somebody published, checked: it can be added to a group.
///
/// Source: MIP-00.
public struct PublishedKeyPackage: Hashable, Sendable {
    /// The event it came in; a Welcome names it.
    public let eventID: EventID
    /// Whose it is.
    public let owner: PublicKey
    /// When it was published.
    public let createdAt: Timestamp
    /// Which of its owner's it is: an event of the same slot replaces it; nil for kind 443.
    public let slot: String?
    /// The package.
    public let keyPackage: KeyPackage
    /// The hash by which a Welcome names it inside.
    public let reference: KeyPackageRef
    /// Where it is published.
    public let relays: [RelayURL]
    /// The program that made it, if it says so.
    public let client: String?

    /// Whether it may be used more than once.
    public var isLastResort: Bool { keyPackage.extensions.contains { $0.type == .lastResort } }
    /// Whether its owner can leave a group by SelfRemove.
    public var knowsSelfRemove: Bool { keyPackage.leafNode.capabilities.proposals.contains(.selfRemove) }
}

/// How a key package is published.
///
/// Source: MIP-00.
public struct KeyPackagePublication: Hashable, Sendable {
    /// Which of our key packages it is: 64 hex digits.
    ///
    /// Publish the next one under the same, and it replaces this one.
    public var slot: Bytes32
    /// Where it is published; at least one.
    public var relays: [RelayURL]
    /// When.
    public var now: Timestamp
    /// Our program, if others may know.
    public var client: String?
    /// Whether relays are asked to take it from its owner only (NIP-70).
    public var isProtected = false

    /// A publication that relays take from anybody; see ``isProtected``.
    public init(slot: Bytes32, relays: [RelayURL], now: Timestamp, client: String? = nil) {
        (self.slot, self.relays, self.now, self.client) = (slot, relays, now, client)
    }
}

extension Kind {
    /// A key package, one per author and slot.
    ///
    /// Source: MIP-00.
    public static let keyPackage: Kind = 30_443
    /// A key package as it was published once; read, not written.
    ///
    /// Source: MIP-00.
    public static let legacyKeyPackage: Kind = 443
    /// The relays on which a person's key packages are.
    ///
    /// Source: MIP-00.
    public static let keyPackageRelays: Kind = 10_051
    /// A rumor that lets somebody into a group.
    ///
    /// Source: MIP-02.
    public static let welcome: Kind = 444
    /// An event of a group.
    ///
    /// Source: MIP-03.
    public static let groupEvent: Kind = 445
}
