public import NostrCore
public import NostrNIPs

/// What a person says to a request.
public enum RequestVerdict: Hashable, Sendable {
    /// Yes or no, this once.
    case once(allow: Bool)
    /// Yes or no, and the same from now on for this app and permission, maybe until a moment.
    case always(allow: Bool, until: Timestamp?)
    /// Yes to an app that wants to be paired, and from now on to these of what it asks for.
    case pair(granting: [RemotePermission], trust: TrustLevel)

    /// Whether it is a yes.
    public var allows: Bool {
        switch self {
        case .once(let allow), .always(let allow, _): allow
        case .pair: true
        }
    }

    /// What an app may from now on besides what is decided.
    var granted: [RemotePermission] {
        if case .pair(let permissions, _) = self { permissions } else { [] }
    }

    /// How far an app is trusted that is paired by this; low unless the person says otherwise.
    var trust: TrustLevel { if case .pair(_, let trust) = self { trust } else { .low } }
}
