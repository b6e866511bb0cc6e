public import NostrCore
public import NostrNIPs

/// Publishing notes, as screens do; implemented by ``Publishing``.
public protocol NotePublishing: Sendable {
    /// Completes tags (NIP-10 or NIP-22 replies, mentions, hashtags, quotes, emoji), signs, queues on disk and publishes.
    func publish(_ composition: Composition) async throws -> Event
    /// Signs a note and holds it back until a moment; durable before it returns.
    func publish(_ composition: Composition, notBefore moment: Timestamp) async throws -> Event
    /// Gives up a held note; `false` when it is too late.
    func cancel(_ id: EventID) async throws -> Bool
    /// Lets a held note go now.
    func release(_ id: EventID) async throws
    /// Reacts (NIP-25); `+` is a like.
    func react(to id: EventID, with content: String) async throws -> Event
    /// Reposts (NIP-18).
    func repost(_ id: EventID) async throws -> Event
    /// Takes back every reaction of the account's own to a note (NIP-09).
    ///
    /// - Throws: ``AccountError`` of the code `unknownEvent` where there is none.
    func unreact(to id: EventID) async throws -> Event
    /// Takes back every repost of a note by the account (NIP-09); throws as ``unreact(to:)``.
    func unrepost(_ id: EventID) async throws -> Event
    /// Reports a note and its author (NIP-56), in public.
    func report(_ id: EventID, for reason: Report.Reason, text: String) async throws -> Event
    /// Reports a person, whatever they wrote (NIP-56), in public.
    func report(person key: PublicKey, for reason: Report.Reason, text: String) async throws -> Event
    /// Asks relays to delete events of the account's own (NIP-09).
    func delete(_ ids: [EventID]) async throws -> Event
    /// Where an event of the account's own was offered and what each relay said.
    func receipts(for id: EventID) async throws -> [PublishReceipt]
}

extension Publishing: NotePublishing {}

/// How much work (NIP-13) goes into what is published, and ending it; implemented by ``Mining``.
public protocol WorkControl: Sendable {
    /// How much work goes into what the account publishes.
    func policy() async throws -> WorkPolicy
    /// Changes that from now on, durably.
    func setPolicy(_ policy: WorkPolicy) async throws
    /// Work being put into an event right now; publishing waits for it.
    func inProgress() async -> WorkInProgress?
    /// Ends the work in progress: what waits for it is published without.
    func skip() async
}

extension Mining: WorkControl {}
