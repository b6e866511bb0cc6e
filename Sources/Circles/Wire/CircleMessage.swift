public import Marmot
internal import NostrClient
public import NostrCore
public import NostrNIPs

/// What a member said inside a circle, read.
///
/// Everything of a message that nobody checked before is bounded here; nothing is thrown, since one message that
/// cannot be read must not hold up others. Source: MIP-03; NIP-C7, NIP-25, NIP-09; Whistle, "Protocol".
public struct CircleMessage: Hashable, Sendable, Identifiable {
    /// What it says.
    public enum Body: Hashable, Sendable {
        /// A line of the chat; the text is empty only where a tag names a file.
        case chat(String, replyTo: EventID?)
        /// A reaction to a message.
        case reaction(Reaction.Meaning, to: EventID)
        /// Takes back messages and reactions; only those of the same author are meant.
        case deletion([EventID])
        /// What the author wants to be called; nil takes it back.
        case nickname(String?)
        /// A picture of the author; nil takes it away.
        case avatar(CircleImage?)
        /// A picture of the circle, from an admin; nil takes it away.
        case circleAvatar(CircleImage?)
        /// Where the author is.
        case location(LocationPayload)
        /// Why the author's place is old.
        case sharing(SharingNotice)
        /// The author asks the admins to be taken out.
        case leaveRequest
        /// The author cannot read something and asks whoever is ahead of them for a `StepWord`.
        case stepQuestion
        /// Nothing this version shows.
        case unknown(Unknown)
    }

    /// Why a message is passed over.
    public enum Unknown: Hashable, Sendable {
        /// A kind that has no meaning here.
        case kind(Kind)
        /// A type that has no meaning in a message of its kind.
        case type
        /// A type we know in a version we do not.
        case laterVersion
        /// A type or kind we know, with something missing, wrong, too long or too deep.
        case malformed
        /// What only admins may send, from somebody who is none.
        case notAdmin
    }

    /// What was said, as it came; its author is proven by MLS.
    public let rumor: Rumor
    /// When the author says they sent it: `ts` where the content has one, else `created_at`.
    public let sentAt: Timestamp
    /// What it says.
    public let body: Body

    /// Reads a message.
    ///
    /// - Parameter roster: who was in the circle, and who of them an admin, in the epoch of the message.
    public init(_ message: GroupMessage, roster: Roster) {
        self.init(message.rumor, isFromAdmin: roster.isAdmin(message.rumor.pubkey))
    }

    /// Reads a rumor that came out of a ``GroupMessage`` once.
    ///
    /// - Parameter isFromAdmin: whether its author was an admin then.
    package init(_ rumor: Rumor, isFromAdmin: Bool) {
        self.rumor = rumor
        (body, sentAt) = CircleMessageReader(rumor: rumor, isFromAdmin: isFromAdmin).read()
    }

    /// The rumor's id, the same for every member.
    public var id: EventID { rumor.id }
    /// Who said it.
    public var author: PublicKey { rumor.pubkey }

    /// Whether this takes back a message: named here, by the same author, and no deletion itself.
    public func retracts(_ other: CircleMessage) -> Bool {
        guard case .deletion(let targets) = body else { return false }
        return other.author == author && other.rumor.kind != DeletionRequest.kind && targets.contains(other.id)
    }
}

extension CircleMessage: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Says that it is a message, and nothing of what it says: it may be a place.
    public var description: String { "a message of kind \(rumor.kind.rawValue)" }
    /// Says that it is a message, and nothing of what it says.
    public var debugDescription: String { description }
    /// Shows nothing of what is inside.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension CircleMessage {
    /// The kind of a line of the chat, and of what Whistle sends in its stead.
    ///
    /// Source: NIP-C7.
    public static let chatKind: Kind = 9
    /// The kind of a place.
    ///
    /// Source: Whistle, "Inner Message Kinds".
    public static let locationKind: Kind = 1
    /// The kind of a wish to be taken out.
    ///
    /// Source: Whistle, "Inner Message Kinds".
    public static let leaveRequestKind: Kind = 2
    /// The kind of what no other program reads or shows.
    ///
    /// Source: NIP-78, which asks for a tag that tells programs apart: a `d` tag of ours.
    public static let quietKind: Kind = 78

    /// Tells our quiet messages from those of other programs.
    static let quietTag: Tag = ["d", "linnet/circle"]
    /// Tells what we write from what other programs write in the same kinds.
    static let clientTag: Tag = ["client", "linnet"]
    /// The longest reaction White Noise takes; unit: bytes.
    static let longestReaction = 50
}
