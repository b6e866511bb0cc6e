public import NostrSigner

/// The apps that are paired with a signer.
public struct AppsState: Screen {
    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// The apps, the one seen last first.
    public private(set) var apps: [AppItem] = []

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened, or something changed.
        case opened
        /// The apps.
        case read([SignerClient])
        /// It did not work.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        case read
    }

    /// A page not opened yet.
    public init() {}

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened: return [.read]
        case .read(let clients):
            phase = .ready
            apps = clients.map(AppItem.init)
        case .failed(let trouble): phase = .failed(trouble)
        }
        return []
    }
}

extension ScreenModel where S == AppsState {
    init(appsOf service: any SigningService) {
        self.init(AppsState()) { _ in
            do { return .read(try await service.clients()) } catch { return .failed(Trouble(error)) }
        }
    }
}
