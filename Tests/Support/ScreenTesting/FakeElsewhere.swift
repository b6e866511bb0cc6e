public import NostrClient
public import NostrCore
public import ViewModels

/// Signers elsewhere that do what a test says.
public actor FakeElsewhere: SigningElsewhere {
    /// What was asked for, in order; no secrets.
    public private(set) var asked: [String] = []
    /// How every try stands.
    public var progress: PairingProgress?
    /// How it stands with the signer of every account.
    public var signer: SignerStanding?
    /// What pages are to ask for.
    public var errands: [ExtensionRequest] = []
    /// What pages brought.
    public private(set) var replies: [String: BrowserReply] = [:]
    private let account: any Account

    /// Opens this account for every browser.
    public init(_ account: any Account) { self.account = account }

    /// Changes how it stands.
    public func set(progress: PairingProgress? = nil, signer: SignerStanding? = nil, errands: [ExtensionRequest] = []) {
        self.progress = progress
        self.signer = signer
        self.errands = errands
    }

    public func pair(token: String, passphrase: String) throws -> String {
        guard token.hasSuffix("good") else { throw Trouble("This token names no relay.") }
        asked.append("pair")
        return "try-1"
    }
    public func invite(passphrase: String) -> String {
        asked.append("invite")
        return "try-2"
    }
    public func pairing(_ id: String) -> PairingProgress? { id.hasPrefix("try-") ? progress : nil }
    public func giveUp(_ id: String) { asked.append("give up \(id)") }
    public func openBrowser(_ key: PublicKey) -> any Account {
        asked.append("browser \(key.hex)")
        return account
    }
    public func standing(of key: PublicKey) -> SignerStanding? { signer }
    public func browserRequests(of key: PublicKey, page: String) -> [ExtensionRequest] { errands }
    public func browserLeft(_ page: String, of key: PublicKey) { asked.append("left \(page)") }
    public func browserAnswer(_ id: String, _ reply: BrowserReply, of key: PublicKey) { replies[id] = reply }
}
