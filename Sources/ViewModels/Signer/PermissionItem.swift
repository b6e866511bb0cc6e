public import NostrCore
internal import NostrNIPs
internal import NostrSigner

/// One permission of an app, as its page shows it.
public struct PermissionItem: Hashable, Sendable, Identifiable {
    /// What becomes of a request for it now.
    public enum Standing: String, Hashable, Sendable {
        case allowed, asked, refused

        /// The same for a person.
        public var words: String {
            switch self {
            case .allowed: SignerWords.allowed
            case .asked: SignerWords.asked
            case .refused: SignerWords.refused
            }
        }
    }

    /// As it is written: `sign_event:1`.
    public let word: String
    /// What it lets the app do, as the end of "may …".
    public let title: String
    /// What becomes of a request for it now.
    public let standing: Standing
    /// Whether that is a choice of its own, not the app's trust.
    public let isChosen: Bool
    /// Until when the choice holds; `nil` for always.
    public let expires: Timestamp?
    /// Whether the choice has run out.
    public let isExpired: Bool
    /// How often per hour it is given at once.
    public let perHour: Int?
    /// Whether the app asked for it when it was paired.
    public let isRequested: Bool
    /// Whether the app asked for it and does not have it.
    public var isMoreThanGranted: Bool { isRequested && standing != .allowed && !isAskedByPlace }

    /// Whether it is allowed for one relay or site at a time, when it is asked for.
    public let isAskedByPlace: Bool

    /// Whether the app asked for it and has it by a choice of its own.
    public var isGiven: Bool { isChosen && isRequested && standing == .allowed }

    public var id: String { word }
}

/// The choices made for an app, and what it asked for beside them.
func permissionItems(of client: SignerClient, _ settings: SignerSettings, at now: Timestamp) -> [PermissionItem] {
    let chosen = client.grants.map { grant in
        PermissionItem(
            word: grant.text, title: grant.permission.words + (grant.audience.map { SignerWords.at($0.text) } ?? ""),
            standing: standing(of: grant.permission, for: grant.audience, client, settings, now), isChosen: true,
            expires: grant.expires,
            isExpired: grant.expires.map { $0 <= now } ?? false, perHour: grant.perHour,
            isRequested: client.requested.contains { $0.covers(grant.permission) },
            isAskedByPlace: grant.permission.needsAudience && grant.audience == nil)
    }
    let other = client.requested.filter { wish in
        wish.method.usesKey && !client.grants.contains { $0.permission == wish && $0.audience == nil }
    }
    return chosen
        + other.map { wish in
            PermissionItem(
                word: wish.text, title: wish.words, standing: standing(of: wish, client, settings, now),
                isChosen: false, expires: nil, isExpired: false, perHour: nil, isRequested: true,
                isAskedByPlace: wish.needsAudience)
        }
}

/// What becomes of a request for a permission where no limit is reached.
private func standing(
    of permission: RemotePermission, for audience: Audience? = nil, _ client: SignerClient, _ settings: SignerSettings,
    _ now: Timestamp
) -> PermissionItem.Standing {
    var client = client
    (client.perHour, client.hours) = (nil, nil)
    var settings = settings
    // A pause ends; what the app may then is what its page is about.
    settings.isPaused = false
    return switch Policy(settings: settings, client: client, now: now, minute: 0).decide(permission, for: audience) {
    case .allow: .allowed
    case .refuse: .refused
    case .ask: .asked
    }
}
