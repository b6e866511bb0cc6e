internal import AsyncPrimitives
internal import FoundationEssentials
public import NostrCore
public import NostrRelay
internal import NostrStore
internal import Synchronization

/// Whether a relay may learn who the account is, as far as publishing needs to know.
public enum ConsentStanding: Hashable, Sendable {
    /// It may.
    case allowed
    /// The person has not answered yet.
    case undecided
    /// The person said never.
    case refused
}

/// The person's answers to relays that want to know who they are (NIP-42), kept in the account's records.
///
/// A class over one lock, like ``Gossip``: connections look while they open. The account's own relays count as allowed
/// unless the person said never. Shape on disk: table `relay-consents`, key the relay's address, value JSON.
public final class RelayConsents: Sendable {
    private struct State {
        var entries: [RelayURL: RelayConsentEntry] = [:]
        /// How often the person decided about each relay since the start.
        var decisions: [RelayURL: Int] = [:]
        var isLoaded = false
    }

    private struct Saved: Codable {
        var answer: String?
        var reasons: [String]
    }

    private static let table = "relay-consents"
    /// So many questions wait at most: relays could be made up without end.
    private static let most = 200

    private let records: any RecordStore
    private let state = Mutex(State())

    init(_ records: any RecordStore) {
        self.records = records
    }

    /// Reads what was answered; does nothing the second time.
    func load() async throws {
        guard !state.withLock({ $0.isLoaded }) else { return }
        let saved = try await records.records(in: Self.table)
        state.withLock { state in
            guard !state.isLoaded else { return }
            state.isLoaded = true
            for record in saved {
                // A record that cannot be read counts as no answer: the relay is not told, and asks again.
                guard let relay = try? RelayURL(record.key),
                    let value = try? JSONDecoder().decode(Saved.self, from: Data(record.value))
                else { continue }
                state.entries[relay] = RelayConsentEntry(
                    relay: relay, answer: value.answer.flatMap(RelayConsent.init),
                    reasons: Set(value.reasons.compactMap(RelayConsentReason.init)))
            }
        }
    }

    /// All entries, by relay.
    var entries: [RelayConsentEntry] {
        state.withLock { $0.entries.values.sorted { $0.relay.text < $1.relay.text } }
    }

    /// How a relay stands; undecided until it was read what was answered, as that may be a no.
    func standing(of relay: RelayURL, isOwn: Bool) -> ConsentStanding {
        let (answer, isLoaded) = state.withLock { ($0.entries[relay]?.answer, $0.isLoaded) }
        guard isLoaded else { return .undecided }
        return switch answer {
        case .always, .once: .allowed
        case .never: .refused
        case nil: isOwn ? .allowed : .undecided
        }
    }

    /// Keeps that a relay asked who the account is; returns whether that is a new question.
    func note(_ reason: RelayConsentReason, at relay: RelayURL) async throws -> Bool {
        let entry: RelayConsentEntry? = state.withLock { state in
            let waiting = state.entries.values.count { $0.answer == nil }
            guard state.entries[relay] != nil || waiting < Self.most else { return nil }
            var entry = state.entries[relay] ?? RelayConsentEntry(relay: relay, answer: nil, reasons: [])
            guard entry.answer == nil, entry.reasons.insert(reason).inserted else { return nil }
            state.entries[relay] = entry
            return entry
        }
        guard let entry else { return false }
        try await save(entry)
        return true
    }

    /// Keeps an answer; it counts once it is on disk.
    func set(_ answer: RelayConsent, for relay: RelayURL) async throws {
        let known = state.withLock { $0.entries[relay] }
        let entry = RelayConsentEntry(relay: relay, answer: answer, reasons: known?.reasons ?? [])
        try await save(entry)
        decide(relay, entry)
    }

    /// Forgets an answer.
    func revoke(_ relay: RelayURL) async throws {
        try await records.remove(relay.text, in: Self.table)
        decide(relay, nil)
    }

    private func decide(_ relay: RelayURL, _ entry: RelayConsentEntry?) {
        state.withLock { state in
            state.entries[relay] = entry
            state.decisions[relay, default: 0] += 1
        }
    }

    /// How often the person decided about a relay since the start.
    func decisions(about relay: RelayURL) -> Int { state.withLock { $0.decisions[relay] ?? 0 } }

    /// An answer for once rests as the question it answered.
    private func save(_ entry: RelayConsentEntry) async throws {
        let answer = entry.answer == .once ? nil : entry.answer?.rawValue
        let saved = Saved(answer: answer, reasons: entry.reasons.map(\.rawValue).sorted())
        try await records.put([UInt8](try JSONEncoder().encode(saved)), for: entry.relay.text, in: Self.table)
    }
}

extension Gossip {
    /// Whether a relay may learn who the account is.
    package func consentStanding(of relay: RelayURL) -> ConsentStanding {
        consents.standing(of: relay, isOwn: isOwn(relay))
    }

    /// What connections are told about a relay: nothing is signed for one that the person was not asked about.
    public func authenticationConsent(for relay: RelayURL) -> AuthenticationConsent {
        consentStanding(of: relay) == .allowed ? .allow : .never
    }

    /// How often the person decided about a relay since the start: what failed before the last time may be tried again.
    package func consentDecisions(about relay: RelayURL) -> Int { consents.decisions(about: relay) }

    /// Keeps the question of a relay that took an event only from somebody it knows.
    func noteQuestion(_ outcome: PublishOutcome, of event: Event, at relay: RelayURL) async {
        if outcome.wantsAuthentication { await noteQuestion(RelayConsentReason(event.kind), at: relay) }
    }

    /// Keeps that a relay asked who the account is, unless the person has answered that already.
    package func noteQuestion(_ reason: RelayConsentReason, at relay: RelayURL) async {
        guard consentStanding(of: relay) == .undecided else { return }
        do {
            if try await consents.note(reason, at: relay) { context.changes.send(.connection) }
        } catch {
            context.report("a relay's question could not be kept", error)
        }
    }
}
