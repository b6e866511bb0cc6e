package import NostrCore
package import NostrNIPs
package import NostrStore

/// Rumors that are no messages, in and out through gift wraps: for services of targets above.
package protocol RumorMail: Sendable {
    /// The relays the account's own wraps are read from.
    var ownRelays: [RelayURL] { get }
    /// Whether a list of this person says where they read; it is looked for if none is known.
    func isListed(_ person: PublicKey) async throws -> Bool
    /// Wraps a rumor for one person, and lets the outbox offer it; durable before it returns.
    ///
    /// - Parameters:
    ///   - clearing: becomes durable with it.
    ///   - relays: where the recipient said they read, besides what their lists say.
    func send(
        _ rumor: Rumor, to recipient: PublicKey, clearing: [RecordChange], besides relays: [RelayURL]) async throws
    /// The rumors of some kinds that came, the oldest first, each with the change that takes it out.
    func rumors(of kinds: Set<Kind>) async throws -> [(rumor: Rumor, removal: RecordChange)]
    /// The change that takes one out was made.
    func rumorWasRemoved() async
    /// Has a service told, from now on until the account is locked, that rumors of some kinds have come.
    func observe(_ kinds: Set<Kind>, _ tell: @escaping @Sendable () -> Void) async
    /// How many wraps of such rumors no relay has taken yet.
    func waiting() async -> Int
}
