internal import NostrCore

/// What a ``Convergence`` knows, to be stored with the group.
///
/// It holds no secret, but tells who spoke when: encrypt it as the rest. What is in it is stored in one piece and changes
/// in one step, so it stands side by side.
struct ConvergenceState: Hashable, Sendable {
    /// The epoch the group is in.
    var epoch: UInt64
    /// Whether the commit that leads here removes us.
    var isRemoved = false
    /// Whether we know that we lost step for good, unless something opens after all.
    var isOutOfStep: Bool { stall.stage == .outOfStep }
    /// Whether the person was told that something cannot be read; who it is that lost step, if anybody did, is known
    /// only if ``isOutOfStep``.
    var isApart: Bool { stall.stage == .outOfStep || stall.stage == .unreadable || stall.isTold }
    /// How many events came that no key opened; junk that anybody can post is among them.
    var unopened: UInt64 = 0
    /// The commits behind us, the oldest first, of epochs in a row.
    var links: [Link] = []
    /// The commit that is being merged; nothing else is until that is over.
    var merging: Candidate?
    var own: [OwnPending] = []
    var waiting = WaitingEvents()
    var events: Recent
    var messages: Recent
    var rumors: Recent
    var stall = Stall()
    /// Our merged commits whose Welcomes are not known to be on their way.
    var unwelcomed: [EventID] = []
    /// Up to when we know that we have all.
    var caughtUpTo: Timestamp
    /// Whether a relay gave all it has since we are connected.
    var isCaughtUp = false
    var renewal = KeyRenewal()
    /// When the first epoch we know began.
    let joinedAt: Timestamp

    init(epoch: UInt64, now: Timestamp, limit: Int) {
        (self.epoch, caughtUpTo, joinedAt) = (epoch, now, now)
        (events, messages, rumors) = (Recent(limit: limit), Recent(limit: limit), Recent(limit: limit))
    }

    /// When the epoch we are in began, as its commit says.
    var epochBegan: Timestamp { links.last?.commit.createdAt ?? joinedAt }
}

/// When a commit of our own is due that brings us new keys, or takes in what others propose.
struct KeyRenewal: Hashable, Sendable {
    /// When our keys were new; none for one who has just joined.
    var doneAt: Timestamp?
    /// When we were last asked to renew them.
    var askedAt: Timestamp?
    /// Since when a proposal waits that we may commit.
    var proposedAt: Timestamp?
}

/// A commit that was merged.
struct Link: Hashable, Sendable {
    /// The epoch it leads from.
    let epoch: UInt64
    /// The event it is known by; of several with the same commit, the preferred.
    var commit: RivalCommit
    let message: Bytes32
    let isOwn: Bool
    let mergedAt: Timestamp
    /// Whether the group can be taken back to ``epoch``.
    var hasSnapshot = true
}

/// A commit that was checked and may be merged.
struct Candidate: Hashable, Sendable {
    let epoch: UInt64
    let commit: RivalCommit
    let message: Bytes32
    let removesUs: Bool
    let isOwn: Bool
    let invites: Bool
}

/// A commit of our own, as long as it can be merged: on the group as it is, or on a snapshot.
struct OwnPending: Hashable, Sendable {
    /// How far it has come; one that is settled was merged, or another was preferred.
    ///
    /// An event with an earlier date can bring that back, and nobody can read their own commit from one.
    enum Phase: UInt8 { case publishing = 1, fetching, onRelay, overdue, settled }

    let facts: OwnCommitFacts
    var phase = Phase.publishing
    /// Whether a relay said that it took it.
    var isAccepted = false
    var attempt: UInt8 = 1
    var due: Timestamp

    /// Whether we still wait for relays, or are about to merge it.
    var isUnderWay: Bool { phase != .overdue && phase != .settled }

