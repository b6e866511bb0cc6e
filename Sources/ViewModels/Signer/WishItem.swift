internal import NostrCore
internal import NostrNIPs
internal import NostrSigner

/// Something an app would like to be allowed.
public struct WishItem: Hashable, Sendable {
    /// As it is written: `sign_event:1`.
    public let word: String
    /// What it lets the app do, as the end of "may …".
    public let title: String
    /// Whether it is about something protected or private, so that nobody should allow it by the way.
    public let isDelicate: Bool
    /// Whether it is ticked beforehand: never a signature, and never the reading of what is private.
    public let isTicked: Bool
    /// Whether it can be allowed here; a login is allowed when it is asked for, for its relay or site alone.
    public let canBeTicked: Bool

    init(_ permission: RemotePermission, protected: Set<Kind>) {
        word = permission.text
        title = permission.words
        isDelicate = permission.isDelicate(protected: protected)
        isTicked = permission.isGivenByDefault
        canBeTicked = !permission.needsAudience
    }
}
