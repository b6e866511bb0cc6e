public import NostrClient
internal import NostrRelay

/// The relays in use, what each gives, and how complete what one reads is.
public struct RelaysState: Screen {
    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// Every relay in use, those serving most people first.
    public private(set) var relays: [RelayItem] = []
    /// Every followed person, the least complete first.
    public private(set) var coverage: [CoverageItem] = []
    /// Who reads where.
    public private(set) var map = RelayMap(relays: [], coverage: [])
    private var hasRelays = false
    private var hasCoverage = false

    /// Followed people all of whose asked relays answered in full.
    public var fullyHeard: Int { coverage.count { $0.isComplete } }
    /// Followed people at least one of whose relays answered in full.
    public var heard: Int { coverage.count { $0.complete > 0 } }
    /// Relays that answer now.
    public var connected: Int { relays.count { $0.health == .connected } }

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened.
        case opened
        /// The relays.
        case relays([RelayReport])
        /// What was asked for whom, and what came.
        case coverage([AuthorCoverage])
        /// Reading failed.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        case readRelays
        case readCoverage
    }

    /// A page not opened yet.
    public init() {}

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened:
            return [.readRelays, .readCoverage]
        case .relays(let reports):
            relays = reports.map(RelayItem.init).sorted {
                $0.people == $1.people ? $0.address < $1.address : $0.people > $1.people
            }
            hasRelays = true
        case .coverage(let authors):
            coverage = authors.map(CoverageItem.init).sorted {
                $0.share == $1.share ? $0.person.name < $1.person.name : $0.share < $1.share
            }
            hasCoverage = true
        case .failed(let trouble):
            phase = .failed(trouble)
            return []
        }
        if hasRelays && hasCoverage && phase == .loading {
            phase = .ready
            map = RelayMap(relays: relays, coverage: coverage)
        }
        return []
    }
}

extension ScreenModel where S == RelaysState {
    /// The relays of an account.
    public init(relaysOf account: any Account) {
        self.init(RelaysState()) { effect in
            do {
                switch effect {
                case .readRelays: return .relays(try await account.network.relays())
                case .readCoverage: return .coverage(try await account.network.coverage())
                }
            } catch {
                return .failed(Trouble(error))
            }
        }
    }
}
