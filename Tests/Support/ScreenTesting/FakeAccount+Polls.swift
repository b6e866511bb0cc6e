public import NostrClient
public import NostrCore
public import NostrNIPs

extension FakeAccount: Polling {
    public nonisolated var polls: (any Polling)? { canSign ? self : nil }

    public func vote(_ options: [String], on id: EventID) async throws -> Event {
        guard let index = notes.firstIndex(where: { $0.id == id }), case .votes(let before) = notes[index].poll else {
            throw AccountError(.unknownEvent)
        }
        if let refusal { throw refusal }
        guard !options.isEmpty else { throw AccountError(.wrongAnswer) }
        let response = PollResponse(
            id: id, author: publicKey, createdAt: before.poll.endsAt ?? Timestamp(seconds: 0), poll: id,
            options: options)
        let tally = PollTally(of: before.poll, [response], now: response.createdAt)
        notes[index].poll = .votes(
            PollStanding(poll: before.poll, everyone: tally, followed: tally, own: response.chosen(in: before.poll)))
        return event(of: id, kind: PollResponse.kind, options)
    }

    public func publish(_ poll: NewPoll) async throws -> Event {
        if let refusal { throw refusal }
        let labels = poll.options.filter { !$0.isEmpty }
        guard Poll.written.contains(labels.count) else { throw AccountError(.wrongOptions) }
        return try await publish(Composition(text: ([poll.question] + labels).joined(separator: "\n")))
    }

    public func tally(of id: EventID, by voters: PollVoters) async throws -> PollTally {
        guard case .votes(let standing) = notes.first(where: { $0.id == id })?.poll else {
            throw AccountError(.unknownEvent)
        }
        switch voters {
        case .everyone: return standing.everyone
        case .followed: return standing.followed
        case .people, .work: return curated[voters] ?? PollTally()
        }
    }

    /// Sets how polls stand by the votes of some.
    public func count(_ tally: PollTally, by voters: PollVoters) { curated[voters] = tally }

    public func gather(_ poll: EventID) async throws {}

    private func event(of id: EventID, kind: Kind, _ options: [String]) -> Event {
        FakeAuthor(1).event(
            "", kind: kind, tags: PollResponse.draft(to: id, options: options, createdAt: Timestamp(seconds: 1)).tags,
            at: Timestamp(seconds: 1))
    }
}
