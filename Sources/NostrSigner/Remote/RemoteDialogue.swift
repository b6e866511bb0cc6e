internal import NostrCore
internal import NostrNIPs

/// What is under way with one signer elsewhere: requests, when to send them again, and when to give up.
///
/// Every moment is counted from any one beginning. Source: NIP-46.
struct RemoteDialogue: Hashable, Sendable {
    /// What to do about a request now.
    enum Step: Hashable, Sendable {
        /// Send it, for the first time or again, and look again at the moment.
        case send(lookAgain: Duration)
        /// Only look again at the moment.
        case wait(until: Duration)
        /// Nobody waits for it any more.
        case giveUp(SigningFailure)
    }

    /// What a response means for who asked.
    enum Reply: Hashable, Sendable {
        case answer(String)
        case failure(SigningFailure)
        /// The signer sent the person to a page; the answer is still to come.
        case challenge
        /// It answers nothing that is open.
        case nothing
    }

    private struct Open: Hashable, Sendable {
        let method: RemoteMethod
        let began: Duration
        var deadline: Duration
        var nextSend: Duration
        var pause: Duration
        /// Whether a relay may have passed it on.
        var mayHaveArrived = false
        var challenge: Challenge?
    }

    private struct Challenge: Hashable, Sendable {
        var page: String?
    }

    let patience: RemotePatience
    private var open: [String: Open] = [:]
    private var live: Set<RelayURL> = []
    private var interrupted: Set<RelayURL> = []
    /// Whether the last that is known of the signer is that it answered, or that it did not; `nil` at first.
    private var answers: Bool?
    private var hasEnded = false

    init(patience: RemotePatience = RemotePatience()) {
        self.patience = patience
    }

    // MARK: Asking

    /// Notes a request that is about to be asked.
    mutating func ask(_ id: String, _ method: RemoteMethod, at now: Duration) {
        open[id] = Open(
            method: method, began: now, deadline: now + patience.limit(of: method), nextSend: now,
            pause: patience.resend)
    }

    /// What to do about a request; never `send` twice for the same moment.
    mutating func step(_ id: String, at now: Duration) -> Step {
        guard var request = open[id], !hasEnded else { return .giveUp(.locked) }
        if now >= request.deadline {
            answers = false
            return .giveUp(request.mayHaveArrived ? .timedOut : .unreachable)
        }
        if !request.mayHaveArrived, now - request.began >= patience.relays {
            answers = false
            return .giveUp(.unreachable)
        }
        // A signer that sent its person somewhere has the request.
        if request.challenge != nil { return .wait(until: min(request.deadline, now + patience.slowestResend)) }
        guard now >= request.nextSend else { return .wait(until: look(request, after: now)) }
        request.nextSend = now + request.pause
        request.pause = min(request.pause * 2, patience.slowestResend)
        open[id] = request
        return .send(lookAgain: look(request, after: now))
    }

    /// When something about a request changes by itself.
    private func look(_ request: Open, after now: Duration) -> Duration {
        let silence = request.began + patience.silence
        let next = min(request.nextSend, request.deadline)
        return silence > now ? min(silence, next) : next
    }

    /// A relay took a request, or may have.
    mutating func delivered(_ id: String) {
        open[id]?.mayHaveArrived = true
    }

    /// Nobody waits for a request any more.
    mutating func drop(_ id: String) {
        open[id] = nil
    }

    // MARK: Receiving

    /// Applies a response.
    mutating func receive(_ response: RemoteResponse, at now: Duration) -> Reply {
        guard let request = open[response.id] else { return .nothing }
        answers = true
        if response.isChallenge {
            // A signer that repeats itself does not buy more time.
            if request.challenge == nil { open[response.id]?.deadline = now + patience.approval }
            open[response.id]?.challenge = Challenge(page: response.challengePage)
            return .challenge
        }
        open[response.id] = nil
        guard let error = response.error else { return .answer(response.result) }
        return .failure(.said(oneVisibleLine(error)))
    }

    /// A relay is there, or is not.
    mutating func relay(_ relay: RelayURL, isLive: Bool) {
        if isLive {
            live.insert(relay)
            interrupted.remove(relay)
        } else {
            live.remove(relay)
            interrupted.insert(relay)
        }
    }

    /// Only these relays are used from now on.
    mutating func use(_ relays: [RelayURL]) {
        live.formIntersection(relays)
        interrupted.formIntersection(relays)
    }

    /// The signer is not used any more.
    mutating func end() {
        hasEnded = true
        open = [:]
    }

    // MARK: State

    /// How it stands.
    func state(at now: Duration) -> RemoteSignerState {
        if hasEnded { return .ended }
        let challenges = open.values.filter { $0.challenge != nil }.sorted { $0.began < $1.began }
        if let page = challenges.lazy.compactMap({ $0.challenge?.page }).first {
            return .waitingForApproval(page: page)
        }
        if live.isEmpty, !interrupted.isEmpty { return .unreachable }
        if answers == false { return .unreachable }
        if !challenges.isEmpty || open.values.contains(where: { now - $0.began >= patience.silence }) {
            return .waiting
        }
        return answers == true ? .ready : .connecting
    }
}

/// A signer's own words as one visible line of bounded length.
func oneVisibleLine(_ text: String) -> String {
    ClientMetadata(name: text).name ?? "no"
}
