internal import NostrCore

/// What waits to be sent to a circle: one message on its way, one behind it, and the trail before them.
struct SharingQueue: Hashable, Sendable {
    /// A message without an answer for so long is sent again.
    static let answerTime: Duration = .seconds(120)
    private static let longestWait: Duration = .seconds(300)

    struct QueuedPlace: Hashable, Sendable, Codable {
        var place: SharedPlace
        var number: UInt64
        /// Made while sharing rested, at the person's own command: it may leave though sharing rests.
        var isAskedFor: Bool
    }

    /// Whether positions that give way are kept.
    var keepsTrail = false {
        didSet {
            guard !keepsTrail else { return }
            trail = []
            waiting?.place.trail = []
        }
    }

    private(set) var waiting: QueuedPlace?
    private(set) var onItsWay: QueuedPlace?
    /// The newest message a relay has taken.
    private(set) var lastSent: SharedPlace?
    /// Positions that were not sent in time, oldest first.
    private(set) var trail: [Fix] = []
    private(set) var isConnected = false
    private(set) var nextNumber: UInt64 = 1
    private var answerBy: Timestamp?
    private var retryAt: Timestamp?
    private var failures = 0

    /// Nothing waits.
    init() {}

    /// Goes on from what was kept, without a network at first; what is on its way has to be taken back.
    init(waiting: QueuedPlace?, onItsWay: QueuedPlace?, lastSent: SharedPlace?, trail: [Fix], nextNumber: UInt64) {
        self.waiting = waiting
        self.onItsWay = onItsWay
        self.lastSent = lastSent
        self.nextNumber = nextNumber
        self.trail = thinned(trail)
    }

    var hasWaiting: Bool { waiting != nil }

    /// How many positions are not with a relay.
    var count: Int {
        trail.count
            + [waiting, onItsWay].compactMap(\.?.place).reduce(0) { $0 + $1.trail.count + ($1.isKnown ? 0 : 1) }
    }

    /// Takes a message; one that still waits gives way, its position becomes part of the trail.
    mutating func put(_ place: SharedPlace, isAskedFor: Bool) {
        if let old = waiting { remember(old.place) }
        waiting = QueuedPlace(place: place, number: nextNumber, isAskedFor: isAskedFor)
        nextNumber &+= 1
    }

    /// Whether there is a place to tell a reason with.
    var canTell: Bool { hasWaiting || lastSent != nil }

    /// Tells a reason: with the place that waits, or with the one the circle has, which is not written again.
    mutating func announce(_ why: ToldReason, isAskedFor: Bool, now: Timestamp) {
        if hasWaiting {
            waiting?.place.why = why
        } else if let lastSent {
            let place = SharedPlace(
                fix: lastSent.fix, sentAt: now, interval: lastSent.interval, isStationary: lastSent.isStationary,
                why: why, isKnown: true)
            put(place, isAskedFor: isAskedFor)
        }
    }

    /// The message to send now, if there is one and none is on its way.
    mutating func next(now: Timestamp) -> (SharedPlace, number: UInt64)? {
        guard isConnected, onItsWay == nil, var queued = waiting, retryAt.map({ $0 <= now }) ?? true else { return nil }
        trail = thinned(trail + queued.place.trail)
        (queued.place.trail, trail) = (trail, [])
        queued.place.sentAt = now
        onItsWay = queued
        waiting = nil
        answerBy = now + Self.answerTime
        return (queued.place, queued.number)
    }

    mutating func connect() {
        isConnected = true
        tryAtOnce()
    }

    /// What failed before does not hold up what comes now.
    mutating func tryAtOnce() {
        retryAt = nil
        failures = 0
    }

    mutating func disconnect(mayKeep: Bool) {
        isConnected = false
        putBack(mayKeep: mayKeep)
    }

    mutating func sent(_ number: UInt64) {
        // However late it says so: a relay that takes something is no reason to wait.
        (failures, retryAt) = (0, nil)
        if let queued = onItsWay, queued.number == number {
            lastSent = queued.place
            onItsWay = nil
            answerBy = nil
        } else if let queued = waiting, queued.number == number {
            // Given up and taken back, and yet it had arrived.
            lastSent = queued.place
            waiting = nil
        }
    }

    mutating func failed(_ number: UInt64, now: Timestamp, mayKeep: Bool) {
        guard onItsWay?.number == number else { return }
        failures = min(failures + 1, 10)
        retryAt = now + min(.seconds(1 << failures), Self.longestWait)
        putBack(mayKeep: mayKeep)
    }

    /// A message on its way that has had no answer in time has failed.
    mutating func expire(now: Timestamp, mayKeep: Bool) {
        if let number = onItsWay?.number, let answerBy, answerBy <= now { failed(number, now: now, mayKeep: mayKeep) }
    }

    mutating func heal(now: Timestamp) {
        answerBy = answerBy.map { min($0, now + Self.answerTime) }
        retryAt = retryAt.map { min($0, now + Self.longestWait) }
    }

    /// When something is to be done without an input.
    var nextMoment: Timestamp? {
        if onItsWay != nil { return answerBy }
        return isConnected && hasWaiting ? retryAt : nil
    }

    /// Sharing rests from now on: the person's newest word counts, whatever was asked for before.
    mutating func dropWaiting() {
        waiting = nil
        trail = []
    }

    /// Sharing goes on: nobody is to be told any more that it rests.
    mutating func withdrawPause() {
        guard case .paused = waiting?.place.why else { return }
        if waiting?.place.isKnown == true { return waiting = nil }
        waiting?.place.why = nil
        waiting?.isAskedFor = false
    }

    /// Drops everything that could still be sent, and what was.
    mutating func forget() {
        waiting = nil
        trail = []
        lastSent = nil
        onItsWay = nil
        answerBy = nil
    }

    /// Puts what is on its way back; something newer that waits already counts instead of it.
    private mutating func putBack(mayKeep: Bool) {
        guard var queued = onItsWay else { return }
        onItsWay = nil
        answerBy = nil
        if !keepsTrail { queued.place.trail = [] }
        guard mayKeep || queued.isAskedFor else { return }
        if waiting == nil { waiting = queued } else { remember(queued.place) }
    }

    private mutating func remember(_ place: SharedPlace) {
        guard keepsTrail else { return }
        trail = thinned(trail + place.trail + (place.isKnown ? [] : [place.fix]))
    }

    /// In order, and where there are too many, without those nearest in time to the ones around them.
    private func thinned(_ fixes: [Fix]) -> [Fix] {
        var fixes = fixes.sorted { $0.moment < $1.moment }
        while fixes.count > SharedPlace.mostTrail {
            let gaps = fixes.indices.dropFirst().dropLast().map { index in
                (index, fixes[index + 1].moment.seconds - fixes[index - 1].moment.seconds)
            }
            guard let (index, _) = gaps.min(by: { $0.1 < $1.1 }) else { break }
            fixes.remove(at: index)
        }
        return fixes
    }
}
