internal import NostrNIPs

/// How it stands with a signer that is elsewhere.
public enum RemoteSignerState: Hashable, Sendable {
    /// Nothing was heard of it yet.
    case connecting
    /// It answers.
    case ready
    /// It was asked a while ago and has not answered: maybe it is asking its person.
    case waiting
    /// It wants its person to open a page first; the address was checked to be `http` or `https`.
    case waitingForApproval(page: String)
    /// No relay leads to it, or it has not answered in time; it is asked again now and then.
    case unreachable
    /// It is no longer used here: locked, logged out, or gone with its account.
    case ended
}

/// How long a signer elsewhere is waited for.
public struct RemotePatience: Hashable, Sendable {
    /// For what needs the key: a person may have to say yes.
    public var usingKey: Duration = .seconds(120)
    /// For everything else, such as `ping`.
    public var harmless: Duration = .seconds(20)
    /// For pairing: a person has to find the other program first.
    public var pairing: Duration = .seconds(120)
    /// From when the signer sent the person to a page.
    public var approval: Duration = .seconds(300)
    /// For a relay that takes the request; without any, the signer was not asked.
    public var relays: Duration = .seconds(30)
    /// After how long without an answer a request is sent again; doubles each time.
    public var resend: Duration = .seconds(4)
    /// The longest pause between two of them.
    public var slowestResend: Duration = .seconds(30)
    /// From when on a person is told that the signer is waited for.
    public var silence: Duration = .seconds(3)

    /// The defaults.
    public init() {}

    /// How long an answer to a method is waited for.
    func limit(of method: RemoteMethod) -> Duration {
        if method == .connect { return pairing }
        return method.usesKey ? usingKey : harmless
    }
}
