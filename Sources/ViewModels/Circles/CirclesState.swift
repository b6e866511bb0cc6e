public import Circles
public import NostrClient
public import NostrCore

/// The circles of an account, and what waits for an answer.
public struct CirclesState: Screen {
    /// Whose account reads.
    public let own: PublicKey
    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// Whether what is private can be read.
    public private(set) var access: MessageAccess = .opening
    /// The circles.
    public private(set) var circles: [CircleItem] = []
    /// Circles one asked to join.
    public private(set) var asked: [WaitingCircleItem] = []
    /// Whether others can put one into a circle unasked.
    public private(set) var isInvitable = true
    /// Circles somebody wants one in.
    public private(set) var invitations: [WaitingCircleItem] = []

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened, or something changed.
        case opened
        /// How the vault stands; nil for an account without a key.
        case state(MessagingState?)
        /// The circles.
        case read(CirclesOverview)
        /// Reading failed.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        /// Ask how the vault stands.
        case readState
        /// Read the circles.
        case read
    }

    /// A list not opened yet.
    public init(own: PublicKey) { self.own = own }

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened: return [.readState]
        case .state(let state):
            access = MessageAccess(state)
            if access == .open { return [.read] }
            phase = .ready
            return []
        case .read(let overview):
            phase = .ready
            circles = overview.circles.map { CircleItem($0, own: own) }
            isInvitable = overview.isInvitable
            asked = overview.asked.map { WaitingCircleItem($0) }
            invitations = overview.invitations.map { WaitingCircleItem($0) }
            return []
        case .failed(let trouble):
            phase = .failed(trouble)
            return []
        }
    }

    /// How many circles have something unread or somebody waiting, for the navigation.
    public var waiting: Int { circles.count { $0.unread > 0 || $0.requests > 0 } + invitations.count }
}

extension ScreenModel where S == CirclesState {
    /// The circles of an account.
    public init(circlesOf account: any Account) {
        self.init(CirclesState(own: account.publicKey)) { effect in
            do {
                switch effect {
                case .readState: return .state(await account.messages?.state())
                case .read: return .read(try await openCircles(account).reader.overview())
                }
            } catch {
                return .failed(Trouble(error))
            }
        }
    }
}

/// The circles of an account that has a key.
func openCircles(_ account: any Account) throws -> AccountCircles {
    guard account.canSign else {
        throw Trouble("This account can only read public notes: Linnet has no key for it.", canRetry: false)
    }
    return try account.openCircles()
}
