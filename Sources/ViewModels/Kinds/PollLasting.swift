internal import NostrCore

/// How long a poll lasts.
public enum PollLasting: String, Hashable, Sendable, CaseIterable {
    case hour, day, threeDays, week, month, forever

    /// When a poll ends that begins now; `nil` for one without end.
    func end(after now: Timestamp) -> Timestamp? {
        let seconds: Int64? =
            switch self {
            case .hour: 3600
            case .day: 86_400
            case .threeDays: 3 * 86_400
            case .week: 7 * 86_400
            case .month: 30 * 86_400
            case .forever: nil
            }
        return seconds.map { now + .seconds($0) }
    }
}
