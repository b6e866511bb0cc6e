internal import AsyncPrimitives
public import NostrCore
internal import NostrNIPs

/// The account's own profile (kind 0).
public struct Profile: Sendable {
    private let replaceable: ReplaceableEvents
    private let publishing: Publishing
    private let context: AccountContext

    init(_ context: AccountContext, replaceable: ReplaceableEvents, publishing: Publishing) {
        self.context = context
        self.replaceable = replaceable
        self.publishing = publishing
    }

    /// Changes fields of the profile, keeping fields Linnet does not know.
    ///
    /// - Throws: ``AccountError``; nothing has changed then.
    public func update(_ fields: [String: String]) async throws -> Event {
        try await replaceable.change {
            let newest = try await replaceable.newest(ProfileMetadata.kind)
            guard var profile = newest.map(ProfileMetadata.init) ?? ProfileMetadata() else {
                throw AccountError(.unreadable, of: ProfileMetadata.kind)
            }
            for (name, value) in fields { profile[name] = value }
            return try await publishing.send(profile.draft(now: context.time.now()))
        }
    }
}
