public import NostrClient
public import NostrCore
internal import NostrNIPs
public import NostrSigner

/// One request in full: what it would change, and the second step where much would go.
public struct RequestReview: Screen {
    /// Which.
    public let id: EventID
    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// The request; `nil` when it waits no longer.
    public private(set) var detail: RequestDetail?
    /// Whether the person said yes once, and is asked whether they know what goes.
    public private(set) var isConfirming = false
    /// What the person said.
    public private(set) var answer: RequestChoice = .once
    /// What is wrong, in one sentence.
    public private(set) var problem: String?
    /// What was done, in one sentence.
    public private(set) var done: String?
    private let now: Timestamp

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened, or something changed.
        case opened
        /// The request; `nil` when it waits no longer.
        case read(RequestDetail?)
        /// The person decides.
        case decide(RequestChoice, knowingLoss: Bool)
        /// The person lets the app in, trusts it so far, and allows it these of its wishes, as they are written.
        case pair(granting: [String], trust: String)
        /// Whether it was decided.
        case decided(Bool)
        /// Publish the version in force again instead.
        case restore
        /// The version in force was published again.
        case restored
        /// It did not work.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        case read
        case decide(RequestVerdict, knowingLoss: Bool)
        case restore
    }

    /// A page not opened yet.
    public init(_ id: EventID, now: Timestamp) {
        self.id = id
        self.now = now
    }

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened: return [.read]
        case .read(let detail):
            phase = .ready
            self.detail = detail
            return []
        case .decide(let answer, let knowingLoss):
            problem = nil
            self.answer = answer
            guard let item = detail?.item else { return [] }
            if answer.allows, item.needsSecondStep, !knowingLoss {
                isConfirming = true
                return []
            }
            return [.decide(answer.verdict(at: now), knowingLoss: knowingLoss)]
        case .pair(let words, let trust):
            problem = nil
            answer = .once
            guard let item = detail?.item else { return [] }
            // What the app did not ask for is not granted by a form either.
            let granted = item.wishes.map(\.word).filter(words.contains).compactMap { RemotePermission($0) }
            let level = TrustLevel(rawValue: trust) ?? .low
            return [.decide(.pair(granting: granted, trust: level), knowingLoss: false)]
        case .decided(let isDone):
            if isDone {
                done = answer.done(1, of: detail?.item.app.title ?? "")
                return []
            }
            problem = SignerWords.notDecidedLookAgain
            return [.read]
        case .restore: return detail == nil ? [] : [.restore]
        case .restored:
            done = SignerWords.restored
            return []
        case .failed(let trouble):
            if phase == .ready { problem = trouble.sentence } else { phase = .failed(trouble) }
            return []
        }
    }
}

extension ScreenModel where S == RequestReview {
    /// A request of an account's signer.
    public init(
        request id: EventID, of service: any RequestDeciding & SignerSettingsKeeping, _ account: any Account,
        now: Timestamp
    ) {
        self.init(RequestReview(id, now: now)) { effect in
            do {
                switch effect {
                case .read:
                    guard let request = try await service.waiting().first(where: { $0.id == id }) else {
                        return .read(nil)
                    }
                    let protected = try await service.settings().protectedKinds
                    return .read(await requestDetail(request, protected: protected, of: account))
                case .decide(let verdict, let knowingLoss):
                    return .decided(try await service.decide([id], verdict, knowingLoss: knowingLoss) == [id])
                case .restore:
                    try await service.restore(insteadOf: id)
                    return .restored
                }
            } catch {
                return .failed(Trouble(error))
            }
        }
    }
}
