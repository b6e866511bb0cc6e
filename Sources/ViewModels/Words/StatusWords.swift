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

enum StatusWords {
    static let secretKey = "This holds a secret key. Take it out."
    static let noLink = "The link begins with https://."
}
