internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrSigner

/// Makes gift wraps (NIP-59): a seal by the account's signer, in a wrap by a key that is used once.
struct GiftWrapper: Sendable {
    let context: AccountContext
    let signer: any EventSigner
    let routes: InboxRoutes
    /// How much work goes into what is published.
    let mining: Mining

    /// Wraps a rumor for one person.
    func wrap(_ rumor: Rumor, for recipient: PublicKey, expiration: Timestamp?) async throws -> Event {
        let payload = try await signer.encrypt(try rumor.sealable(), for: recipient, by: .nip44)
        let now = context.time.now()
        // A generator of its own for each: what is passed across a wait holds no lock.
        var random = context.random.generator
        let seal = try await signer.sign(Seal.draft(payload, now: now, expiration: expiration, using: &random))
        let bits = try await mining.policy().wraps
        guard bits > 0 else {
            return try GiftWrap.wrap(seal, for: recipient, now: now, expiration: expiration, using: &random)
        }
        return try await GiftWrap.wrap(
            seal, for: recipient, now: now, expiration: expiration, using: &random
        ) { draft, author in try await ProofOfWork.mine(draft, author: author, bits: bits) }
    }

    /// A wrap, or a request to delete wraps, on its way to one person.
    func outgoing(
        _ event: Event, of rumor: EventID?, in room: ChatRoom?, to recipient: PublicKey, _ route: InboxRoutes.Route
    ) -> OutgoingWrap {
        let now = context.time.now()
        // Where somebody receives is looked up, again after a while; until then a wrap waits rather than lie on relays
        // that everybody reads, when there may be an inbox list.
        let wasAsked = routes.wasAsked(about: recipient)
        let isSettled = recipient == context.publicKey && route.basis == .inbox
        let relays = route.basis == .inbox || wasAsked ? route.relays : []
        let mustAsk = !isSettled && (!wasAsked || relays.isEmpty)
        var delivery = Delivery(event: event, queuedAt: now, strangers: mustAsk ? [recipient] : [])
        delivery.add(relays.map { Destination(relay: $0, purpose: .readOf(recipient)) }, now: now)
        return OutgoingWrap(delivery: delivery, rumor: rumor, room: room, recipient: recipient, basis: route.basis)
    }
}
