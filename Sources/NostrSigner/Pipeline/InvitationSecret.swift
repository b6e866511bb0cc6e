/// The secret that lets the next app in, and how far that app is trusted then.
struct InvitationSecret: Hashable, Sendable {
    /// As the token has it.
    let text: String
    /// How far whoever comes with it is trusted.
    let trust: TrustLevel

    init(_ text: String, trust: TrustLevel) {
        self.text = text
        self.trust = trust
    }

    /// Reads it as it rests, before it is sealed.
    init(resting: String) {
        let parts = resting.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let trust = TrustLevel(rawValue: String(parts[1])) else {
            // As it rested before a token said how far; then it was always this.
            self.init(resting, trust: .medium)
            return
        }
        self.init(String(parts[0]), trust: trust)
    }

    /// As it rests, before it is sealed: the secret, and the trust behind it where it is not medium.
    var resting: String { trust == .medium ? text : "\(text) \(trust.rawValue)" }
}
