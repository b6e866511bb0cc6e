internal import NostrCore

extension FeedChoice {
    /// Reads what a person wrote: `#topic`, or the address of a relay, whose scheme may be left out.
    public init?(written text: String) {
        let text = text.trimmingSpace()
        if text.hasPrefix("#") {
            guard let topic = Self.topic(String(text.dropFirst())) else { return nil }
            self = .topic(topic)
        } else if let relay = OwnRelaysEditor.relay(text) {
            self = .relay(relay)
        } else {
            return nil
        }
    }
}
