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

/// How many Welcomes wait for consent at most, and how long they are: anybody can send such.
enum InvitationLimits {
    /// In all.
    static let count = 64
    /// Of one person.
    static let ofOnePerson = 8
    /// In all; unit: bytes.
    static let bytes = 4 << 20

    /// What is forgotten to make room: of one person with too many the oldest; then the oldest of people one does not
    /// follow; then the oldest.
    static func surplus(
        of invitations: [CircleID: InvitationRecord], follows: Set<String>
    ) -> [CircleID] {
        var kept = invitations
        var gone: [CircleID] = []
        func drop(_ isCandidate: (InvitationRecord) -> Bool) -> Bool {
            let candidates = kept.filter { isCandidate($0.value) }
            guard
                let oldest = candidates.min(by: {
                    ($0.value.arrivedAt, $0.key.hex) < ($1.value.arrivedAt, $1.key.hex)
                })
            else { return false }
            kept[oldest.key] = nil
            gone.append(oldest.key)
            return true
        }
        for (person, theirs) in Dictionary(grouping: invitations.values, by: \.inviter) {
            for _ in 0..<max(0, theirs.count - ofOnePerson) where !drop({ $0.inviter == person }) { break }
        }
        while kept.count > count || kept.values.reduce(0, { $0 + $1.rumor.utf8.count }) > bytes {
            guard drop({ !follows.contains($0.inviter) }) || drop({ _ in true }) else { break }
        }
        return gone
    }
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
