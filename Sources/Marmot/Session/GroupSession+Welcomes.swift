internal import MLS
public import NostrCore

/// By what one came into a group: the Welcome of whom, and of when.
public struct GroupEntry: Hashable, Sendable {
    /// Who let one in.
    public let inviter: PublicKey
    /// When they say they did.
    public let writtenAt: Timestamp

    /// A Welcome that was read before, by the facts that were kept of it.
    public init(inviter: PublicKey, writtenAt: Timestamp) { (self.inviter, self.writtenAt) = (inviter, writtenAt) }

    /// What a Welcome says of itself.
    public init(_ welcome: WelcomeRumor) { self.init(inviter: welcome.inviter, writtenAt: welcome.createdAt) }
}

/// What a Welcome is to who is in the group already.
public enum SecondWelcome: Hashable, Sendable {
    /// One comes in again by it.
    case enter
    /// It may lead to where the others are; ``GroupSession/isOvertaken(by:now:)`` tells, once something comes that does
    /// not open.
    case keep
    /// It is none of ours.
    case drop
}

extension GroupSession {
    /// What to do with a Welcome to a group we are in already.
    ///
    /// Two admins may let somebody in at once, and only one of their commits counts; whose does, the two Welcomes do not
    /// tell. An admin who lets the same person in twice has lost a race with the first, or mends what the person asked
    /// to be mended.
    ///
    /// - Parameter entry: by what one came in; nothing for who founded the group.
    public func judge(_ welcome: WelcomeRumor, enteredBy entry: GroupEntry?) -> SecondWelcome {
        guard group.roster.isAdmin(welcome.inviter), entry != GroupEntry(welcome) else { return .drop }
        let isNewer = entry.map { welcome.createdAt > $0.writtenAt } ?? true
        let isInStep = isMember && !convergence.state.isApart
        return isNewer && (!isInStep || entry?.inviter == welcome.inviter) ? .enter : .keep
    }

    /// Whether what waits here in vain opens in a group that another Welcome leads to: that is where the others are.
    public func isOvertaken(by other: MarmotGroup, now: Timestamp) -> Bool {
        guard !waiting.isEmpty, other.mls.groupID == group.mls.groupID else { return false }
        return waiting.values.contains { event in
            // That it does not open there either is an answer.
            (try? other.profile.open(event, with: other.keyring, now: now)) != nil
        }
    }
}
