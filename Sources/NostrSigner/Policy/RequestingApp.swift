public import NostrCore
public import NostrNIPs

/// What asks for a signature: an app, known by what it cannot borrow from another app.
public enum RequestingApp: Hashable, Sendable {
    /// An app behind relays (NIP-46), known by its client key.
    case remote(PublicKey)
    /// An app that asks by links, known by where its answers go: see ``LinkCallback/destination``.
    case link(String)
    /// A link without a callback: whoever made it is unknown, so it is nobody in particular. Nothing is kept about it.
    case anonymousLink

    /// `remote:<hex>`, `link:<destination>` or `link:clipboard:`; stable, for files, URLs and commands.
    public var text: String {
        switch self {
        case .remote(let key): "remote:\(key.hex)"
        case .link(let destination): "link:\(destination)"
        case .anonymousLink: Self.anonymous
        }
    }

    /// Reads ``text``.
    public init?(_ text: some StringProtocol) {
        if text.hasPrefix("remote:"), let key = try? PublicKey(hex: String(text.dropFirst(7))) {
            self = .remote(key)
        } else if text == Self.anonymous {
            self = .anonymousLink
        } else if text.hasPrefix("link:"), text.utf8.count > 5 {
            self = .link(String(text.dropFirst(5)))
        } else {
            return nil
        }
    }

    private static let anonymous = "link:clipboard:"

    /// Whether it can be told from every other app, so that it can be paired and choices about it can be kept.
    public var isKnown: Bool { self != .anonymousLink }

    /// Whether its answers reach a server and its logs.
    public var answersReachServer: Bool {
        if case .link(let destination) = self { destination.hasPrefix("https://") } else { false }
    }

    /// The whole site that a link's answers go to, `link:https://host`, which is itself no app; `nil` for other apps.
    ///
    /// Choices were kept for whole sites once. Its refusals still hold for every path of it; see ``Policy/siteRefusals``.
    public var site: RequestingApp? {
        guard answersReachServer, !isWholeSite, case .link(let destination) = self else { return nil }
        return .link(String(destination.prefix(8) + destination.dropFirst(8).prefix { $0 != "/" }))
    }

    /// Whether it is a whole site, for which nothing but refusals is kept.
    public var isWholeSite: Bool {
        guard answersReachServer, case .link(let destination) = self else { return false }
        return !destination.dropFirst(8).contains("/")
    }

    /// Whether a yes to one request can also be a yes to later ones.
    ///
    /// Nobody in particular has no later ones, what was written in private goes to a server by a person's yes only, and
    /// a login is allowed for one place.
    ///
    /// - Parameter audience: the place that a login is for.
    public func canBeAllowedAlways(_ permission: RemotePermission, for audience: Audience?) -> Bool {
        isKnown && !(permission.method.reveals && answersReachServer)
            && (!permission.needsAudience || audience != nil)
    }
}
