internal import AsyncPrimitives
public import NostrCore
internal import NostrNIPs
internal import NostrSigner
internal import NostrStore

/// Voting, and making polls.
extension Polls: Polling {
    /// A vote goes to at most so many of the relays that the poll names, and so many where its author reads.
    private static let mostNamed = 10, mostInboxes = 3

    /// Votes, or changes an earlier vote; the last one counts.
    public func vote(_ options: [String], on id: EventID) async throws -> Event {
        guard publishing.signer != nil else { throw AccountError.readOnly }
        try await gossip.load()
        let poll = try await self.poll(id)
        let now = context.time.now()
        if poll.hasEnded(at: now) { throw AccountError(.pollEnded) }
        let chosen = options.uniqued()
        let known = Set(poll.options.map(\.id))
        guard !chosen.isEmpty, chosen.allSatisfy(known.contains), poll.choice == .multiple || chosen.count == 1 else {
            throw AccountError(.wrongAnswer)
        }
        var moment = try await momentOfVote(on: id, now: now)
        if let end = poll.endsAt { moment = min(moment, end) }
        let vote = try await publishing.send(
            PollResponse.draft(to: id, options: chosen, createdAt: moment), only: await destinations(for: poll),
            purpose: .conversation)
        follow(vote.id, on: id)
        context.changes.send(.touched(id))
        return vote
    }

    /// Publishes a poll to where the account writes, and to where its votes are to be.
    public func publish(_ poll: NewPoll) async throws -> Event {
        guard publishing.signer != nil else { throw AccountError.readOnly }
        guard !([poll.question] + poll.options).contains(where: \.holdsSecretKey) else {
            throw AccountError(.holdsSecretKey)
        }
        let labels = poll.options.map { $0.trimmingWhiteSpace() }.filter { !$0.isEmpty }
        guard Poll.written.contains(labels.count), Set(labels).count == labels.count else {
            throw AccountError(.wrongOptions)
        }
        if let end = poll.endsAt, end <= context.time.now() { throw AccountError(.pollEnded) }
        var draft = try await publishing.draft(of: Composition(text: poll.question))
        let router = gossip.router
        let own = Array(router.ownWrite.prefix(router.policy.ownWriteRelays))
        // Nobody else reaches a relay of this machine.
        let reachable = own.filter { router.policy.allowsPrivateRelays || !$0.isPrivate }
        var random = context.random.generator
        let identifiers = Poll.identifiers(labels.count, using: &random)
        draft.kind = Poll.kind
        draft.tags += Poll.tags(
            options: zip(identifiers, labels).map { Poll.Option(id: $0, label: $1) }, choice: poll.choice,
            endsAt: poll.endsAt, relays: poll.relays.isEmpty ? reachable : poll.relays.uniqued())
        return try await publishing.send(draft, only: poll.relays.isEmpty ? nil : (own + poll.relays).uniqued())
    }

    /// Asks for the votes of a poll now, and waits for them.
    public func gather(_ id: EventID) async throws {
        try await gossip.load()
        guard let event = try await context.store.query([Filter(ids: [id])]).first else {
            throw AccountError.unknownEvent
        }
        let questions = [Poll(event).map { PollQuestion($0) }, ZapPoll(event).map { PollQuestion($0) }]
        await ask(questions.compactMap(\.self))
    }

    private func poll(_ id: EventID) async throws -> Poll {
        guard let event = try await context.store.query([Filter(ids: [id])]).first, let poll = Poll(event) else {
            throw AccountError.unknownEvent
        }
        return poll
    }

    /// Now, or just after the account's last vote: of two in one second it would be chance which one counts.
    private func momentOfVote(on id: EventID, now: Timestamp) async throws -> Timestamp {
        let filter = Filter(authors: [context.publicKey], kinds: [PollResponse.kind], tags: ["e": [id.hex]])
        let earlier = try await context.store.query([filter]).map(\.createdAt)
        guard let last = earlier.filter({ $0 <= now + Self.clockDifference }).max() else { return now }
        return max(now, last + .seconds(1))
    }

    /// Where the poll's author looks for votes; `nil` leaves it to the router where nothing is known.
    private func destinations(for poll: Poll) async -> [RelayURL]? {
        let named = poll.relays.filter(gossip.router.trusts).prefix(Self.mostNamed)
        if named.isEmpty, gossip.router.lists[poll.author] == nil { await gossip.discover([poll.author]) }
        let router = gossip.router
        let inbox = (router.lists[poll.author]?.read ?? []).filter(router.trusts).prefix(Self.mostInboxes)
        let found = (Array(named) + Array(inbox)).uniqued()
        return found.isEmpty ? nil : found
    }
}

extension Publishing {
    /// Those events of the account's own that were offered to relays and taken by none for good.
    func refused(among ids: Set<EventID>) async throws -> Set<EventID> {
        try await load()
        return ids.filter { id in
            guard let delivery = queue.delivery(of: id) else { return false }
            return delivery.isSettled && delivery.accepted.isEmpty
        }
    }
}
