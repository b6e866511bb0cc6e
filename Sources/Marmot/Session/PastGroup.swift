internal import MLS

/// A group as it was in a past epoch.
///
/// After a start it stays bytes until somebody asks for that epoch: few past epochs are ever gone back to, and to read
/// all of every group would be most of the time that a start takes.
enum PastGroup: Sendable {
    /// With what knows our other groups.
    case saved([UInt8], policy: any GroupPolicy)
    case read(MarmotGroup)

    /// What is to be stored of it.
    var saved: [UInt8] {
        switch self {
        case .saved(let bytes, _): bytes
        case .read(let group): group.saved
        }
    }
}

extension GroupSession {
    /// The group as it was in a past epoch; nil if that is not kept, or is damaged.
    mutating func snapshot(of epoch: UInt64) -> MarmotGroup? {
        switch snapshots[epoch] {
        case nil: return nil
        case .read(let group): return group
        case .saved(let bytes, let policy):
            // One that cannot be read serves as much as one that is not there.
            guard let past = try? MarmotGroup(saved: bytes, profile: group.profile, policy: policy),
                past.mls.epoch == epoch
            else { return nil }
            snapshots[epoch] = .read(past)
            return past
        }
    }
}
