public import MLS
public import NostrCore
public import NostrNIPs

/// One member's view of a Marmot group, as a value: events in, events out.
///
/// Every verb that changes it leaves it as it was when it throws. A commit, our own or another's, is first an
/// ``AllowedCommit`` that the caller merges once it is known to count. Source: MIP-03.
public struct MarmotGroup: Sendable {
    /// The generation the group is of.
    public let profile: any MarmotProfile
    /// The group for MLS.
    public private(set) var mls: Group
    /// The keys of its recent events.
    public private(set) var keyring: EpochKeyring
    /// Who is in it.
    public private(set) var roster: Roster

    /// A group that MLS is in; the keys of epochs before this one are not known.
    ///
    /// - Throws: what ``Roster/init(_:_:_:)`` throws.
    public init(_ group: Group, profile: any MarmotProfile) throws(MarmotError) {
        let roster = try Roster(group.context, group.members, profile)
        keyring = EpochKeyring(try EpochKeys(of: group, roster.data))
        (self.profile, mls, self.roster) = (profile, group, roster)
    }

    init(_ group: Group, keyring: EpochKeyring, profile: any MarmotProfile) throws(MarmotError) {
        roster = try Roster(group.context, group.members, profile)
        (self.profile, mls, self.keyring) = (profile, group, keyring)
    }

    /// Who we are.
    public var ownKey: PublicKey? { roster.members[mls.ownIndex] }

    // MARK: - Reading

    /// Reads an event of the group.
    ///
    /// One that is ``GroupEvent/unripe(_:)`` is kept by the caller and read again, in any number and order.
    ///
    /// - Throws: what ``MarmotProfile/open(_:with:now:)``, ``GroupMessage/init(_:)`` and
    ///   ``AllowedCommit/init(_:before:profile:)`` throw; `refusedByMLS` with what MLS says.
    public mutating func read(_ event: Event, now: Timestamp) throws(MarmotError) -> GroupEvent {
        let opened = try profile.open(event, with: keyring, now: now)
        var next = mls
        let received: Received
        do { received = try next.process(opened.message) } catch {
            switch error.code {
            case .tooManyProposals: return .unripe(.proposal)
            case .missingProposal:
                try throughMLS("MLS refuses the commit.") { () throws(MLSError) in
                    try mls.keepRoom(forProposalsOf: opened.message)
                }
                return .unripe(.commit)
            default: throw MarmotError(.refusedByMLS, "MLS refuses the message.", cause: error)
            }
        }
        let result: GroupEvent
        switch received {
        case .application(let message): result = .message(try GroupMessage(message))
        case .proposal(let proposal, let sender, _):
            result = .proposal(
                proposal, from: sender, roster.handling(of: proposal, from: sender, by: mls.ownIndex))
        case .commit(let staged):
            result = .commit(try AllowedCommit(staged, before: roster, profile: profile))
        }
        mls = next
        return result
    }

    // MARK: - Sending

    /// Says something to the group.
    ///
    /// - Parameters:
    ///   - draft: what is said; no tag of it names a group.
    ///   - expiration: when relays may drop the event (NIP-40); sooner where the group's messages disappear.
    public mutating func send(
        _ draft: EventDraft, now: Timestamp, expiration: Timestamp? = nil,
        using random: inout some RandomNumberGenerator
    ) throws(MarmotError) -> (event: Event, rumor: Rumor) {
        let rumor = Rumor(draft, author: try requireOwnKey())
        let data = try GroupMessage.encode(rumor)
        var next = mls
        let message = try throughMLS("The message cannot be encrypted.") { () throws(MLSError) in
            try next.encrypt(data)
        }
        let event = try seal(message, now: now, expiration: end(of: rumor, expiration), using: &random)
        mls = next
        return (event, rumor)
    }

    /// Asks the others to let us go; we are a member until one of them commits it.
    ///
    /// - Throws: `adminMustStepDown`.
    public mutating func leave(
        now: Timestamp, using random: inout some RandomNumberGenerator
    ) throws(MarmotError) -> Event {
        guard !roster.isAdmin(at: mls.ownIndex) else {
            throw MarmotError(.adminMustStepDown, "An admin steps down before leaving.")
        }
        let proposal: Proposal =
            roster.requiresSelfRemove ? .custom(.selfRemove, body: nil) : .remove(mls.ownIndex)
        var next = mls
        let message = try throughMLS("Leaving cannot be proposed.") { () throws(MLSError) in
            try next.propose(proposal)
        }
        let event = try seal(message, now: now, using: &random)
        mls = next
        return event
    }

