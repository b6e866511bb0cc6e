/// How long a status (NIP-38) is to last.
public enum StatusSpan: String, CaseIterable, Sendable {
    case hour, day
    /// Until it is changed.
    case open

    /// Its length; `nil` for one without an end.
    public var duration: Duration? {
        switch self {
        case .hour: .seconds(3600)
        case .day: .seconds(86_400)
        case .open: nil
        }
    }

    /// What it is called in a choice.
    public var label: String {
        switch self {
        case .hour: StatusWords.forAnHour
        case .day: StatusWords.forADay
        case .open: StatusWords.untilChanged
        }
    }
}
