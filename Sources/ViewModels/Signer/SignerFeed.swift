public import NostrSigner
internal import Synchronization

/// Listens to a signer for one open page.
public final class SignerFeed: Sendable {
    private let changes: AsyncStream<SigningChange>
    private let gathered = Mutex<Set<SigningChange>>([])

    /// Listens from here on.
    public init(of signer: any SigningService) async {
        changes = await signer.changes()
    }

    /// Gathers what happens until cancelled.
    public func run() async {
        for await change in changes {
            gathered.withLock { _ = $0.insert(change) }
        }
    }

    /// What changed since the last time, each once, as pages call it: `waiting`, `apps`, `activity`, `relays`,
    /// `settings`.
    public func takeChanges() -> [String] {
        gathered.withLock { gathered in
            defer { gathered = [] }
            return gathered.map(\.word).sorted()
        }
    }
}

extension SigningChange {
    fileprivate var word: String {
        switch self {
        case .waiting: "waiting"
        case .clients: "apps"
        case .activity: "activity"
        case .relays: "relays"
        case .settings: "settings"
        }
    }
}
