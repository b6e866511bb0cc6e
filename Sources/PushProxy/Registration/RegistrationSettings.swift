public import AsyncPrimitives
public import NostrCore
public import NostrStore

/// What a push proxy's API takes, and how much.
public struct RegistrationSettings: Sendable {
    /// The address apps know this proxy by, as `https://host`, without a slash at the end; requests are signed for it.
    public var publicURL: String
    /// The relay that apps should use when they have a choice.
    public var publicRelay: RelayURL?
    /// How much one signer may keep.
    public var quota = PushQuota()
    /// The longest body of a request, in bytes.
    public var longestBody = 4096
    /// How many relays one pairing may name.
    public var relaysPerPairing = 10
    /// Requests from one network address.
    public var perAddress = TokenRate(burst: 30, refill: .seconds(1))
    /// Requests signed with one key.
    public var perKey = TokenRate(burst: 20, refill: .seconds(2))
    /// The proxies that stand before this.
    public var proxies = TrustedProxies()
    /// Whether relays and endpoints on this machine or a private network may be registered.
    public var allowsPrivateAddresses = false

    /// - Parameter publicURL: the address apps know this proxy by; they sign it with every request.
    public init(publicURL: String) {
        self.publicURL = publicURL
    }
}
