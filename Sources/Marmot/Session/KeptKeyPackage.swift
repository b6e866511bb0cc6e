public import MLS
public import NostrCore

/// A key package of our own with its private keys, and the event that publishes it.
public struct KeptKeyPackage: Sendable {
    /// The key package; secret.
    public let own: OwnKeyPackage
    /// The event that publishes it.
    public let event: Event
    /// When somebody first used it; nil while it is fresh.
    public var usedAt: Timestamp?

    /// A key package that nobody has used.
    public init(own: OwnKeyPackage, event: Event) {
        (self.own, self.event) = (own, event)
    }

    /// Reads ``bytes``; nil for what is damaged.
    public init?(bytes: [UInt8]) {
        var reader = Reader(bytes)
        // Why it does not read helps nobody: it was written here, and there is no other copy.
        guard let package = try? reader.opaque(), let own = try? OwnKeyPackage(bytes: package),
            let json = try? reader.opaque(), let event = try? Event(verifying: UnverifiedEvent(json: json)),
            let used = try? reader.integer(UInt64.self)
        else { return nil }
        self.init(own: own, event: event)
        usedAt = used == 0 ? nil : Timestamp(seconds: Int64(clamping: used))
    }

    /// The form in which it is stored; it holds private keys.
    public var bytes: [UInt8] {
        var writer = Writer()
        writer.opaque(own.encoded)
        writer.opaque(event.json)
        writer.integer(UInt64(clamping: usedAt?.seconds ?? 0))
        return writer.bytes
    }

    /// The name it is stored under: the id of its event, in hex digits.
    public var name: String { event.id.hex }
}

/// A key package of our own that nobody knows yet: sign its draft, store both, then publish.
public struct UnsignedKeyPackage: Sendable {
    /// The event that is to publish it, for its owner to sign.
    public let draft: EventDraft
    private let own: OwnKeyPackage

    /// Makes a key package and the draft that publishes it.
    ///
    /// - Throws: what ``MarmotProfile/newKeyPackage(for:now:using:)`` and ``MarmotProfile/draft(of:_:)`` throw.
    public init(
        for identity: PublicKey, _ publication: KeyPackagePublication, profile: any MarmotProfile,
        using random: inout some RandomNumberGenerator
    ) throws(MarmotError) {
        own = try profile.newKeyPackage(for: identity, now: publication.now, using: &random)
        draft = try profile.draft(of: own.keyPackage, publication)
    }

    /// The key package with the event that its owner signed.
    public func published(by event: Event) -> KeptKeyPackage { KeptKeyPackage(own: own, event: event) }
}
