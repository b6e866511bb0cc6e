internal import MLS
internal import NostrCore
internal import NostrNIPs

/// Changes of our own: one at a time, and made again when somebody else's came first.
extension GroupSession {
    /// How many changes wait at most.
    private static let mostWanted = 32

    mutating func want(_ change: GroupChange, first: Bool = false) {
        guard !isLeaving, !wanted.contains(change), wanted.count < Self.mostWanted else { return }
        wanted.insert(change, at: first ? 0 : wanted.count)
        changed.insert(.wanted)
    }

    /// Makes the next change, if none is under way.
    mutating func pursue(
        now: Timestamp, _ effects: inout [SessionEffect], using random: inout some RandomNumberGenerator
    ) {
        while convergence.canCommit, let change = wanted.first {
            wanted.removeFirst()
            changed.insert(.wanted)
            do {
                guard let (id, facts) = try commit(change, now: now, using: &random) else { continue }
                if case .add(let events) = change { wantRest(of: events, after: id) }
                run(.made(facts), now: now, &effects)
            } catch {
                effects.append(.dropped(change, error))
            }
        }
    }

    /// Stages a commit; nil if there is nothing to change any more.
    mutating func commit(
        _ change: GroupChange, now: Timestamp, using random: inout some RandomNumberGenerator
    ) throws(MarmotError) -> (id: EventID, facts: OwnCommitFacts)? {
        guard let ownKey = group.ownKey else { throw MarmotError(.wrongAuthor, "We are not in the group.") }
        guard let (proposals, invited) = try group.proposals(for: change, now: now) else { return nil }
        var next = group
        let made = try next.commit(proposals, published: published, now: now, using: &random)
        // Somebody else let them go already; a commit of nothing would only race with others.
        if change == .letGo, made.commit.staged.proposals.isEmpty { return nil }
        let message = try group.profile.open(made.event, with: group.keyring, now: now).message
        let welcomes = try invited.map { (one) throws(MarmotError) in
            guard let welcome = made.welcome else { throw MarmotError(.malformed, "There is no Welcome.") }
            let relays = made.commit.after.data.relayURLs
            let rumor = try WelcomeRumor.rumor(welcome, for: one, by: ownKey, relays: relays, now: now)
            return Welcoming(person: one.owner, rumor: rumor)
        }
        let facts = OwnCommitFacts(
            RivalCommit(made.event), epoch: group.mls.epoch, message: digest(message), invites: !welcomes.isEmpty)
        group = next
        // They published them, and nobody else can add us others in their name.
        for one in invited { bindings.prove(.init(one.owner, one.keyPackage.leafNode.signatureKey)) }
        if !invited.isEmpty { changed.insert(.bindings) }
        changed.formUnion([.mls(.messageKeys), .ownCommit(made.event.id)])
        own[made.event.id] = OwnCommitRecord(
            event: made.event, change: change, epoch: facts.epoch, welcomes: welcomes, commit: .made(made.commit))
        return (made.event.id, facts)
    }

    /// Who did not fit into one Welcome comes with the next commit.
    private mutating func wantRest(of events: [Event], after id: EventID) {
        let added = Set(own[id]?.welcomes.map(\.person) ?? [])
        let rest = events.filter { !added.contains($0.pubkey) && !group.roster.people.contains($0.pubkey) }
        guard !rest.isEmpty, rest.count < events.count else { return }
        own[id]?.change = .add(events.filter { added.contains($0.pubkey) })
        want(.add(rest), first: true)
    }
}

/// A commit of our own, from its making until nothing can undo it.
struct OwnCommitRecord: Sendable {
    let event: Event
    /// What it is to change, to be made again if need be.
    var change: GroupChange
    /// The epoch it was made on.
    let epoch: UInt64
    /// For those it adds.
    let welcomes: [Welcoming]
    /// To be merged, once more too; nothing where it cannot be any more.
    var commit: RestingCommit?
}

/// A commit of our own that may be merged: as it was made, or as it rests on disk.
///
/// Reading one takes its group's tree with it, and nearly none of those on disk is merged ever again: so it is read
/// when it is to be merged, and not when the session is opened.
enum RestingCommit: Sendable {
    case made(AllowedCommit)
    case saved([UInt8])

    var bytes: [UInt8] {
        switch self {
        case .made(let commit): commit.staged.saved
        case .saved(let bytes): bytes
        }
    }

    /// The commit, of the group it was made in; `nil` for one that cannot be read or is not allowed there.
    func read(in group: MarmotGroup) -> AllowedCommit? {
        switch self {
        case .made(let commit): return commit
        case .saved(let bytes):
            // Why it cannot be merged makes no difference to whoever would: what it is to change is made anew.
            guard let staged = try? StagedCommit(saved: bytes, of: group.mls) else { return nil }
            return try? AllowedCommit(staged, before: group.roster, profile: group.profile)
        }
    }
}
