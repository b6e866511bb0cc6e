public import Marmot
internal import NostrClient
public import NostrCore
public import NostrNIPs

/// A request to be let into a circle, gift-wrapped for whoever gave out the invitation.
///
/// It holds the key package itself, so that an admin needs no relay to find it. Shape: a rumor of kind 1080 whose
/// content is `{"type":"join-request","v":1,"groupId":<hex>,"pubkey":<hex>,"keyPackage":"<event as JSON>","name":…}`,
/// the name only if there is one. Source: Whistle, "JoinRequest".
public struct JoinRequest: Hashable, Sendable {
    /// The kind of a request to be let in.
    public static let kind: Kind = 1080
    /// The longest content to read, in bytes; one of Whistle's has about 1 500.
    static let longest = 64 * 1024

    /// The id of the circle in MLS.
    public let circle: [UInt8]
    /// What the person wants to be called.
    public let name: String?
    /// When they asked, in their words.
    public let sentAt: Timestamp
    /// Their key package, checked: it can be added to a group.
    public let keyPackage: PublishedKeyPackage
    /// The event of the key package, verified, for keeping the request until somebody decides.
    public let keyPackageEvent: Event

    /// Who asks.
    public var applicant: PublicKey { keyPackage.owner }

    /// Reads a request out of a gift wrap, whose seal proves its author.
    ///
    /// What costs least is checked first, the signature and the key package last.
    ///
    /// - Throws: ``JoinRequestError``.
    public init(
        _ gift: UnwrappedGift, profile: any MarmotProfile = GenerationB(), now: Timestamp
    ) throws(JoinRequestError) {
        try self.init(gift.rumor, profile: profile, now: now)
    }

    /// Reads a rumor that came out of a gift wrap once.
    ///
    /// - Throws: ``JoinRequestError``.
    package init(
        _ rumor: Rumor, profile: any MarmotProfile = GenerationB(), now: Timestamp
    ) throws(JoinRequestError) {
        let payload = try Self.payload(of: rumor)
        guard let circle = payload["groupId"]?.string.flatMap({ CircleID(hex: $0)?.bytes }) else { throw .noCircle }
        guard payload["pubkey"]?.string?.lowercased() == rumor.pubkey.hex else { throw .anotherPerson }
        let event = try Self.event(payload["keyPackage"]?.string, of: rumor.pubkey)
        let keyPackage: PublishedKeyPackage
        do { keyPackage = try profile.keyPackage(in: event, now: now) } catch { throw .unusableKeyPackage(error) }
        (self.circle, self.keyPackage, keyPackageEvent) = (circle, keyPackage, event)
        (name, sentAt) = (shownName(payload["name"]?.string), rumor.createdAt)
    }

    private static func payload(of rumor: Rumor) throws(JoinRequestError) -> CirclePayload {
        guard rumor.kind == kind else { throw .notARequest }
        guard rumor.content.utf8.count <= longest else { throw .tooLong }
        guard case .payload(let payload) = CirclePayload.read(rumor.content), payload.type == "join-request" else {
            throw .notARequest
        }
        guard payload.version == CirclePayload.version else { throw .laterVersion }
        return payload
    }

    /// The event of a key package: a person's own, its id and signature checked.
    private static func event(_ text: String?, of owner: PublicKey) throws(JoinRequestError) -> Event {
        guard let text else { throw .noKeyPackage }
        let claimed: UnverifiedEvent
        do {
            claimed = try UnverifiedEvent(json: Array(text.utf8), limits: ParseLimits(bytes: longest, tags: 100))
        } catch { throw .noKeyPackage }
        guard claimed.kind == .keyPackage || claimed.kind == .legacyKeyPackage else { throw .noKeyPackage }
        guard claimed.pubkey == owner else { throw .anotherPerson }
        do { return try Event(verifying: claimed) } catch { throw .forgedKeyPackage }
    }

    /// The rumor by which somebody asks to be let in, to be gift-wrapped for the inviter.
    ///
    /// - Parameters:
    ///   - circle: the id of the invitation.
    ///   - keyPackage: the event of the applicant's own key package; its author is who asks.
    ///   - name: what the applicant wants to be called, for the list of those who wait.
    /// - Throws: ``JoinRequestError/noKeyPackage`` for an event of another kind, ``JoinRequestError/noCircle``,
    ///   ``JoinRequestError/tooLong`` for more than a gift wrap holds.
    public static func rumor(
        for circle: [UInt8], with keyPackage: Event, name: String? = nil, now: Timestamp
    ) throws(JoinRequestError) -> Rumor {
        guard keyPackage.kind == .keyPackage else { throw .noKeyPackage }
        guard (1...64).contains(circle.count) else { throw .noCircle }
        var members = [
            JSONMember("type", .string("join-request")), JSONMember("v", .number(String(CirclePayload.version))),
            JSONMember("groupId", .string(encodeHex(circle))), JSONMember("pubkey", .string(keyPackage.pubkey.hex)),
            JSONMember(
                "keyPackage", .string(String(decoding: keyPackage.unverified.json, as: UTF8.self))),
        ]
        if let name = shownName(name) { members.append(JSONMember("name", .string(name))) }
        let draft = EventDraft(kind: kind, content: JSONValue.object(members).text, createdAt: now)
        let rumor = Rumor(draft, author: keyPackage.pubkey)
        guard rumor.json.utf8.count <= GiftWrap.longestRumor else { throw .tooLong }
        return rumor
    }
}

/// Why a request to be let into a circle is not believed, or cannot be made.
public enum JoinRequestError: Error, Equatable, Sendable {
    /// The rumor is of another kind or type.
    case notARequest
    /// It is longer than any.
    case tooLong
    /// It is of a version that is not known here.
    case laterVersion
    /// It does not say which circle.
    case noCircle
    /// It asks for somebody else than who sent it.
    case anotherPerson
    /// It holds no key package.
    case noKeyPackage
    /// The id or the signature of the key package is wrong.
    case forgedKeyPackage
    /// The key package cannot be added to a circle, and why.
    case unusableKeyPackage(MarmotError)
}
