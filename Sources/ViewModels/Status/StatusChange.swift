public import NostrClient
public import NostrCore
internal import NostrNIPs

/// What the account's owner is doing now (NIP-38), as it was filled in.
public struct StatusChange: Equatable, Sendable {
    /// The text; empty to clear the status.
    public let text: String
    /// A link that goes with it; empty for none.
    public let link: String
    /// How long it holds.
    public let span: StatusSpan
    /// Whether it is about what they listen to.
    public let isMusic: Bool

    /// What a form says.
    public init(text: String, link: String = "", span: StatusSpan = .open, isMusic: Bool = false) {
        self.isMusic = isMusic
        self.text = text
        self.link = link
        self.span = span
    }

    /// Publishes it.
    ///
    /// - Throws: a ``Trouble`` also for a text that holds a secret key, and for a link that is none.
    @discardableResult
    public func publish(of account: any Account, now: Timestamp) async throws(Trouble) -> Event {
        try await troubled {
            let lists = try openLists(account)
            let words = oneLine(text, limit: 140)
            guard !holdsSecretKey(words) else { throw Trouble(StatusWords.secretKey) }
            let address = link.trimmingSpace()
            let target = webAddress(address)
            guard address.isEmpty || target != nil else { throw Trouble(StatusWords.noLink) }
            return try await lists.setStatus(
                words, type: isMusic ? UserStatus.music : UserStatus.general,
                link: words.isEmpty ? nil : target,
                expires: words.isEmpty ? nil : span.duration.map { now + $0 })
        }
    }
}
