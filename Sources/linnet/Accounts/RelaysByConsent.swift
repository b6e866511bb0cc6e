import AsyncPrimitives
import NostrClient
import NostrCore
import NostrRelay
import NostrSigner
import Synchronization

/// Authenticates (NIP-42) to the account's own relays and to those the person allowed, and to none while it is locked.
///
/// A signer elsewhere may have to ask its person. So it is asked only where a relay insists, for one relay after the
/// other, and for a relay that it did not sign for not again for a while.
final class RelaysByConsent: RelayAuthenticator {
    /// A relay that is left unanswered for a while.
    private struct Rest {
        let end: Duration
        /// How often the person had decided about the relay: another decision ends the rest.
        let decisions: Int
    }

    private struct Questions {
        /// How many challenges of a relay were to be signed: only the last is worth a signature.
        var challenges: [RelayURL: Int] = [:]
        var rests: [RelayURL: Rest] = [:]
    }

    /// A person may have to say yes in a signer elsewhere; after this the relay is left unanswered.
    private static let deadline: Duration = .seconds(60)
    /// How long a relay is left unanswered for which a signer elsewhere did not sign.
    private static let rest: Duration = .seconds(300)

    private let signer: any EventSigner
    private let relays: ListedRelays
    private let clock: any Clock<Duration>
    private let uptime: @Sendable () -> Duration
    private let gate = SerialGate()
    private let questions = Mutex(Questions())

    init(signer: any EventSigner, relays: ListedRelays, clock: any Clock<Duration>) {
        self.signer = signer
        self.relays = relays
        self.clock = clock
        uptime = stopwatch(clock)
    }

    func consent(for relay: RelayURL) async -> AuthenticationConsent {
        let consent = relays.consent(for: relay)
        return consent == .allow && !signer.answersAtOnce ? .ask : consent
    }

    func answer(_ draft: EventDraft, for relay: RelayURL) async -> Event? {
        // A key that is locked is no failure to report: the relay is left unanswered.
        if signer.answersAtOnce { return try? await sign(draft, for: relay) }
        let number = questions.withLock { questions in
            questions.challenges[relay, default: 0] += 1
            return questions.challenges[relay]
        }
        return await gate.run { await ask(draft, for: relay, number: number) }
    }

    /// Asks a signer elsewhere, whose turn it is.
    ///
    /// - Parameter number: which challenge of the relay it is.
    private func ask(_ draft: EventDraft, for relay: RelayURL, number: Int?) async -> Event? {
        let (now, decisions) = (uptime(), relays.decisions(about: relay))
        let isWorthIt = questions.withLock { questions in
            // The relay has connected anew while others had their turn: this answer would come too late.
            guard questions.challenges[relay] == number else { return false }
            return questions.rests[relay].map { $0.end <= now || $0.decisions != decisions } ?? true
        }
        guard isWorthIt else { return nil }
        do {
            if let event = try await sign(draft, for: relay) { return event }
        } catch {
            // Nobody was disturbed; and once the signer is back, the relay is to be answered.
            if let failure = error as? SigningFailure, failure.isUnheard { return nil }
        }
        let rest = Rest(end: uptime() + Self.rest, decisions: decisions)
        questions.withLock { $0.rests[relay] = rest }
        return nil
    }

    /// Signs the answer to a relay; `nil` when nobody did in time, or the person does not let the relay know.
    private func sign(_ draft: EventDraft, for relay: RelayURL) async throws -> Event? {
        // The person may have said no since the challenge came.
        guard relays.consent(for: relay) == .allow else { return nil }
        let signer = signer
        return try await withDeadline(Self.deadline, on: clock) { try await signer.sign(draft) }
    }
}

extension SigningFailure {
    /// Whether neither a signer elsewhere nor its person can have heard of the request.
    fileprivate var isUnheard: Bool {
        switch self {
        case .locked, .unreachable, .noPage: true
        case .readOnly, .refused, .timedOut, .cannotEncrypt, .wrongAnswer, .said: false
        }
    }
}
