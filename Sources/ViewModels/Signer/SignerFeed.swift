public import AsyncPrimitives
public import NostrSigner
internal import Synchronization

/// Listens to a signer for one open page.
public final class SignerFeed: Sendable {
    private let changes: AsyncStream<SigningChange>
    private let gathered = Mutex<Set<SigningChange>>([])
    private let bell: Doorbell

    /// Listens from here on.
    ///
    /// - Parameter bell: rung whenever there is something to deliver.
    public init(of signer: any AccountSigning, bell: Doorbell) async {
        changes = await signer.changes()
        self.bell = bell
    }

    /// Gathers what happens until cancelled.
    public func run() async {
        for await change in changes {
            gathered.withLock { _ = $0.insert(change) }
            bell.ring()
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
