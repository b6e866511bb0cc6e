public import NostrCore
public import NostrSigner

/// How the relays of a signer are doing.
public struct SignerRelaysView: Hashable, Sendable {
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

    /// The relays: the signer's own first.
    public let rows: [Row]

    /// Reads how a signer's relays are doing.
    public static func load(of signer: any AppKeeping & SignerSettingsKeeping) async throws(Trouble) -> SignerRelaysView
    {
        do {
            let clients = try await signer.clients()
            let names = Dictionary(clients.map { ($0.app, AppItem($0).title) }, uniquingKeysWith: { first, _ in first })
            let reports = try await signer.relays()
            let ordered = reports.sorted { ($0.isOwn ? 0 : 1, $0.relay.text) < ($1.isOwn ? 0 : 1, $1.relay.text) }
            return SignerRelaysView(rows: ordered.map { Row($0, names) })
        } catch {
            throw Trouble(error)
        }
    }

    /// Relays that can be heard now.
    public var listening: Int { rows.count { $0.health == "connected" } }
    /// When the last request came, by any of them.
    public var lastRequest: Timestamp? { rows.compactMap(\.lastRequest).max() }
}

extension SignerRelaysView.Row {
    init(_ report: SignerRelayReport, _ names: [RequestingApp: String]) {
        name = report.relay.text
        isOwn = report.isOwn
        apps = report.apps.map { names[$0] ?? $0.mark }
        lastRequest = report.lastRequest
        requests = report.requests
        answersTaken = report.answersTaken
        answersRefused = report.answersRefused
        switch report.state {
        case .listening: (health, words, problem) = ("connected", SignerWording.listening, nil)
        case .connecting: (health, words, problem) = ("connecting", SignerWording.connecting, nil)
        case .failing(let why):
            (health, words, problem) = ("failing", SignerWording.failing, oneLine(why.sentence, limit: 200))
        }
    }
}
