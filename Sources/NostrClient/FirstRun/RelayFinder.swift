public import AsyncPrimitives
public import NostrCore
internal import NostrNIPs
internal import NostrRelay
internal import Synchronization

/// Finds relays for somebody who has none, without their key.
///
/// Relay lists of other people are read from a few relays and tallied, and what monitors found out (NIP-66); those that
/// many name, and a few of those that monitors reached, are then tried: with a
/// question that asks for one relay list, and with an event that nobody keeps, signed by a key drawn for that one relay
/// and forgotten. No relay learns more than an address of the internet, and no two of them the same key.
public struct RelayFinder: Sendable {
    /// Relay lists asked of one relay.
    private static let lists = 500
    /// What monitors found out, asked of one relay.
    private static let discoveries = 500
    /// How long lists are waited for.
    private static let reading: Duration = .seconds(10)
    /// How long each question to a relay that is tried may take.
    private static let trying: Duration = .seconds(8)
    /// With fewer relays than this to choose from, the usual ones are tried too.
    private static let enough = 3
    /// An ephemeral kind (NIP-01) without a meaning, which other programs use for the same purpose.
    private static let probeKind: Kind = 20_242

    private let network: any RelayNetwork
    private let sources: FirstRunSources
    private let isUsable: @Sendable (RelayURL) -> Bool
    private let time: Time<Timestamp>
    private let random: RandomSource

    /// Connects to nothing until it is asked to search.
    ///
    /// - Parameters:
    ///   - network: connections that no key answers for.
    ///   - isUsable: whether a relay may be offered, and contacted where strangers name it.
    public init(
        network: any RelayNetwork, sources: FirstRunSources, time: Time<Timestamp>,
        random: RandomSource = RandomSource(), isUsable: @escaping @Sendable (RelayURL) -> Bool
    ) {
        self.network = network
        self.sources = sources
        self.isUsable = isUsable
        self.time = time
        self.random = random
    }

    /// Searches; ends after half a minute at the latest.
    ///
    /// - Parameter report: receives the search whenever it has come further.
    /// - Returns: the search as it ended.
    public func find(
        _ report: @escaping @Sendable (RelaySearch) async -> Void = { _ in }
    ) async -> RelaySearch {
        let reading = await read(report)
        var search = RelaySearch(phase: .trying, lists: reading.tally.people, candidates: candidates(of: reading))
        await report(search)
        await withTaskGroup(of: RelaySearch.Candidate.self) { group in
            for candidate in search.candidates { group.addTask { await tried(candidate) } }
            for await candidate in group {
                guard let place = search.candidates.firstIndex(where: { $0.relay == candidate.relay }) else { continue }
                search.candidates[place] = candidate
                await report(search)
            }
        }
        search.phase = .over
        search.sort()
        await report(search)
        return search
    }

    /// What relays gave so far.
    private struct Reading: Sendable {
        var tally = RelayTally()
        var monitors: MonitorTally
        var answered = 0
    }

    private func read(_ report: @escaping @Sendable (RelaySearch) async -> Void) async -> Reading {
        let start = Reading(monitors: MonitorTally(now: time.now()))
        let requests = self.requests
        guard !requests.isEmpty else { return start }
        await report(RelaySearch(phase: .reading(answered: 0, of: requests.count)))
        let reading = Mutex(start)
        await reader.fetch(requests, deadline: Self.reading) { update in
            let reached = reading.withLock { reading in
                switch update {
                case .events(let events, _):
                    for event in events {
                        reading.tally.count(event)
                        reading.monitors.count(event)
                    }
                case .ended: reading.answered += 1
                }
                return reading
            }
            await report(
                RelaySearch(
                    phase: .reading(answered: reached.answered, of: requests.count), lists: reached.tally.people))
        }
        return reading.withLock { $0 }
    }

    private var requests: [RelayURL: [Filter]] {
        var requests: [RelayURL: [Filter]] = [:]
        for relay in sources.relayLists { requests[relay] = [Filter(kinds: [RelayList.kind], limit: Self.lists)] }
        let discoveries = Filter(kinds: [RelayDiscovery.kind], limit: Self.discoveries)
        for relay in Set(sources.relayMonitors) { requests[relay, default: []].append(discoveries) }
        return requests
    }

    private func tried(_ candidate: RelaySearch.Candidate) async -> RelaySearch.Candidate {
        var candidate = candidate
        let answer = Mutex(RelaySearch.Candidate.Answer.unreachable)
        let asked = time.uptime()
        let filter = Filter(kinds: [RelayList.kind], limit: 1)
        await reader.fetch([candidate.relay: [filter]], deadline: Self.trying) { [time] update in
            switch update {
            case .ended(_, .complete):
                answer.withLock { $0 = .answered(after: time.uptime() - asked, takesEvents: false) }
            case .ended(_, .closed), .ended(_, .unauthenticated): answer.withLock { $0 = .refused }
            case .ended, .events: break
            }
        }
        candidate.answer = answer.withLock { $0 }
        if case .answered(let delay, _) = candidate.answer {
            candidate.answer = .answered(after: delay, takesEvents: await takesEvents(candidate.relay))
        }
        return candidate
    }

    /// Whether a relay takes an event from somebody it has never met.
    private func takesEvents(_ relay: RelayURL) async -> Bool {
        var random = random.generator
        let key = SecretKey.generate(using: &random)
        let draft = EventDraft(kind: Self.probeKind, createdAt: time.now())
        let event = Event(signing: draft, with: key, using: &random)
        let outcome = await withDeadline(Self.trying + .seconds(1), on: time.clock) { [network] in
            await network.publish(event, to: relay, deadline: Self.trying)
        }
        if case .accepted = outcome { return true }
        return false
    }

    private var reader: KeylessReader { KeylessReader(network: network, time: time) }

    private func candidates(of reading: Reading) -> [RelaySearch.Candidate] {
        let reached = reading.monitors.candidates(isUsable)
        let monitors = Dictionary(reached.map { ($0.relay, $0.monitors) }) { first, _ in first }
        var found = reading.tally.candidates(isUsable).map {
            RelaySearch.Candidate(relay: $0.relay, names: $0.names, monitors: monitors[$0.relay] ?? 0)
        }
        let known = Set(found.map(\.relay)).union(reading.tally.crowded(isUsable))
        // Strangers' word adds a few, or stands in where nobody's lists were read.
        let most = found.count < Self.enough ? RelayTally.mostCandidates - found.count : MonitorTally.mostBeside
        for candidate in reached.filter({ !known.contains($0.relay) }).prefix(most) {
            found.append(RelaySearch.Candidate(relay: candidate.relay, names: 0, monitors: candidate.monitors))
        }
        guard found.count < Self.enough else { return found }
        for relay in sources.usualRelays where isUsable(relay) && !found.contains(where: { $0.relay == relay }) {
            found.append(RelaySearch.Candidate(relay: relay, names: 0))
        }
        return found
    }
}
