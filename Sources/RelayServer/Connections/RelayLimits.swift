public import AsyncPrimitives
internal import NostrNIPs

/// How much a relay lets one client ask for.
///
/// One limit to a line, as operators set them: grouping them would only make each harder to name.
public struct RelayLimits: Hashable, Sendable {
    /// The longest message from a client, in bytes: a list of 10 000 follows with relays and names fits, and what is
    /// sent on with a subscription's id before it is still read by clients that take 1.5 MiB.
    public var messageLength = 1_500_000
    /// Open subscriptions per connection.
    public var subscriptions = 64
    /// Filters of one question.
    public var filters = 32
    /// The most values in the lists of one question, all its filters together; each costs a look into an index.
    public var listedValues = 10_000
    /// The most words one client may have searched for at a time.
    public var searchWords = 32
    /// The most stored events per filter; higher limits are lowered to it.
    public var limit = 5000
    /// Stored events per filter that names no limit.
    public var defaultLimit = 500
    /// The most tags of an event: a list of 10 000 follows and some more.
    public var eventTags = 12_000
    /// The longest content of an event, in Unicode scalars.
    public var contentLength = 256 * 1024
    /// How far in the future an event may be dated.
    public var future: Duration = .seconds(15 * 60)
    /// How old an event may be; `nil` for any age.
    public var past: Duration?
    /// The most stored events of one answer, all its filters together.
    public var answer = 20_000
    /// How many events may be looked at for one COUNT; one that needs more is refused.
    public var counted = 20_000
    /// How many questions read the store at the same time, besides one that names its events by id; together fewer than
    /// the store has readers, so that one is left for whatever else the program does.
    public var readers = 2
    /// How long a question reads before others have their turn.
    public var readingSlice: Duration = .milliseconds(10)
    /// How long a question may read in all its turns; one that takes longer is closed.
    public var readingTime: Duration = .seconds(5)
    /// How long a question may wait for turns, all together; then it is closed.
    public var turnDeadline: Duration = .seconds(30)
    /// How many events with wrong ids or signatures a connection may send before its events are refused unchecked; a
    /// network of the internet has eight times as many.
    public var forgedEvents = TokenRate(burst: 64, refill: .seconds(1))
    /// How many bytes of questions one client may have open.
    public var questionBytes = 2 * 1024 * 1024
    /// How much of a stored answer is read ahead of one client, in bytes; this much each client has for itself.
    public var answerBytes = 256 * 1024
    /// How much may wait to be read by one client, in bytes; a subscription that falls further behind is closed.
    public var waitingBytes = 4 * 1024 * 1024
    /// How much may wait to be read by all clients together, in bytes; beyond it each has ``answerBytes`` only.
    public var waitingBytesInAll = 32 * 1024 * 1024
    /// How long one client may take to read a message that is being sent; then it is disconnected.
    public var sendDeadline: Duration = .seconds(30)
    /// How many messages that make no sense a connection survives.
    public var invalidMessages = 64

    /// The defaults, fit for a relay that serves a few thousand clients.
    public init() {}
}

extension RelayLimitation {
    /// What a relay with these limits promises; what policies demand is added by whoever sets the policies.
    mutating func fill(from limits: RelayLimits) {
        maxMessageLength = limits.messageLength
        maxSubscriptions = limits.subscriptions
        maxLimit = limits.limit
        defaultLimit = limits.defaultLimit
        maxSubscriptionIDLength = 64
        maxEventTags = limits.eventTags
        maxContentLength = limits.contentLength
        createdAtLowerLimit = limits.past.map { Int($0.components.seconds) }
        createdAtUpperLimit = Int(limits.future.components.seconds)
    }
}