    /// Commits changes of our own, and lets go who wants to leave.
    ///
    /// Every commit renews our keys for encryption, one without changes our key for signatures too, as MIP-00 wants it
    /// renewed from time to time. Everybody, ourselves too, knows us by the new one once the commit is merged.
    ///
    /// Publish the event, know it to be on a relay, then merge, then send the Welcomes: in this order nobody is let into
    /// a group that the others do not have.
    ///
    /// - Parameters:
    ///   - changes: none for fresh keys of our own.
    ///   - withLeaving: whether proposals to leave are committed too.
    ///   - published: a key package of ours that is on relays, for a commit without changes: its key for signatures
    ///     becomes that of our leaf, so that members who did not see us come can tell that the leaf is ours. Nil for a
    ///     key that nobody has seen.
    /// - Throws: what ``AllowedCommit/init(_:before:profile:)`` throws; `refusedByMLS`.
    public mutating func commit(
        _ changes: [Proposal] = [], withLeaving: Bool = true, published: OwnKeyPackage? = nil, now: Timestamp,
        using random: inout some RandomNumberGenerator
    ) throws(MarmotError) -> OwnGroupCommit {
        var next = mls
        let own = try throughMLS("The change cannot be committed.") { () throws(MLSError) in
            let renewed = changes.isEmpty ? try renewedSigner(published) : nil
            return try next.commit(changes, withPending: withLeaving, signer: renewed)
        }
        let allowed = try AllowedCommit(own.staged, before: roster, profile: profile)
        let event = try seal(own.message, now: now, using: &random)
        mls = next
        return OwnGroupCommit(event: event, welcome: own.welcome, commit: allowed)
    }

    /// Our next key for signatures; nil to keep the one we have, where that is the published one.
    private func renewedSigner(_ published: OwnKeyPackage?) throws(MLSError) -> SignaturePrivateKey? {
        guard let published, published.keyPackage.cipherSuite == mls.context.cipherSuite else {
            return try SignaturePrivateKey(for: mls.context.cipherSuite)
        }
        return published.signer.publicKey == roster.signatureKeys[mls.ownIndex] ? nil : published.signer
    }

    /// Enters the epoch after a commit.
    ///
    /// - Throws: `refusedByMLS` if it was made on another epoch, or if it removes us.
    public mutating func merge(_ commit: AllowedCommit) throws(MarmotError) {
        var next = mls
        try throughMLS("The commit cannot be merged.") { () throws(MLSError) in try next.merge(commit.staged) }
        keyring.enter(try EpochKeys(of: next, commit.after.data))
        (mls, roster) = (next, commit.after)
    }

    private func seal(
        _ message: MLSMessage, now: Timestamp, expiration: Timestamp? = nil,
        using random: inout some RandomNumberGenerator
    ) throws(MarmotError) -> Event {
        guard let keys = keyring.current else { throw MarmotError(.undecryptable, "There is no key to send with.") }
        return try profile.seal(message, under: keys, now: now, expiration: expiration, using: &random)
    }

    private func end(of rumor: Rumor, _ expiration: Timestamp?) -> Timestamp? {
        guard let disappearance = roster.data.disappearance else { return expiration }
        return min(expiration ?? .init(seconds: .max), rumor.createdAt + disappearance)
    }

    private func requireOwnKey() throws(MarmotError) -> PublicKey {
        guard let ownKey else { throw MarmotError(.wrongAuthor, "We are not in the group.") }
        return ownKey
    }
}

/// What came out of an event.
public enum GroupEvent: Sendable {
    /// A member said something.
    case message(GroupMessage)
    /// A member asks for a change.
    case proposal(Proposal, from: Sender, ProposalHandling)
    /// The group goes on to its next epoch, once this is merged.
    case commit(AllowedCommit)
    /// It can be read only after something else.
    case unripe(Unripe)

    /// What cannot be read yet.
    public enum Unripe: Hashable, Sendable {
        /// A commit that names proposals that were not read; the group has room for them now.
        case commit
        /// A proposal of somebody of whom as many wait as are kept; it is read once a commit names it.
        case proposal
    }
}

/// A commit of our own.
public struct OwnGroupCommit: Sendable {
    /// For the group's relays.
    public let event: Event
    /// For those it adds.
    public let welcome: Welcome?
    /// To be merged once the event is on a relay.
    public let commit: AllowedCommit
}
