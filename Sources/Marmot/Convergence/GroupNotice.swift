/// What a person is to be told of a group that does not go on as it should.
public enum GroupNotice: UInt8, Hashable, Sendable {
    /// All relays refused our change; it was not made.
    case commitRefused = 1
    /// No relay said in time that it took our change; it counts if it turns up.
    case commitNotAccepted
    /// No relay gave our change back in time; it counts if it turns up.
    case commitNotFound
    /// Our change could not be merged.
    case commitNotMerged
    /// Somebody's change came first; ours is made once more.
    case commitOvertaken
    /// We are not a member any more.
    case removed
    /// Relays do not answer.
    case relaysSilent
    /// What others send cannot be read, here or by them: an admin must remove and add whoever lost step.
    ///
    /// All at one place of a group that split are told the same, whomever each of them heard last. Who it is that lost
    /// step shows in ``GroupSession/isOutOfStep``, as far as it can be known.
    case outOfStep = 9
    /// We are in step again.
    case backInStep
}
