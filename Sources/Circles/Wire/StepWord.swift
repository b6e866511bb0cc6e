internal import NostrClient
internal import NostrCore
internal import NostrNIPs

/// A member's word that a circle has gone on to an epoch, gift-wrapped for a member who asked and is behind.
///
/// Anybody can post events to a circle that nobody can open; only a member can say that the circle is ahead, over their
/// signature. What is to be done then, ``/Marmot/GroupSession`` decides. Shape: a rumor of the kind of a
/// ``JoinRequest``, which goes the same way, whose content is
/// `{"type":"step","v":1,"groupId":<hex>,"epoch":"<decimal>"}`.
struct StepWord: Hashable, Sendable {
    /// The circle.
    let circle: CircleID
    /// The epoch its author is in.
    let epoch: UInt64
    /// Who says so; proven by the seal.
    let author: PublicKey

    /// The longest content to read, in bytes.
    private static let longest = 1024
    private static let type = "step"

    /// Reads a rumor that came out of a gift wrap; nil for any other.
    init?(_ rumor: Rumor) {
        guard rumor.kind == JoinRequest.kind, rumor.content.utf8.count <= Self.longest,
            case .payload(let payload) = CirclePayload.read(rumor.content), payload.type == Self.type,
            payload.version == CirclePayload.version,
            let circle = payload["groupId"]?.string.flatMap({ CircleID(hex: $0) }),
            let epoch = payload["epoch"]?.string.flatMap(UInt64.init)
        else { return nil }
        (self.circle, self.epoch, author) = (circle, epoch, rumor.pubkey)
    }

    /// The rumor for a member who is behind.
    static func rumor(for circle: CircleID, epoch: UInt64, by author: PublicKey, now: Timestamp) -> Rumor {
        // Decimal text: not every reader of JSON keeps all digits of a number.
        let fields: [(String, JSONValue)] = [
            ("groupId", .string(circle.hex)), ("epoch", .string(String(epoch))),
        ]
        let content = CirclePayload.content(type, fields, sentAt: now)
        return Rumor(EventDraft(kind: JoinRequest.kind, content: content, createdAt: now), author: author)
    }
}
