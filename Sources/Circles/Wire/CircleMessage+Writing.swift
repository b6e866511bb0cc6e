internal import NostrClient
public import NostrCore
public import NostrNIPs

/// A message that another one is about.
public struct CircleMessageReference: Hashable, Sendable {
    /// Its id.
    public var id: EventID
    /// Who said it.
    public var author: PublicKey
    /// Its kind.
    public var kind: Kind

    /// A message that need not be at hand, named as replies and reactions name it.
    public init(id: EventID, author: PublicKey, kind: Kind) { (self.id, self.author, self.kind) = (id, author, kind) }

    /// A message that is at hand.
    public init(_ message: CircleMessage) {
        self.init(id: message.id, author: message.author, kind: message.rumor.kind)
    }
}

/// Why something cannot be said in a circle.
public enum CircleMessageError: Error, Hashable, Sendable {
    /// There is nothing to send.
    case empty
    /// It is longer than is sent; in bytes.
    case tooLong(limit: Int)
}

// What we send. Each is a draft for `MarmotGroup.send`; which programs read it, and in which kind, is in the decision
// "What members of a circle see of each other's programs".
extension CircleMessage {
    /// The longest line of the chat to send; unit: bytes.
    public static let longestText = 16 * 1024

    /// A line of the chat, which every program shows.
    ///
    /// It is plain text. Only what would pass for a payload, such as a piece of JSON that somebody quotes, is wrapped
    /// as Whistle wraps its chat.
    ///
    /// - Parameter further: tags of files (MIP-04).
    /// - Throws: ``CircleMessageError``; a text may be empty where there is a file.
    public static func chat(
        _ text: String, replyTo parent: CircleMessageReference? = nil, tags further: [Tag] = [], now: Timestamp
    ) throws(CircleMessageError) -> EventDraft {
        guard text.utf8.count <= longestText else { throw .tooLong(limit: longestText) }
        guard !text.allSatisfy(\.isWhitespace) || further.contains(where: { $0.name == "imeta" }) else {
            throw .empty
        }
        // The reference in the text that NIP-C7 shows is left away: Whistle would show it, White Noise does without.
        let reply = parent.map { [Tag(["q", $0.id.hex, "", $0.author.hex])] } ?? []
        let content =
            CirclePayload.passesForPayload(text)
            ? CirclePayload.content("chat", [("text", .string(text))], sentAt: now) : text
        return draft(chatKind, reply + further, content, now)
    }

    /// A reaction to a message.
    ///
    /// - Parameters:
    ///   - content: `+`, `-` or an emoji.
    ///   - readers: the programs of the members. Whistle would show an emoji as a line of the chat, so where it is
    ///     alone with us the reaction is quiet.
    /// - Throws: ``CircleMessageError``.
    public static func reaction(
        _ content: String, to target: CircleMessageReference, emoji: CustomEmoji? = nil, readers: Set<CircleProgram>,
        now: Timestamp
    ) throws(CircleMessageError) -> EventDraft {
        guard !content.isEmpty else { throw .empty }
        guard content.utf8.count <= longestReaction else { throw .tooLong(limit: longestReaction) }
        if readers.wantsWhistlesForms {
            return quiet("reaction", [("e", .string(target.id.hex)), ("content", .string(content))], now)
        }
        var tags: [Tag] = [["e", target.id.hex], ["p", target.author.hex], ["k", String(target.kind.rawValue)]]
        if let emoji { tags.append(emoji.tag) }
        return draft(Reaction.kind, tags, content, now)
    }

    /// Takes back messages and reactions of the author's own.
    ///
    /// Whistle keeps them. The content, which nobody else reads, is there so that it does not list an empty line.
    public static func deletion(of targets: [CircleMessageReference], now: Timestamp) -> EventDraft {
        var kinds: Set<Kind> = []
        let tags =
            targets.map { Tag(["e", $0.id.hex]) }
            + targets.map(\.kind).filter { kinds.insert($0).inserted }.map { Tag(["k", String($0.rawValue)]) }
        return draft(DeletionRequest.kind, tags, CirclePayload.content("deletion", [], sentAt: now), now)
    }

    /// What the author wants to be called in this circle; nil takes it back.
    ///
    /// - Parameter readers: the programs of the members.
    public static func nickname(_ name: String?, readers: Set<CircleProgram>, now: Timestamp) -> EventDraft {
        aboutMember("nickname", [("name", .string(shownName(name) ?? ""))], readers, now)
    }

    /// A picture of the author; nil takes it away.
    ///
    /// - Parameters:
    ///   - readers: the programs of the members.
    ///   - sentAt: when it was shown first, for one that is shown again to who came later.
    public static func avatar(
        _ image: CircleImage?, readers: Set<CircleProgram>, sentAt: Timestamp? = nil, now: Timestamp
    ) -> EventDraft {
        aboutMember("avatar", [("img", .string(image?.base64 ?? ""))], readers, now, sentAt: sentAt)
    }

    /// A picture of the circle, which others take only from an admin; nil takes it away.
    ///
    /// - Parameters:
    ///   - readers: the programs of the members.
    ///   - sentAt: when it was shown first, for one that is shown again to who came later.
    public static func circleAvatar(
        _ image: CircleImage?, readers: Set<CircleProgram>, sentAt: Timestamp? = nil, now: Timestamp
    ) -> EventDraft {
        aboutMember("group_avatar", [("img", .string(image?.base64 ?? ""))], readers, now, sentAt: sentAt)
    }

    /// A place, which Whistle shows on its map and White Noise not at all.
    public static func location(_ place: LocationPayload) -> EventDraft {
        draft(locationKind, [], place.content, place.sentAt)
    }

    /// Why the author's place is old, which only this program shows.
    public static func sharing(_ notice: SharingNotice, now: Timestamp) -> EventDraft {
        quiet("sharing", notice.fields, now)
    }

    /// Asks members who are ahead of us to say so, which only this program does.
    public static func stepQuestion(now: Timestamp) -> EventDraft { quiet("step-question", [], now) }

    /// A wish to be taken out, for circles whose members do not all know SelfRemove (MIP-03).
    ///
    /// Whistle leaves the content empty, and then lists an empty line; it goes by the kind alone.
    public static func leaveRequest(now: Timestamp) -> EventDraft {
        draft(leaveRequestKind, [], CirclePayload.content("leave_request", [], sentAt: now), now)
    }

    private static func aboutMember(
        _ type: String, _ fields: [(String, JSONValue)], _ readers: Set<CircleProgram>, _ now: Timestamp,
        sentAt: Timestamp? = nil
    ) -> EventDraft {
        guard readers.wantsWhistlesForms else { return quiet(type, fields, now, sentAt: sentAt) }
        return draft(chatKind, [], CirclePayload.content(type, fields, sentAt: sentAt ?? now), now)
    }

    private static func quiet(
        _ type: String, _ fields: [(String, JSONValue)], _ now: Timestamp, sentAt: Timestamp? = nil
    ) -> EventDraft {
        EventDraft(
            kind: quietKind, tags: [quietTag], content: CirclePayload.content(type, fields, sentAt: sentAt ?? now),
            createdAt: now)
    }

    private static func draft(_ kind: Kind, _ tags: [Tag], _ content: String, _ now: Timestamp) -> EventDraft {
        EventDraft(kind: kind, tags: tags + [clientTag], content: content, createdAt: now)
    }
}
