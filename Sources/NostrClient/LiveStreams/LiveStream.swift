public import NostrCore
public import NostrNIPs

/// A live stream with what is known around it.
public struct LiveStream: Hashable, Sendable, Identifiable {
    /// What its author says of it.
    public let activity: LiveActivity
    /// The version that was read.
    public let event: EventID
    /// How it stands at the moment of reading.
    public let status: LiveActivity.Status
    /// Who hosts it.
    public let host: Person
    /// Whether the host is the author or signed that they take part; else the author only says so.
    public let isHostConfirmed: Bool
    /// Who published it; often a service.
    public let author: Person
    /// How many people wrote in its chat within the last hour.
    public let chatters: Int

    public var id: EventAddress { activity.address }

    /// Whether the account follows its author, or a host who signed that they take part.
    ///
    /// The word of a stranger alone counts for nothing, or anybody could put a well-known name under their stream.
    public var isOfFollowed: Bool { author.isFollowed || host.isFollowed && isHostConfirmed }

    /// A stream of which everything is known.
    public init(
        activity: LiveActivity, event: EventID, status: LiveActivity.Status, host: Person, isHostConfirmed: Bool,
        author: Person, chatters: Int
    ) {
        self.activity = activity
        self.event = event
        self.status = status
        self.host = host
        self.isHostConfirmed = isHostConfirmed
        self.author = author
        self.chatters = chatters
    }
}

/// The streams that are known.
public struct LiveStreamList: Hashable, Sendable {
    /// Live now: those of people the account follows first, then those with more people in the chat.
    public let live: [LiveStream]
    /// Announced, the next one first.
    public let planned: [LiveStream]
    /// Over, the latest first.
    public let ended: [LiveStream]
    /// Whether relays are still being asked.
    public let isLooking: Bool

    /// The most streams of one sort.
    public static let most = 30

    /// Puts streams in order; what is live without anybody in its chat is shown only of people who are followed.
    public init(_ streams: [LiveStream], now: Timestamp, isLooking: Bool) {
        func first(_ streams: [LiveStream]) -> [LiveStream] { Array(streams.prefix(Self.most)) }
        live = first(
            streams.filter { $0.status == .live && ($0.chatters > 0 || $0.isOfFollowed) }.sorted { $0.isAbove($1) })
        // What did not begin for a day after its time will not.
        let yesterday = now - .seconds(86_400)
        planned = first(
            streams.filter { $0.status == .planned && $0.startsAt > yesterday }
                .sorted { ($0.startsAt, $0.event) < ($1.startsAt, $1.event) })
        ended = first(
            streams.filter { $0.status == .ended }.sorted { ($1.endedAt, $0.event) < ($0.endedAt, $1.event) })
        self.isLooking = isLooking
    }
}

extension LiveStream {
    /// One without a date comes last.
    fileprivate var startsAt: Timestamp { activity.starts ?? Timestamp(seconds: .max) }
    fileprivate var endedAt: Timestamp { min(activity.ends ?? activity.updatedAt, activity.updatedAt) }

    fileprivate func isAbove(_ other: LiveStream) -> Bool {
        if isOfFollowed != other.isOfFollowed { return isOfFollowed }
        return chatters == other.chatters ? event < other.event : chatters > other.chatters
    }
}

/// A stream and what is said in it.
public struct LiveRoom: Hashable, Sendable {
    /// Somebody who takes part.
    public struct Participant: Hashable, Sendable {
        /// Who.
        public let person: Person
        /// What they do there, as the author says.
        public let role: String
        /// Whether they signed that they take part; who did not is only invited.
        public let hasAgreed: Bool

        /// Somebody the stream's event names; `hasAgreed` is to be true only for a proof that was checked.
        public init(person: Person, role: String, hasAgreed: Bool) {
            self.person = person
            self.role = role
            self.hasAgreed = hasAgreed
        }
    }

    /// Where the stream is found.
    public let address: EventAddress
    /// The stream; `nil` while it was not found.
    public var stream: LiveStream?
    /// Who takes part: the host first, muted people left out.
    public var participants: [Participant] = []
    /// What was said and paid, oldest first, the newest ``most`` of it.
    public var lines: [LiveLine] = []
    /// Lines the host put above all others.
    public var pinned: [LiveLine] = []
    /// Everybody named in ``lines`` that is known here.
    public var mentioned: [PublicKey: Person] = [:]
    /// What was paid in all, from receipts that count.
    public var zaps = ZapTally()
    /// How many people reacted to the stream itself.
    public var reactions = 0
    /// Lines that only repeat what the same person said, and are left out.
    public var repeats = 0
    /// The relays the chat is read from and written to.
    public var relays: [RelayURL] = []
    /// Whether relays are being asked for the first time.
    public var isLoading = false
    /// Whether the account muted its author or its host; then nothing of it is shown.
    public var isMuted = false

    /// The most lines.
    public static let most = 200

    /// A room of which nothing is known yet.
    public init(address: EventAddress) { self.address = address }
}

/// One line of a chat.
public struct LiveLine: Hashable, Sendable, Identifiable {
    /// What it is.
    public enum Body: Hashable, Sendable {
        /// Something that was said.
        case words(Event)
        /// A payment.
        case zap(Zap)
    }

    /// The event's: of the line, or of the receipt.
    public let id: EventID
    /// When.
    public let createdAt: Timestamp
    /// Who wrote or paid.
    public let author: Person
    /// What it is.
    public let body: Body
    /// The line it answers.
    public let replyTo: EventID?
    /// What people reacted with, the most frequent first.
    public let reactions: [ReactionGroup]

    /// A line as it is shown, its reactions counted so far.
    public init(
        id: EventID, createdAt: Timestamp, author: Person, body: Body, replyTo: EventID? = nil,
        reactions: [ReactionGroup] = []
    ) {
        self.id = id
        self.createdAt = createdAt
        self.author = author
        self.body = body
        self.replyTo = replyTo
        self.reactions = reactions
    }
}
