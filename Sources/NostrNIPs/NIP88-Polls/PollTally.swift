public import NostrCore

/// How a poll stands.
///
/// Source: NIP-88, "Counting Results" and "Curation".
public struct PollTally: Hashable, Sendable {
    /// How many people chose each answer, by its identifier; answers that nobody chose are missing.
    public private(set) var votes: [String: Int] = [:]
    /// How many people chose at least one answer.
    public private(set) var voters = 0

    /// An empty one.
    public init() {}

    /// Counts votes: of each person the last that was dated until the end, and nothing dated later than now.
    ///
    /// A last vote that chooses nothing takes an earlier one back.
    ///
    /// - Parameters:
    ///   - responses: in any order; those to other polls are left out.
    ///   - now: what is dated later does not count.
    ///   - people: whose votes count; `nil` for everybody's.
    ///   - work: how many bits of work (NIP-13) a vote needs to count. The last vote of a person decides: one with less
    ///     does not bring back what they no longer mean.
    public init(
        of poll: Poll, _ responses: some Sequence<PollResponse>, now: Timestamp, among people: Set<PublicKey>? = nil,
        work: Int = 0
    ) {
        for response in Self.counted(responses, of: poll, now: now).values {
            guard people?.contains(response.author) ?? true, work <= 0 || response.work.meets(work) else { continue }
            let chosen = response.chosen(in: poll)
            if !chosen.isEmpty { voters += 1 }
            for option in chosen { votes[option, default: 0] += 1 }
        }
    }

    /// The one response of each person that counts.
    public static func counted(
        _ responses: some Sequence<PollResponse>, of poll: Poll, now: Timestamp
    ) -> [PublicKey: PollResponse] {
        let last = poll.endsAt.map { min($0, now) } ?? now
        var counted: [PublicKey: PollResponse] = [:]
        for response in responses where response.poll == poll.id && response.createdAt <= last {
            if let other = counted[response.author], !response.outdoes(other) { continue }
            counted[response.author] = response
        }
        return counted
    }
}
