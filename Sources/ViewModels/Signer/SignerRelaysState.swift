public import NostrCore
public import NostrSigner

/// How the relays of a signer are doing.
public struct SignerRelaysState: Screen {
    /// One relay.
    public struct Row: Hashable, Sendable, Identifiable {
        /// The relay.
        public let name: String
        /// How it stands: `connected`, `connecting`, `failing`.
        public let health: String
        /// The same for a person.
        public let words: String
        /// Why it cannot be reached.
        public let problem: String?
        /// Whether it is one of the signer's own.
        public let isOwn: Bool
        /// What the apps are called that use it.
        public let apps: [String]
        /// When the last request came by it.
        public let lastRequest: Timestamp?
        /// Requests that came by it first, and answers it took and refused.
        public let requests: Int, answersTaken: Int, answersRefused: Int

        public var id: String { name }
    }

    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// The relays: the signer's own first.
    public private(set) var rows: [Row] = []

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened, or something changed.
        case opened
        /// The relays and the apps.
        case read([SignerRelayReport], [SignerClient])
        /// It did not work.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        case read
    }

    /// A page not opened yet.
    public init() {}

    /// Relays that can be heard now.
    public var listening: Int { rows.count { $0.health == "connected" } }
    /// When the last request came, by any of them.
    public var lastRequest: Timestamp? { rows.compactMap(\.lastRequest).max() }

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened: return [.read]
        case .read(let reports, let clients):
            phase = .ready
            let names = Dictionary(clients.map { ($0.app, AppItem($0).title) }, uniquingKeysWith: { first, _ in first })
            rows = reports.sorted { ($0.isOwn ? 0 : 1, $0.relay.text) < ($1.isOwn ? 0 : 1, $1.relay.text) }
                .map { Row($0, names) }
        case .failed(let trouble): phase = .failed(trouble)
        }
        return []
    }
}

extension SignerRelaysState.Row {
    init(_ report: SignerRelayReport, _ names: [RequestingApp: String]) {
        name = report.relay.text
        isOwn = report.isOwn
        apps = report.apps.map { names[$0] ?? $0.mark }
        lastRequest = report.lastRequest
        requests = report.requests
        answersTaken = report.answersTaken
        answersRefused = report.answersRefused
        switch report.state {
        case .listening: (health, words, problem) = ("connected", "Listening", nil)
        case .connecting: (health, words, problem) = ("connecting", "Connecting", nil)
        case .failing(let why): (health, words, problem) = ("failing", "Failing", oneLine(why.sentence, limit: 200))
        }
    }
}

extension ScreenModel where S == SignerRelaysState {
    init(signerRelaysOf service: any SigningService) {
        self.init(SignerRelaysState()) { _ in
            do { return .read(try await service.relays(), try await service.clients()) } catch {
                return .failed(Trouble(error))
            }
        }
    }
}
