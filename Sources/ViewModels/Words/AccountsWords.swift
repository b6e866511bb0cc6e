extension AccountSummary.Custody {
    /// How the account is kept, in as few words as fit beside a name.
    public var words: String {
        switch self {
        case .key: "your key"
        case .elsewhere: "signer elsewhere"
        case .browser: "key in the browser"
        case .readOnly: "read-only"
        case .demo: "demo"
        }
    }
}
