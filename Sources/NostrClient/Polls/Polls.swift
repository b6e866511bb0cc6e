internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrStore
internal import Synchronization

/// Polls: how they stand, votes gathered from where they are published, and the account's own.
///
/// A poll that comes onto a page is counted from the store at once; its votes are asked for by `run()`, together with
/// those of the other polls that came into view in the same moment, and show themselves as changes of the note. A class
/// over one lock, since every page asks.
public final class Polls: Sendable {
    /// Votes of one poll that are counted, the newest first.
    private static let mostVotes = 20_000
    /// Polls whose votes are asked for at once.
    private static let mostAtOnce = 20
    /// Polls that wait to be asked for; beyond, the page asks again when it is looked at again.
    private static let mostWaiting = 200
    /// Own votes whose answers are told to pages.
    private static let mostOffered = 200
    /// Clocks differ: a vote dated so much later than now is no vote from the future.
    static let clockDifference: Duration = .seconds(60)

    private struct State {
        /// Polls whose votes are to be asked for.
        var waiting: [EventID: PollQuestion] = [:]
        /// Own votes on their way, and what they are about.
        var offered: [EventID: EventID] = [:]
    }

    let context: AccountContext
    let gossip: Gossip
    let publishing: Publishing
    private let zaps: Zaps
    let mutes: MutesInForce
    private let state = Mutex(State())
    private let bell = Doorbell()

    init(_ context: AccountContext, gossip: Gossip, publishing: Publishing, mutes: MutesInForce, zaps: Zaps) {
        self.context = context
        self.gossip = gossip
        self.publishing = publishing
        self.zaps = zaps
        self.mutes = mutes
    }

    /// Asks for votes that pages lack, until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.tellAnswers() }
            while !Task.isCancelled {
                await bell.wait()
                await context.time.pause(for: context.configuration.coalescing)
                let questions = takeWaiting()
                if !questions.isEmpty { group.addTask { await self.ask(questions) } }
            }
        }
    }

    /// How polls stand, in one question to the store however many there are; their votes are asked for besides.
    ///
    /// - Parameters:
    ///   - events: of any kinds; those that are no polls are left out.
    ///   - claimed: how many events claim to be receipts for each.
    func standings(
        of events: [Event], claimed: [EventID: Int], _ reading: ReadingContext
    ) async throws -> [EventID: NotePoll] {
        let polls = events.compactMap { Poll($0) }
        let zapPolls = events.compactMap { ZapPoll($0) }
        guard !polls.isEmpty || !zapPolls.isEmpty else { return [:] }
        request(polls.map { PollQuestion($0) } + zapPolls.map { PollQuestion($0) })
        var standings: [EventID: NotePoll] = [:]
        let responses = try await responses(to: polls, without: reading.mutes)
        let own = responses.values.joined().filter { $0.author == reading.account }
        let sent = try await sentVotes(Set(own.map(\.id)))
        for poll in polls {
            standings[poll.id] = .votes(Self.standing(of: poll, responses[poll.id] ?? [], sent, reading))
        }
        for poll in zapPolls {
            let payments = zaps.payments(
                for: poll.id, claimed: claimed[poll.id] ?? 0, without: reading.mutes.people)
            standings[poll.id] = .zaps(
                ZapPollStanding(poll: poll, tally: ZapPollTally(of: poll, payments.compactMap { ZapVote($0) })))
        }
        return standings
    }

    /// The votes for polls that are here, whether they count or not.
    ///
    /// - Parameter people: whose; `nil` for everybody's.
    func responses(
        to polls: [Poll], by people: Set<PublicKey>? = nil, without mutes: Mutes
    ) async throws -> [EventID: [PollResponse]] {
        guard !polls.isEmpty, people?.isEmpty != true else { return [:] }
        let filters = polls.map { PollQuestion($0).filter(by: people, limit: Self.mostVotes) }
        let counted = try await context.store.query(filters).filter { mutes.verdict(on: $0, in: .counts) == .shown }
        return Dictionary(grouping: counted.compactMap { PollResponse($0) }, by: \.poll)
    }

    /// What became of own votes.
    struct SentVotes {
        var refused: Set<EventID> = []
        var progress: [EventID: Note.Acceptance] = [:]
    }

    func sentVotes(_ ids: Set<EventID>) async throws -> SentVotes {
        guard !ids.isEmpty else { return SentVotes() }
        return SentVotes(
            refused: try await publishing.refused(among: ids), progress: await publishing.progress(of: ids))
    }

    private static func standing(
        of poll: Poll, _ responses: [PollResponse], _ sent: SentVotes, _ reading: ReadingContext
    ) -> PollStanding {
        let now = reading.now + clockDifference
        // What no relay took nobody else knows of: the vote before it stands.
        let valid = sent.refused.isEmpty ? responses : responses.filter { !sent.refused.contains($0.id) }
        let own = PollTally.counted(valid.filter { $0.author == reading.account }, of: poll, now: now)
        let last = PollTally.counted(responses.filter { $0.author == reading.account }, of: poll, now: now)
        return PollStanding(
            poll: poll, everyone: PollTally(of: poll, valid, now: now),
            // Of thousands who are followed no set is made for a few votes.
            followed: PollTally(
                of: poll, valid.filter { $0.author == reading.account || reading.follows.contains($0.author) },
                now: now),
            own: own[reading.account]?.chosen(in: poll) ?? [],
            isOwnRefused: last[reading.account].map { sent.refused.contains($0.id) } ?? false,
            delivery: last[reading.account].flatMap { sent.progress[$0.id] })
    }

    // MARK: - Votes that are asked for

    /// Asks for the votes of polls soon, unless that was done a moment ago.
    private func request(_ questions: [PollQuestion]) {
        let free = state.withLock { Self.mostWaiting - $0.waiting.count }
        var new: [PollQuestion] = []
        // One for which there is no room does not count as asked.
        for question in questions where new.count < free && gossip.shouldAsk(.votes(question.poll)) {
            new.append(question)
        }
        guard !new.isEmpty else { return }
        state.withLock { state in
            for question in new { state.waiting[question.poll] = question }
        }
        bell.ring()
    }

    private func takeWaiting() -> [PollQuestion] {
        let (taken, isMore) = state.withLock { state in
            let taken = Array(state.waiting.values.prefix(Self.mostAtOnce))
            for question in taken { state.waiting[question.poll] = nil }
            return (taken, !state.waiting.isEmpty)
        }
        if isMore { bell.ring() }
        return taken
    }

    // MARK: - Own votes on their way

    /// Remembers an own vote, so that pages hear what becomes of it.
    func follow(_ vote: EventID, on poll: EventID) {
        state.withLock { state in
            if state.offered.count >= Self.mostOffered { state.offered = [:] }
            state.offered[vote] = poll
        }
    }

    /// Says that a poll changed when a relay has answered to an own vote.
    private func tellAnswers() async {
        for await change in context.changes.listen() {
            guard case .receipt(let vote) = change, let poll = state.withLock({ $0.offered[vote] }) else { continue }
            context.changes.send(.touched(poll))
        }
    }
}

extension ZapVote {
    /// A payment as a vote; `nil` for one that chooses nothing.
    init?(_ zap: Zap) {
        guard let option = zap.pollOption else { return nil }
        self.init(sender: zap.sender, option: option, millisatoshis: zap.millisatoshis, paidAt: zap.paidAt)
    }
}
