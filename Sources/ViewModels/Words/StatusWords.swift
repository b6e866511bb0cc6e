extension StatusSpan {
    /// What it is called in a choice.
    public var label: String {
        switch self {
        case .hour: "for an hour"
        case .day: "for a day"
        case .open: "until I change it"
        }
    }
}
