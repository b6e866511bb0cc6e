public import NostrClient
public import NostrCore
public import NostrSigner

/// One thing a page is to ask its browser's extension for (NIP-07).
public struct ExtensionRequest: Hashable, Sendable {
    /// Which.
    public let id: String
    /// What, by its name in NIP-46.
    public let method: String
    /// An event's JSON, or the other person's key in hex and the text.
    public let parameters: [String]

    /// A request of the open account's signer.
    public init(id: String, method: String, parameters: [String]) {
        self.id = id
        self.method = method
        self.parameters = parameters
    }
}

/// What a browser's extension answered.
public enum BrowserReply: Hashable, Sendable {
    /// A signed event's JSON, a payload or a text.
    case result(String)
    /// It did not do it, in its own words.
    case failure(String)
    /// It has no such function.
    case cannot
}

/// Accounts whose key is elsewhere: with another signer (NIP-46), or in a browser (NIP-07).
///
/// Every failure it throws speaks for itself (``SpokenError``) or is a ``Trouble``; none holds a secret.
public protocol SigningElsewhere: Sendable {
    /// Begins to pair by a signer's token (`bunker://`), and names the try.
    ///
    /// - Parameter passphrase: encrypts what the signer will know this Linnet by.
    func pair(token: String, passphrase: String) async throws -> String
    /// Begins to wait for a signer that takes an invitation (`nostrconnect://`), and names the try.
    func invite(passphrase: String) async throws -> String
    /// How a try stands; `nil` for one that is not known any more.
    func pairing(_ id: String) async -> PairingProgress?
    /// Ends a try.
    func giveUp(_ id: String) async
    /// Keeps and opens an account whose key is in a browser, which has proved it.
    func openBrowser(_ key: PublicKey) async throws -> any Account
    /// How it stands with the signer of an open account; `nil` for one whose key is here, or that is locked.
    func standing(of key: PublicKey) async -> SignerStanding?
    /// What a page is to ask the browser for; waits a while when there is nothing.
    ///
    /// - Parameter page: tells pages apart, so that each request goes to one.
    func browserRequests(of key: PublicKey, page: String) async -> [ExtensionRequest]
    /// A page is closing; what it was to ask for goes to another.
    func browserLeft(_ page: String, of key: PublicKey) async
    /// Takes what the browser answered.
    func browserAnswer(_ id: String, _ reply: BrowserReply, of key: PublicKey) async
}

/// How a try to pair stands.
public struct PairingProgress: Hashable, Sendable {
    /// How far it is.
    public enum Step: Hashable, Sendable {
        /// No relay has answered yet.
        case connecting
        /// The signer is waited for.
        case waiting
        /// The signer wants the person to open a page.
        case approval(page: String)
        /// No relay leads there.
        case unreachable
        /// The account is open.
        case paired(PublicKey)
        /// It will not come to anything; why.
        case failed(String)
    }

    /// How far it is.
    public var step: Step
    /// What to show to the signer; `nil` where the signer gave out a token.
    public var invitation: String?

    /// A try at a step.
    public init(step: Step, invitation: String? = nil) {
        self.step = step
        self.invitation = invitation
    }
}

extension PairingProgress.Step {
    /// The step of a signer's state.
    public init(_ state: RemoteSignerState) {
        self =
            switch state {
            case .connecting: .connecting
            case .ready, .waiting, .ended: .waiting
            case .waitingForApproval(let page): .approval(page: page)
            case .unreachable: .unreachable
            }
    }

    /// Whether it will not change any more.
    public var isOver: Bool {
        switch self {
        case .paired, .failed: true
        case .connecting, .waiting, .approval, .unreachable: false
        }
    }

    /// One plain sentence.
    public func sentence(isInvitation: Bool) -> String {
        switch self {
        case .connecting: SigningElsewhereWords.connecting
        case .waiting:
            isInvitation ? SigningElsewhereWords.waitingForInvitation : SigningElsewhereWords.waitingForToken
        case .approval: SigningElsewhereWords.confirm
        case .unreachable: SigningElsewhereWords.unreachable
        case .paired: SigningElsewhereWords.paired
        case .failed(let why): why
        }
    }
}

/// How it stands with the signer of an open account.
public enum SignerStanding: Hashable, Sendable {
    /// It answers.
    case answers
    /// Nothing was heard of it yet.
    case connecting
    /// It was asked and has not answered yet.
    case waiting
    /// It wants the person to open a page.
    case approval(page: String)
    /// It cannot be reached.
    case unreachable
    /// No page is open in the browser that has the key.
    case noPage
    /// A page is open in the browser that has the key.
    case pageOpen

    /// The standing of a signer's state.
    public init(_ state: RemoteSignerState) {
        self =
            switch state {
            case .connecting: .connecting
            case .ready: .answers
            case .waiting: .waiting
            case .waitingForApproval(let page): .approval(page: page)
            case .unreachable, .ended: .unreachable
            }
    }

    /// What to tell on every page; `nil` when there is nothing to do.
    public var banner: String? {
        switch self {
        case .answers, .connecting, .noPage, .pageOpen: nil
        case .waiting: SigningElsewhereWords.waiting
        case .approval: SigningElsewhereWords.confirm
        case .unreachable: SigningElsewhereWords.silent
        }
    }

    /// Whether the signer is a browser's extension.
    public var isInBrowser: Bool { self == .noPage || self == .pageOpen }

    /// The page to open, if there is one.
    public var page: String? {
        if case .approval(let page) = self { page } else { nil }
    }
}
