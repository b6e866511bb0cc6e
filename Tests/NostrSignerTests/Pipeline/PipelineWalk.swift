import NostrCore
import NostrNIPs
import NostrTesting

@testable import NostrSigner

/// A request on its way through the steps without key, disk or clock: every outcome is what the walk says.
struct PipelineWalk: Sendable {
    static let moment = Timestamp(seconds: 1_700_000_000)
    static let relay = rigRelay("one")
    static let alice = TestPerson.alice.publicKey
    static let bob = RequestingApp.remote(TestPerson.bob.publicKey)

    var state = SignerState()
    var context = StepContext(account: alice, now: moment, minute: { 600 })
    /// What the key says instead of opening a request.
    var openingFails: (any Error)?
    var admission: Result<Admission, any Error> = .success(.new)
    var performing: Result<RequestResult, any Error> = .success(RequestResult(text: "signed"))
    var sealing: Result<String, any Error> = .success("sealed")
    var waiting: Result<Void, any Error> = .success(())
    var recording: Result<Void, any Error> = .success(())
    var report = ChangeReport(.event(1, .plain))
    /// The names of the steps that were taken.
    private(set) var path: [String] = []

    /// Bob's app is paired, unless its trust is `nil`.
    init(trust: TrustLevel? = .medium) {
        state.settings.relays = [Self.relay]
        guard let trust else { return }
        var client = SignerClient(app: Self.bob, account: Self.alice, connected: Self.moment - .seconds(1000))
        client.trust = trust
        state.clients[Self.bob] = client
    }

    /// A request of Bob's app.
    static func verified(
        _ text: String, after seconds: Int64 = 0, by relay: RelayURL = relay
    ) throws -> VerifiedRequest {
        let event = TestPerson.bob.event(
            text, kind: RemoteSigning.kind, tags: [["p", alice.hex]], at: moment.seconds + seconds)
        return try VerifiedRequest(event, relay: relay, moment: moment, for: alice)
    }

    /// Takes a request through its steps.
    mutating func walk(
        _ text: String, after seconds: Int64 = 0, by relay: RelayURL = relay
    ) throws -> RequestEnd {
        let verified = try Self.verified(text, after: seconds, by: relay)
        return walk(from: .receive(verified, &state), OpenedRequest(verified, text: text, cipher: .nip44))
    }

    /// Goes on from a step.
    mutating func walk(from first: SigningStep, _ opened: OpenedRequest? = nil) -> RequestEnd {
        var step = first
        while true {
            path.append(String("\(step)".prefix { $0 != "(" }))
            if case .end(let end) = step { return end }
            step = next(step, opened)
        }
    }

    private mutating func next(_ step: SigningStep, _ opened: OpenedRequest?) -> SigningStep {
        switch step {
        case .open(let step):
            if let opened, openingFails == nil { return step.next(.success(opened), &state, context) }
            return step.next(.failure(openingFails ?? RequestRejection.unreadable), &state, context)
        case .checkSecret(let step): return step.next(.success(state.secret), &state, context)
        case .renewSecret(let step):
            state.secret = InvitationSecret("fresh", trust: .medium)
            return step.next(.success(()), &state, context)
        case .keepApp(let step): return step.next(recording, &state)
        case .admit(let step): return step.next(admission, &state, context)
        case .explain(let step): return step.next(report, &state, context)
        case .wait(let step): return step.next(waiting, &state, context)
        case .perform(let step): return step.next(performing, &state, context)
        case .seal(let step): return step.next(sealing, &state)
        case .record(let step): return step.next(recording, &state, context)
        case .depart(let step):
            state.clients[step.client.app] = nil
            return step.next(recording, &state)
        case .end: return step
        }
    }
}
