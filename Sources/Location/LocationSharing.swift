public import NostrCore

/// When to tell one circle where its member is: a state machine without clock, network or receiver.
///
/// Every message announces the span to the next, so that a reader knows when silence means something; the span is four
/// times the interval while the member rests or the battery goes first. The next goes no later than half a minute after
/// what was announced, which is for a fresh position to come, and earlier when the member begins to move or the
/// settings ask for more. While the network is away only the newest position waits, and with a trail the ones before
/// it, bounded. While sharing rests, only what the person sends then leaves. All of it can be encoded at any moment and
/// goes on from there; what was on its way then is sent again.
///
/// The state holds exact positions: it is sealed before it is kept.
public struct LocationSharing: Hashable, Sendable {
    /// How much rarer messages are while resting.
    ///
    /// Source: Whistle.
    static let restFactor = 4
    /// A position may be so old when the person says "send now".
    static let freshness: Duration = .seconds(60)
    /// So long a fresh position is waited for then, before the last one is sent.
    static let patience: Duration = .seconds(60)
    /// How often a position is looked for while something is to be decided.
    static let closeLook: Duration = .seconds(30)
    /// How late a source may be that was asked for a position every so often.
    static let punctuality: Duration = .seconds(5)

    /// How the position is shared.
    public internal(set) var settings: SharingSettings
    let blurSecret: Bytes32
    /// The blur used last; `settings` say whether there is one.
    var blur: Blur?
    var movement = Movement()
    /// The newest position, exact; it leaves through the blur only.
    package internal(set) var latest: Fix?
    /// Whether the newest position has not been handed over for sending.
    var isUnsent = false
    /// Why the source has nothing newer.
    public internal(set) var failure: LocationFailure?
    /// Whether the circle was told of that.
    var hasTold = false
    /// When the last message was made, and by when it promised the next.
    var promise: Promise?
    /// The person has asked to send now; the last position goes at this moment if no fresh one comes before.
    var sendNowBy: Timestamp?
    /// Since then a message is due, and a position newer than the one there is waited for.
    var askingSince: Timestamp?
    /// Until then a position is looked for often: a sensor felt steps.
    var alertUntil: Timestamp?
    var queue = SharingQueue()
    /// How often a position was last said to be looked for; `nil` before anything was said.
    var lastLook: Duration??
    /// Whether the own battery was below what the settings say when it was last known.
    var isBatteryLow = false
    /// The charge with which it fell below that in this step.
    var fallen: Int?

    /// A message made, and the span it announced.
    struct Promise: Hashable, Sendable {
        var madeAt: Timestamp
        var span: Duration
    }

    /// Begins to share with a circle; nothing is sent before the first position.
    ///
    /// - Parameters:
    ///   - settings: how.
    ///   - blurSecret: random, for this circle alone; it lays the grid of the blur.
    public init(_ settings: SharingSettings = SharingSettings(), blurSecret: Bytes32) {
        self.settings = settings
        self.blurSecret = blurSecret
        queue.keepsTrail = settings.keepsTrail
    }

    /// The newest message that a relay has taken; `nil` before the first.
    public var lastSent: SharedPlace? { queue.lastSent }

    /// Whether a message is on its way to a relay.
    public var isSending: Bool { queue.onItsWay != nil }

    /// Whether a message waits for a network, or for the one before it.
    public var hasWaiting: Bool { queue.hasWaiting }

    /// How many positions are not with a relay yet.
    public var waitingCount: Int { queue.count }

    /// What happens.
    public enum Input: Hashable, Sendable {
        /// A position came.
        case fix(Fix)
        /// The source has none.
        case noFix(LocationFailure)
        /// A motion sensor felt that the member may be moving. It decides nothing; it makes the next positions come
        /// sooner.
        case motion
        /// Time has passed.
        case tick
        /// A relay of the circle can be reached.
        case connected
        /// None can.
        case disconnected
        /// The settings are these now.
        case settings(SharingSettings)
        /// The person wants to be seen now, also while sharing rests.
        case sendNow
        /// The message of this number has been taken by a relay.
        case sent(UInt64)
        /// The message of this number could not be sent.
        case failed(UInt64)
    }

    /// What is to be done.
    public enum Action: Hashable, Sendable {
        /// Send this, and answer with its number.
        case send(SharedPlace, number: UInt64)
        /// Warn the owner: their battery has fallen to this many percent.
        case warnOfBattery(Int)
        /// Ask the source for a position this often; `nil` lets it rest.
        case look(every: Duration?)
        /// Come back with a tick at this moment, or with the next input if there is none; it replaces the one before.
        case wait(until: Timestamp?)
    }

    /// Takes one input and says what is to be done; the last action is always a wait, later than now.
    public mutating func receive(_ input: Input, now: Timestamp) -> [Action] {
        heal(now)
        // An answer that is there counts, also one that comes in the moment in which it would be missed.
        if case .sent(let number) = input { queue.sent(number) }
        expire(now)
        switch input {
        case .fix(let fix): add(fix, now)
        case .noFix(let why): failure = why
        case .motion: if settings.pause == .none { alertUntil = now + Self.closeLook * 4 }
        case .tick, .sent: break
        case .connected: connect(now)
        case .disconnected: queue.disconnect(mayKeep: mayKeep)
        case .settings(let new): change(to: new, now)
        case .sendNow:
            sendNowBy = now + Self.patience
            queue.tryAtOnce()
        case .failed(let number): queue.failed(number, now: now, mayKeep: mayKeep)
        }
        queueWhatIsDue(now)
        var actions: [Action] = []
        if let (place, number) = queue.next(now: now) { actions.append(.send(place, number: number)) }
        if let percent = fallen { actions.append(.warnOfBattery(percent)) }
        fallen = nil
        let look = look(at: now)
        if lastLook != .some(look) {
            lastLook = .some(look)
            actions.append(.look(every: look))
        }
        return actions + [.wait(until: nextMoment(after: now))]
    }

    /// The span announced now.
    var span: Duration {
        let isRare = settings.isLowPower || movement.isStill == true
        return settings.interval.duration * (isRare ? Self.restFactor : 1)
    }

    /// How often a position is of use at a moment.
    private func look(at now: Timestamp) -> Duration? {
        if sendNowBy != nil { return SharingInterval.tenSeconds.duration }
        guard settings.pause == .none else { return nil }
        let usual = settings.interval.duration * (settings.isLowPower ? Self.restFactor : 1)
        let isAskingAnew = askingSince.map { $0 + Self.punctuality <= now } ?? false
        let isClose = movement.isConfirming || isAskingAnew || alertUntil != nil
        return isClose ? min(usual, Self.closeLook) : usual
    }

    /// Whether what could not be sent may be sent later without the person's asking.
    var mayKeep: Bool { settings.pause == .none }
}
