/// Where something would stand; what is muted is left out of some places, and leaves a mark in others.
public enum MutePlace: Hashable, Sendable {
    /// A timeline, a search, a list of what is on now: the reader asked for none of it by name.
    case timeline
    /// What tells the reader that something happened.
    case notifications
    /// A conversation that was opened: what is missing would tear it apart.
    case conversation
    /// A note inside another.
    case quote
    /// A number: of replies, reactions, votes, payments.
    case counts
}

/// What becomes of one event in one place.
public enum MuteVerdict: Hashable, Sendable {
    /// It is shown.
    case shown
    /// A mark stands in its place, behind which it can be seen.
    case stub(MuteReason)
    /// It is as if it were not there.
    case dropped(MuteReason)

    /// Why it is not shown; `nil` for what is.
    public var reason: MuteReason? {
        switch self {
        case .shown: nil
        case .stub(let reason), .dropped(let reason): reason
        }
    }
}

extension MutePlace {
    /// What becomes of something here that a rule holds for.
    func verdict(_ reason: MuteReason) -> MuteVerdict {
        switch (self, reason) {
        case (.timeline, _), (.notifications, _), (.counts, .person), (.counts, .reposted): .dropped(reason)
        case (.conversation, _), (.quote, _): .stub(reason)
        // Who may be seen counts, whatever they said.
        case (.counts, _): .shown
        }
    }
}
