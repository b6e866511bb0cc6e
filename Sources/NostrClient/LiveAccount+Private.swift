internal import Marmot
public import NostrCore
internal import NostrNIPs
internal import NostrStore

/// What only the account's owner has, as screens reach it.
extension LiveAccount {
    public nonisolated var lists: (any ListKeeping)? { canSign ? services.lists : nil }

    public nonisolated var history: (any VersionHistory)? {
        History(services)
    }

    public nonisolated var messages: (any Messaging)? { unlocked?.service(DirectMessages.self) }

    public nonisolated var drafts: (any DraftKeeping)? { unlocked?.service(Drafts.self) }

    public func messagingState() async -> MessagingState? {
        guard canSign else { return nil }
        let unread = await unlocked?.service(DirectMessages.self)?.unread()
        let vault: MessagingState.Vault =
            switch lifetime.vault {
            case .locked: .locked
            case .opening: .opening
            case .open: unread == nil ? .opening : .open
            case .damaged: .damaged
            }
        return MessagingState(
            vault: vault, inbox: gossip.inbox, caughtUp: await services.inbox.caughtUp, rejected: await services.inbox.rejected,
            unread: unread?.known ?? 0, unreadRequests: unread?.requests ?? 0)
    }

    public func setInbox(_ relays: [RelayURL]) async throws -> Event {
        try await InboxList(services).set(relays)
    }

    /// What this or another program of the person keeps under a name (NIP-78, kind 30078), decrypted; `nil` without one.
    public func appData(_ identifier: String) async throws -> String? { try await services.lists.appData(identifier) }

    /// Keeps something under a name on the account's own relays, encrypted.
    public func setAppData(_ identifier: String, _ text: String) async throws -> Event {
        try await services.lists.setAppData(identifier, text)
    }

    /// Puts a relay on, or takes it off, the list of relays that are never contacted (NIP-51, kind 10006).
    public func setBlocked(_ relay: RelayURL, _ blocked: Bool) async throws -> Event {
        try await services.lists.setBlocked(relay, blocked)
    }
}

// MARK: - For circles, until they are a target of their own

extension LiveAccount {
    nonisolated var mail: (any RumorMail)? { unlocked?.context.mail }

    nonisolated var mailRelays: [RelayURL] { services.inbox.routes.own }

    nonisolated func persons(_ keys: Set<PublicKey>) async throws -> [PublicKey: Person] {
        try await services.people.persons(keys)
    }

    nonisolated func sendGift(
        _ rumor: Rumor, to recipient: PublicKey, clearing: [RecordChange], besides relays: [RelayURL] = []
    ) async throws {
        guard let mail else { throw MessagingError.locked }
        try await mail.send(rumor, to: recipient, clearing: clearing, besides: relays)
    }

    func observeCircleMail() async {
        await mail?.observe([.welcome, JoinRequest.kind]) { [weak self] in try await self?.takeCircleMail() }
    }
}
