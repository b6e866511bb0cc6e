internal import NostrCore
internal import NostrNIPs

/// Decides whether an event concerns an account, and how.
struct NotificationRules: Sendable {
    /// Whose account.
    let account: PublicKey
    /// What is here of what the events name.
    let targets: [EventID: Event]
    /// The payments of receipts that count.
    let payments: [EventID: Zap]
    /// What the account does not want to see.
    let mutes: Mutes
    /// The versions in force of what reposts name by its address alone, as far as they are here.
    var versions: [EventAddress: EventID] = [:]

    /// What an event says to the account; `nil` where it does not concern it, or is not to be seen.
    func notification(_ event: Event) -> AccountNotification? {
        guard event.pubkey != account, !mutes.hides(event) else { return nil }
        switch event.kind {
        case 1, 1111: return words(event)
        case 7: return about(Reaction(event)?.target, .reaction, event)
        case 6, 16: return repost(event)
        case ZapReceipt.kind: return payment(event)
        case PollResponse.kind: return vote(event)
        case LiveChatMessage.kind: return line(event)
        default: return nil
        }
    }

    /// What an event answers, quotes, reacts to, reposts, pays for or votes in: what ``targets`` should hold.
    static func namedEvents(_ event: Event) -> [EventID] {
        switch event.kind {
        case 1, 1111: [parent(of: event)?.id].compactMap(\.self) + event.quotedEvents.prefix(8).map(\.id)
        case 7: [Reaction(event)?.target.id].compactMap(\.self)
        case 6, 16: [Repost(event)?.target.id].compactMap(\.self)
        case ZapReceipt.kind: [firstNamed(event)].compactMap(\.self)
        case PollResponse.kind: [PollResponse(event)?.poll].compactMap(\.self)
        case LiveChatMessage.kind: [LiveChatMessage(event)?.replyTo].compactMap(\.self)
        default: []
        }
    }

    private func words(_ event: Event) -> AccountNotification? {
        if let parent = Self.parent(of: event), isMine(parent) {
            return AccountNotification(event, .reply, about: parent.id)
        }
        if event.kind == 1111, case .address(let pointer, let version)? = Comment(event)?.parent,
            pointer.address.author == account
        {
            return AccountNotification(event, .reply, about: version)
        }
        if let quoted = event.quotedEvents.prefix(8).first(where: isMine) {
            return AccountNotification(event, .quote, about: quoted.id)
        }
        let quotesAddress = event.tags.quotes.contains { quote in
            if case .address(let pointer) = quote { pointer.address.author == account } else { false }
        }
        if quotesAddress { return AccountNotification(event, .quote, about: nil) }
        return names(event) ? AccountNotification(event, .mention, about: nil) : nil
    }

    /// A line of a live stream's chat; where it answers somebody else, it concerns the account only by its name.
    private func line(_ event: Event) -> AccountNotification? {
        guard let line = LiveChatMessage(event) else { return nil }
        if let parent = line.replyTo, targets[parent]?.pubkey == account {
            return AccountNotification(event, .chat, about: parent)
        }
        return names(event) ? AccountNotification(event, .chat, about: nil) : nil
    }

    private func names(_ event: Event) -> Bool {
        event.tags.contains { $0.name == "p" && $0.publicKey(at: 1) == account }
    }

    private func about(
        _ target: EventPointer?, _ sort: AccountNotification.Sort, _ event: Event
    ) -> AccountNotification? {
        guard let target, isMine(target) else { return nil }
        return AccountNotification(event, sort, about: target.id)
    }

    /// A repost of an event, or of whatever version stands at an address; of the address, its author is in it.
    private func repost(_ event: Event) -> AccountNotification? {
        guard let address = AddressRepost(event)?.target.address else {
            return about(Repost(event)?.target, .repost, event)
        }
        guard address.author == account else { return nil }
        return AccountNotification(event, .repost, about: versions[address])
    }

    private func payment(_ receipt: Event) -> AccountNotification? {
        guard let zap = payments[receipt.id], zap.sender != account, !mutes.people.contains(zap.sender),
            !mutes.hides(text: zap.comment)
        else { return nil }
        return AccountNotification(receipt, .zap, about: Self.firstNamed(receipt), zap: zap)
    }

    private func vote(_ event: Event) -> AccountNotification? {
        // What the poll does not count is not told either.
        guard let response = PollResponse(event), let target = targets[response.poll], target.pubkey == account,
            let poll = Poll(target), !response.chosen(in: poll).isEmpty,
            poll.endsAt.map({ event.createdAt <= $0 }) ?? true
        else { return nil }
        return AccountNotification(event, .vote, about: response.poll)
    }

    /// Whether what is named is the account's own: the event itself decides, and where it is not here, what is claimed.
    private func isMine(_ pointer: EventPointer) -> Bool {
        (targets[pointer.id]?.pubkey ?? pointer.author) == account
    }

    private static func parent(of event: Event) -> EventPointer? {
        if event.kind == 1 { return ThreadReferences(event.tags).parent }
        guard case .event(let pointer)? = Comment(event)?.parent else { return nil }
        return pointer
    }

    private static func firstNamed(_ event: Event) -> EventID? {
        event.tags.lazy.filter { $0.name == "e" }.compactMap { $0.eventID(at: 1) }.first
    }
}
