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
    /// We lost step: an admin must remove and add us.
    case outOfStep = 9
    /// We are in step again.
    case backInStep
    /// Events came that nothing opens: junk of strangers, or somebody lost step, here or among the others.
    ///
    /// Nothing stops for it; where others' lines are missing, an admin must remove and add whoever lost step.
    case unread
}
