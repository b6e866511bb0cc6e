public import NostrClient
public import NostrCore
internal import NostrNIPs

/// A message under the pen.
public struct MessageDraft: Hashable, Sendable {
    /// The text, people as `@name`.
    public var text: String
    /// The people picked while writing, by the name written after `@`.
    public var mentions: [String: PublicKey]
    /// The message it answers.
    public var replyTo: EventID?
    /// A new subject for the conversation; empty for none.
    public var subject: String
    /// After how long it disappears; `nil` for what the conversation does already.
    public var lifetime: MessageLifetime?
    /// A file to go with it.
    public var file: OutgoingFile?

    /// The most bytes of a message; what is longer does not fit into a wrap that every relay takes.
    public static let longest = 16_000
    /// The most characters of a subject.
    public static let longestSubject = 80

    /// An empty page, or one with some text.
    public init(
        text: String = "", mentions: [String: PublicKey] = [:], replyTo: EventID? = nil, subject: String = "",
        lifetime: MessageLifetime? = nil
    ) {
        self.text = text
        self.mentions = mentions
        self.replyTo = replyTo
        self.subject = subject
        self.lifetime = lifetime
    }

    /// Why it cannot be sent; one plain sentence, `nil` when it can.
    public var problem: String? {
        if text.allSatisfy(\.isWhitespace), file == nil { return ConversationWords.nothingToSend }
        if let file, file.bytes.count > OutgoingFile.largest {
            return SealedFileError.tooLarge(limit: OutgoingFile.largest).sentence
        }
        if text.utf8.count > Self.longest {
            return ConversationWords.tooLong(text.utf8.count, most: Self.longest)
        }
        return [text, subject, file?.description ?? ""].contains(where: holdsSecretKey) ? secretKeyWarning : nil
    }

    /// The message as an account sends it.
    ///
    /// - Parameter usual: how long messages last in this conversation.
    func outgoing(to room: ChatRoom, usual: MessageLifetime) -> OutgoingMessage {
        var message = OutgoingMessage(room: room, text: resolveMentions(text.trimmingSpace(), mentions))
        message.replyTo = replyTo
        let subject = oneLine(subject, limit: Self.longestSubject)
        message.subject = subject.isEmpty ? nil : subject
        message.lifetime = (lifetime ?? usual).duration
        return message
    }
}

/// After how long a message disappears.
public enum MessageLifetime: String, Hashable, Sendable, CaseIterable {
    /// Never.
    case kept
    /// After one hour, one day, one week, thirty days.
    case hour, day, week, month

    /// The time; `nil` for never.
    public var duration: Duration? {
        switch self {
        case .kept: nil
        case .hour: .seconds(3600)
        case .day: .seconds(86_400)
        case .week: .seconds(7 * 86_400)
        case .month: .seconds(30 * 86_400)
        }
    }

    /// What it is called where it is chosen.
    public var title: String {
        switch self {
        case .kept: ConversationWords.kept
        case .hour: ConversationWords.goneAfterHour
        case .day: ConversationWords.goneAfterDay
        case .week: ConversationWords.goneAfterWeek
        case .month: ConversationWords.goneAfterMonth
        }
    }

    /// The choice a message of this conversation was sent with, as near as it can be told.
    init(of message: Message) {
        guard let end = message.expiration else {
            self = .kept
            return
        }
        let seconds = end.seconds.subtractingReportingOverflow(message.createdAt.seconds)
        self = seconds.overflow ? .month : Self.nearest(to: seconds.partialValue)
    }

    private static func nearest(to seconds: Int64) -> MessageLifetime {
        switch seconds {
        case ..<43_200: .hour
        case ..<259_200: .day
        case ..<1_296_000: .week
        default: .month
        }
    }
}

extension MessageCursor {
    /// The place as a short word for an address: seconds, a hyphen, the id in hex.
    public var mark: String { TimelineCursor(createdAt: createdAt, id: id).mark }

    /// Reads a ``mark``; `nil` for anything else.
    public init?(mark: String) {
        guard let place = TimelineCursor(mark: mark) else { return nil }
        self.init(createdAt: place.createdAt, id: place.id)
    }

    /// The place just after a message, so that a stretch before it ends with that message.
    public var justAfter: MessageCursor {
        MessageCursor(createdAt: createdAt + .seconds(1), id: id)
    }
}
