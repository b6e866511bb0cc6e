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

    /// The most work that is done because a relay asks for it, in bits: some seconds of one processor.
    static let mostRequired = 24
    /// How long a relay may take to say how much it asks for.
    static let askingDeadline: Duration = .seconds(3)

    /// Wraps a rumor for one person.
    ///
    /// - Parameters:
    ///   - route: where it goes: inbox relays that ask for more work than the account does unasked get it.
    ///   - key: signs the wrap; where more work is asked for later, it signs again.
    func wrap(
        _ rumor: Rumor, for recipient: PublicKey, by route: InboxRoutes.Route, expiration: Timestamp?,
        under key: WrapKey
    ) async throws -> Event {
        let payload = try await signer.encrypt(try rumor.sealable(), for: recipient, by: .nip44)
        let now = context.time.now()
        // A generator of its own for each: what is passed across a wait holds no lock.
        var random = context.random.generator
        let seal = try await signer.sign(Seal.draft(payload, now: now, expiration: expiration, using: &random))
        let bits = max(try await mining.policy().wraps, await required(by: route))
        return try await GiftWrap.wrap(
            seal, for: recipient, now: now, expiration: expiration, under: key, using: &random
        ) { draft, author in try await ProofOfWork.mine(draft, author: author, bits: bits) }
    }

    private func required(by route: InboxRoutes.Route) async -> Int {
        guard route.basis == .inbox, !route.relays.isEmpty else { return 0 }
        let bits = await context.network.requiredWork(at: Set(route.relays), deadline: Self.askingDeadline)
        // What takes minutes is left undone: that relay refuses, and the receipt says so.
        return bits > Self.mostRequired ? 0 : bits
    }

    /// A key for a wrap to one person.
    func key() -> WrapKey {
        var random = context.random.generator
        return WrapKey(using: &random)
    }

    /// A wrap, or a request to delete wraps, on its way to one person.
    ///
    /// - Parameter key: what signed a wrap, so that more work can go into it.
    func outgoing(
        _ event: Event, of rumor: EventID?, in room: ChatRoom?, to recipient: PublicKey, _ route: InboxRoutes.Route,
        under key: WrapKey? = nil
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
        var wrap = OutgoingWrap(delivery: delivery, rumor: rumor, room: room, recipient: recipient, basis: route.basis)
        // By the id of the own copy's wrap it is known again, and taken back; the own inbox is known before.
        if recipient != context.publicKey { wrap.key = key }
        return wrap
    }
}
