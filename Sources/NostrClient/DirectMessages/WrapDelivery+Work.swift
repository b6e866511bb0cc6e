internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay

/// More work (NIP-13) for wraps that strict relays would not take.
///
/// Where somebody receives is often found only after a message was wrapped, and not every relay says what it asks for.
/// The key of a wrap is kept until then, so that the wrap is made again without the account's own key.
extension WrapDelivery {
    /// How many bits more are tried where a relay does not say how many it wants.
    private static let step = 4

    /// Puts in what the inbox relays of a route ask for by their own word.
    ///
    /// - Returns: the id of the wrap as it is now.
    func meetDemand(of route: InboxRoutes.Route, for id: EventID) async -> EventID {
        guard route.basis == .inbox, !route.relays.isEmpty, outgoing.wrap(id)?.key != nil else { return id }
        let bits = await context.network.requiredWork(
            at: Set(route.relays), deadline: GiftWrapper.askingDeadline)
        return await raise(id, to: bits) ?? id
    }

    /// After a relay refused a wrap for want of work: puts more into it, as far as that takes seconds.
    ///
    /// - Returns: whether the wrap was replaced, and goes out again.
    func didWork(after outcome: PublishOutcome, of offer: PublishQueue.Offer) async -> Bool {
        guard case .rejected(let reason) = outcome, reason.prefix == .pow else { return false }
        let done = ProofOfWork(offer.event).committedTarget ?? 0
        let said = await context.network.requiredWork(at: [offer.relay], deadline: GiftWrapper.askingDeadline)
        // It was refused with what the relay says of itself: then its answer counts.
        let bits = said > done ? said : reason.text.demandedBits(above: done) ?? done + Self.step
        // Stopped in the midst of it, it still lies on disk as it was, and is offered again after the restart.
        return await raise(offer.event.id, to: bits) != nil || Task.isCancelled
    }

    /// Puts work into a wrap, and the new one in its place.
    ///
    /// - Returns: the id of the new one; `nil` where the wrap has the work, or it would take minutes.
    private func raise(_ id: EventID, to bits: Int) async -> EventID? {
        guard 1...GiftWrapper.mostRequired ~= bits, let wrap = outgoing.wrap(id), let key = wrap.key,
            !ProofOfWork(wrap.delivery.event).meets(bits, commitmentRequired: true), atWork.insert(id).inserted
        else { return nil }
        defer { atWork.remove(id) }
        var random = context.random.generator
        let worked: Event
        do {
            worked = try await GiftWrap.rework(wrap.delivery.event, under: key, using: &random) { draft, author in
                try await ProofOfWork.mine(draft, author: author, bits: bits)
            }
        } catch {
            // Cancelled, or there is no such nonce: the wrap stays as it was.
            return nil
        }
        guard let new = outgoing.replace(id, with: worked, now: context.time.now()) else { return nil }
        replaced[id] = .some(new.rumor)
        superseded.insert(id)
        await settle(new)
        return worked.id
    }
}

extension String {
    /// How many bits a refusal names, such as `28 bits needed` or `difficulty 12 is less than 20`: the most of those above
    /// what was done.
    func demandedBits(above done: Int) -> Int? {
        split { !$0.isASCII || !$0.isNumber }.prefix(8).compactMap { Int($0) }.filter { $0 > done && $0 <= 64 }.max()
    }
}
