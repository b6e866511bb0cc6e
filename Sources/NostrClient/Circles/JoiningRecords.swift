internal import MLS
internal import NostrCore
internal import NostrNIPs

/// A key package of our own, and where it is published.
struct KeyPackageRecord: Sendable {
    let own: OwnKeyPackage
    let event: Event
    /// When somebody used it.
    var usedAt: Timestamp?

    init(own: OwnKeyPackage, event: Event) {
        (self.own, self.event) = (own, event)
    }

    init?(_ bytes: [UInt8]) {
        var reader = Reader(bytes)
        // It was sealed by us; what does not read was damaged before, and is counted by the caller.
        guard let package = try? reader.opaque(), let own = try? OwnKeyPackage(bytes: package),
            let json = try? reader.opaque(), let event = try? Event(verifying: UnverifiedEvent(json: json)),
            let used = try? reader.integer(UInt64.self)
        else { return nil }
        self.init(own: own, event: event)
        usedAt = used == 0 ? nil : Timestamp(seconds: Int64(clamping: used))
    }

    var bytes: [UInt8] {
        var writer = Writer()
        writer.opaque(own.encoded)
        writer.opaque(event.json)
        writer.integer(UInt64(clamping: usedAt?.seconds ?? 0))
        return writer.bytes
    }

    var name: String { event.id.hex }
}

/// A circle we asked to join.
struct AskedRecord: Codable, Sendable {
    var circle: String
    var inviter: String
    var relays: [String]
    var name: String?
    var askedAt: Int64
}

/// A Welcome that waits for consent.
struct InvitationRecord: Codable, Sendable {
    var rumor: String
    var circle: String
    var name: String
    var inviter: String
    var members: Int
    var arrivedAt: Int64
}

/// Somebody who asks to join.
struct RequestRecord: Codable, Sendable {
    var person: String
    var name: String?
    /// The event of their key package, as JSON.
    var keyPackage: String
    var arrivedAt: Int64
    /// Whether they are a member who lost step.
    var isReadmission = false
}

/// A Welcome on its way out.
struct WelcomeRecord: Codable, Sendable {
    var person: String
    var rumor: String
    /// The rumor's id.
    var id: String?
    /// The circle it lets into.
    var circle: String?

    init(_ rumor: Rumor, for person: PublicKey, to circle: CircleID) {
        (self.person, self.rumor, id, self.circle) = (person.hex, rumor.json, rumor.id.hex, circle.hex)
    }

    /// Where it rests.
    var place: SealedRecords.Place { SealedRecords.Place(CircleTable.welcomes, (id ?? "") + person) }
}
