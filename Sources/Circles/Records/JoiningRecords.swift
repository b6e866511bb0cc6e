internal import NostrClient
internal import NostrCore
internal import NostrNIPs

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
    var address: SealedRecords.Address { SealedRecords.Address(CircleTable.welcomes, (id ?? "") + person) }
}
