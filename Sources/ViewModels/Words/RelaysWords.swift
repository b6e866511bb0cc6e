extension RelayItem.Health {
    /// The state in a word or two.
    public var words: String {
        switch self {
        case .connected: "Connected"
        case .connecting: "Connecting"
        case .resting: "Resting"
        case .failing: "Failing"
        case .distrusted: "Not believed"
        case .blocked: "Blocked"
        }
    }
}