    /// To be merged.
    ///
    /// - Parameter event: by which it is known: its own, or another that is preferred.
    func candidate(by event: RivalCommit) -> Candidate {
        Candidate(
            epoch: facts.epoch, commit: event, message: facts.message, removesUs: false, isOwn: true,
            invites: facts.invites)
    }
}

/// Events that could not be read yet, and those that are being opened, bounded in number and bytes.
struct WaitingEvents: Hashable, Sendable {
    struct One: Hashable, Sendable {
        let event: RivalCommit
        let size: Int
        /// Whether its owner stored it.
        var isKept = false
        /// Whether it is a commit that this group, as it is now, made room for.
        var isIncomplete = false
        /// Whether it is from ahead of our clock.
        var isAhead = false
        /// Whether nothing shows that a member wrote it: no key has opened it.
        var isUnread = false
    }

    /// In the order they came.
    private(set) var all: [One] = []
    private(set) var bytes = 0

    subscript(_ id: EventID) -> One? { all.first { $0.event.id == id } }

    mutating func append(_ one: One) {
        all.append(one)
        bytes += one.size
    }

    mutating func keep(_ id: EventID) {
        if let index = all.firstIndex(where: { $0.event.id == id }) { all[index].isKept = true }
    }

    mutating func setIncomplete(_ id: EventID) {
        if let index = all.firstIndex(where: { $0.event.id == id }) { all[index].isIncomplete = true }
    }

    mutating func setAhead(_ id: EventID, _ isAhead: Bool) {
        if let index = all.firstIndex(where: { $0.event.id == id }) { all[index].isAhead = isAhead }
    }

    mutating func setUnread(_ id: EventID, _ isUnread: Bool) {
        if let index = all.firstIndex(where: { $0.event.id == id }) { all[index].isUnread = isUnread }
    }

    /// The group is another, and knows nothing of room that was made.
    mutating func forgetIncomplete() { for index in all.indices { all[index].isIncomplete = false } }

    mutating func remove(_ id: EventID) {
        guard let index = all.firstIndex(where: { $0.event.id == id }) else { return }
        bytes -= all.remove(at: index).size
    }

    /// Removes some until what is left is within bounds, the oldest first; gives what was removed.
    ///
    /// What nobody could read goes before what a member is known to have written: strangers push out only each other.
    mutating func trim(count: Int, bytes limit: Int) -> [One] {
        var removed: [One] = []
        while let first = all.first(where: \.isUnread) ?? all.first, all.count > count || bytes > limit {
            removed.append(first)
            remove(first.event.id)
        }
        return removed
    }
}

/// What shows that we may be out of step, and what is done about it.
///
/// Anybody can post events that do not open, as many as they like. Such events have relays asked again, from time to
/// time, and the person told, once; they never reach ``Stage/outOfStep``, which only what a member wrote does.
struct Stall: Hashable, Sendable {
    enum Stage: UInt8 { case none = 1, refetching, resyncing, unreadable, outOfStep }

    /// How many events in a row did not open, and since when.
    var run: UInt32 = 0
    var since: Timestamp?
    /// Since when some event of this epoch waits, or a commit for a proposal, whoever else was heard meanwhile.
    var unreadSince: Timestamp?
    var stage = Stage.none
    /// When the relays should have answered.
    var due: Timestamp?
    var attempt: UInt8 = 1
    /// The earliest event that we had to drop unread since relays were last asked.
    var missedSince: Timestamp?
    /// Since when to ask relays again for what was dropped: the group has gone on, and it may open now.
    var lackingSince: Timestamp?
    /// Until when what does not open has relays asked no more.
    var quietUntil: Timestamp?
    /// Whether the person was told that something cannot be read.
    var isTold = false
    /// Whether a member says that the group has gone on without us.
    var isVouched = false

    /// Whether relays are being asked for what we may lack, for the first time, and were not silent yet.
    var isAsking: Bool { (stage == .refetching || stage == .resyncing) && attempt == 1 && !isTold }
}
