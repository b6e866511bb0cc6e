internal import AsyncPrimitives
internal import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import NostrStore
internal import Synchronization

/// What is asked of relays about one poll.
struct PollQuestion: Hashable, Sendable {
    let poll: EventID
    let author: PublicKey
    /// Where its author wants votes to be.
    let relays: [RelayURL]
    /// After this nothing counts.
    let until: Timestamp?
    /// The kind of what counts: votes, or receipts.
    let kind: Kind

    init(_ poll: Poll) {
        self.poll = poll.id
        author = poll.author
        relays = poll.relays
        until = poll.endsAt
        kind = PollResponse.kind
    }

    init(_ poll: ZapPoll) {
        self.poll = poll.id
        author = poll.author
        relays = poll.relays
        until = poll.closedAt
        kind = ZapReceipt.kind
    }

    /// What counts for it; what came after its end is left out, so that it crowds nothing out.
    ///
    /// - Parameter people: by whom; `nil` for everybody.
    func filter(by people: Set<PublicKey>? = nil, limit: Int) -> Filter {
        Filter(authors: people, kinds: [kind], tags: ["e": [poll.hex]], until: until, limit: limit)
    }
}

/// Votes, gathered from the relays that polls name and from where their authors read.
extension Polls {
    private static let relaysPerPoll = 5
    private static let inboxesPerPoll = 3
    private static let relaysAtOnce = 12
    private static let votesPerFilter = 500
    /// So many times a relay is asked for older votes.
    private static let mostPages = 20

    /// Asks for votes and keeps them; returns when relays have answered or their time is over.
    func ask(_ questions: [PollQuestion]) async {
        let now = context.time.now()
        let router = gossip.router
        var cover = RelayCover(connections: Self.relaysAtOnce)
        var candidates: [(question: PollQuestion, relays: [RelayURL])] = []
        for question in questions {
            let relays = Self.relays(for: question, router, now: now)
            candidates.append((question, relays))
            cover.add(relays)
        }
        let chosen = cover.solve { router.health.preference(for: $0) }
        var open: [RelayURL: [Filter]] = [:]
        for (question, relays) in candidates {
            for relay in relays where chosen.contains(relay) {
                open[relay, default: []].append(question.filter(limit: Self.votesPerFilter))
            }
        }
        for _ in 0..<Self.mostPages where !open.isEmpty && !Task.isCancelled {
            let tally = Mutex(AnswerTally(open))
            await gossip.fetch(open, deadline: context.configuration.deadlines.thread) { update in
                guard case .events(let events, let relay) = update else { return }
                await self.gossip.keep(events, from: relay)
                tally.withLock { $0.count(events, from: relay) }
            }
            open = tally.withLock { $0.older }
        }
    }

    private static func relays(for question: PollQuestion, _ router: RelayRouter, now: Timestamp) -> [RelayURL] {
        let named = question.relays.filter { router.isWorthAsking($0, now: now) }.prefix(relaysPerPoll)
        let inbox = (router.lists[question.author]?.read ?? []).filter { router.isWorthAsking($0, now: now) }
        let found = (Array(named) + Array(inbox.prefix(inboxesPerPoll))).uniqued()
        return found.isEmpty ? Array(router.ownRead.prefix(2)) : found
    }
}
