internal import AsyncPrimitives
public import NostrCore
public import NostrNIPs
internal import NostrStore

/// Counting the votes of some alone.
extension Polls {
    /// How a poll stands by the votes of some, counted from the store.
    ///
    /// Relays are asked for everybody's votes, never for those of certain people: a question that names the people of a
    /// private set would tell who stands on it.
    public func tally(of id: EventID, by voters: PollVoters) async throws -> PollTally {
        try await gossip.load()
        guard let event = try await context.store.query([Filter(ids: [id])]).first, let poll = Poll(event) else {
            throw AccountError.unknownEvent
        }
        let mutes = await mutes.upToDate()
        let chosen: Set<PublicKey>? = if case .people(let people) = voters { people } else { nil }
        let responses = try await responses(to: [poll], by: chosen, without: mutes)[poll.id] ?? []
        let own = responses.filter { $0.author == context.publicKey }
        let refused = try await sentVotes(Set(own.map(\.id))).refused
        let valid = responses.filter { counts($0, by: voters) && !refused.contains($0.id) }
        let work = if case .work(let bits) = voters { bits } else { 0 }
        return PollTally(of: poll, valid, now: context.time.now() + Self.clockDifference, work: work)
    }

    /// Whether somebody's votes count; how much work one needs is for the tally to judge.
    private func counts(_ response: PollResponse, by voters: PollVoters) -> Bool {
        switch voters {
        case .everyone, .work: true
        case .followed: gossip.isOfHome(response.author)
        case .people(let people): people.contains(response.author)
        }
    }
}
