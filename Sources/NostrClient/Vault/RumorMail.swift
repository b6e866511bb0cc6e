package import AsyncPrimitives
package import NostrCore
package import NostrNIPs
package import NostrStore

/// Gift wraps that carry no message for a conversation, such as Welcomes and requests to join a circle.
///
/// Sending is durable before it returns; what came rests sealed until the change that removes it is applied.
package protocol RumorMail: AnyObject, Sendable {
    /// Where wraps addressed to us are looked for.
    func ownRelays() async -> [RelayURL]

    /// Whether a list of this person says where they read; it is looked for if none is known.
    func isListed(_ person: PublicKey) async throws -> Bool

    /// Wraps a rumor for one person and offers it until a relay takes it.
    ///
    /// - Parameters:
    ///   - changes: become durable with it.
    ///   - relays: where the recipient said they read, besides what their lists say.
    func send(_ rumor: Rumor, to recipient: PublicKey, with changes: [RecordChange], besides relays: [RelayURL])
        async throws

    /// The rumors of some kinds that came and wait, each with the change that removes it.
    func received(of kinds: Set<Kind>) async throws -> [(rumor: Rumor, removal: RecordChange)]

    /// One of them was removed.
    func wasRemoved() async

    /// How many wraps of this kind no relay has taken.
    func undeliveredCount() async -> Int

    /// Rings when such a rumor came.
    var arrivals: Doorbell { get }
}
