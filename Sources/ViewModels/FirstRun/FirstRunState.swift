public import NostrCore

/// The first screen: become someone here.
public struct FirstRunState: Screen {
    /// The ways in.
    public enum Door: String, Equatable, Sendable, CaseIterable {
        case create, bring, signer, device, browser, read, demo, open
    }

    /// What is wrong with what was filled in, and at which door.
    public struct Problem: Equatable, Sendable {
        /// Where.
        public let door: Door
        /// One plain sentence.
        public let sentence: String
    }

    /// Who lives here already.
    public private(set) var accounts: [AccountSummary] = []
    /// Whether the visitor can be a person of the simulated network.
    public private(set) var offersDemo = false
    /// What is wrong with what was filled in.
    public private(set) var problem: Problem?
    /// Who came in.
    public private(set) var entered: PublicKey?
    /// The try to pair with a signer elsewhere that has just begun.
    public private(set) var pairing: String?

    /// The fewest words a key is made from (NIP-06).
    static let fewestWords = 12
    /// The fewest characters of a passphrase.
    public static let shortestPassphrase = 8

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened.
        case opened
        /// Who lives here.
        case accounts([AccountSummary], offersDemo: Bool)
        /// Make a new key.
        case create(name: String, passphrase: String, again: String)
        /// Bring a key along; the passphrase is new, and typed twice, unless the key is encrypted already.
        case bring(secret: String, passphrase: String, again: String)
        /// Read with someone's public key.
        case read(String)
        /// Be a person of the simulated network.
        case demo
        /// Open an account that lives here.
        case open(PublicKey)
        /// Open an account that lives here, to write as well.
        case unlock(PublicKey, passphrase: String)
        /// Ask a signer elsewhere by the token it gave out.
        case bunker(token: String, passphrase: String, again: String)
        /// Wait for a signer elsewhere that takes an invitation.
        case invite(passphrase: String, again: String)
        /// Open the account of a browser's extension, which signed this event to prove it.
        case browser(proof: String, challenge: String)
        /// A try to pair has begun.
        case pairing(String)
        /// An account is open.
        case entered(PublicKey)
        /// It did not open.
        case failed(Door, Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        case readAccounts
        case create(name: String, passphrase: String)
        case bring(secret: String, passphrase: String)
        case bringWords(String, passphrase: String)
        case read(String)
        case demo
        case open(PublicKey)
        case unlock(PublicKey, passphrase: String)
        case pair(token: String, passphrase: String)
        case invite(passphrase: String)
        case openBrowser(proof: String, challenge: String)
    }

    /// A first screen not opened yet.
    public init() {}

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened:
            return [.readAccounts]
        case .accounts(let accounts, let offersDemo):
            self.accounts = accounts
            self.offersDemo = offersDemo
            return []
        case .entered(let key):
            entered = key
            return []
        case .pairing(let id):
            pairing = id
            return []
        case .failed(let door, let trouble):
            return refuse(door, trouble.sentence)
        default:
            problem = nil
            return enter(input)
        }
    }

    private mutating func enter(_ input: Input) -> [Effect] {
        switch input {
        case .create(let name, let passphrase, let again):
            return create(name: oneLine(name, limit: 50), passphrase: passphrase, again: again)
        case .bring(let secret, let passphrase, let again):
            let words = secret.split(whereSeparator: \.isWhitespace)
            if words.count >= Self.fewestWords {
                guard isNew(passphrase, again, at: .bring) else { return [] }
                return [.bringWords(words.joined(separator: " ").lowercased(), passphrase: passphrase)]
            }
            return bring(secret: words.joined(), passphrase: passphrase, again: again)
        case .read(let text):
            let text = text.filter { !$0.isWhitespace }
            return text.isEmpty ? refuse(.read, FirstRunWords.publicKeyMissing) : [.read(text)]
        case .demo:
            return [.demo]
        case .open(let key):
            return [.open(key)]
        case .unlock(let key, let passphrase):
            let asks = accounts.first { $0.key == key }?.asksForPassphrase ?? true
            return passphrase.isEmpty && asks
                ? refuse(.open, FirstRunWords.passphraseMissing) : [.unlock(key, passphrase: passphrase)]
        case .bunker(let token, let passphrase, let again):
            return pair(token: token.filter { !$0.isWhitespace }, passphrase: passphrase, again: again)
        case .invite(let passphrase, let again):
            return isNew(passphrase, again, at: .signer) ? [.invite(passphrase: passphrase)] : []
        case .browser(let proof, let challenge):
            return proof.isEmpty
                ? refuse(.browser, FirstRunWords.nothingSigned)
                : [.openBrowser(proof: proof, challenge: challenge)]
        case .opened, .accounts, .entered, .failed, .pairing:
            return []
        }
    }

    private mutating func pair(token: String, passphrase: String, again: String) -> [Effect] {
        let start = token.prefix(16).lowercased()
        if start.hasPrefix("nostrconnect:") {
            return refuse(.signer, FirstRunWords.invitationOfAnApp)
        }
        if !start.hasPrefix("bunker:") {
            return refuse(.signer, FirstRunWords.noToken)
        }
        return isNew(passphrase, again, at: .signer) ? [.pair(token: token, passphrase: passphrase)] : []
    }

    /// Whether a new passphrase is long enough and was typed twice; nobody can reset one that was mistyped.
    private mutating func isNew(_ passphrase: String, _ again: String, at door: Door) -> Bool {
        let problem: String? =
            if passphrase.count < Self.shortestPassphrase {
                KeysWords.tooShort(Self.shortestPassphrase)
            } else {
                passphrase == again ? nil : KeysWords.differ
            }
        guard let problem else { return true }
        _ = refuse(door, problem)
        return false
    }

    private mutating func create(name: String, passphrase: String, again: String) -> [Effect] {
        if name.isEmpty { return refuse(.create, FirstRunWords.nameMissing) }
        return isNew(passphrase, again, at: .create) ? [.create(name: name, passphrase: passphrase)] : []
    }

    private mutating func bring(secret: String, passphrase: String, again: String) -> [Effect] {
        if secret.lowercased().hasPrefix("npub1") {
            return refuse(.bring, FirstRunWords.publicNotSecret)
        }
        if secret.isEmpty {
            return refuse(.bring, FirstRunWords.keyMissing)
        }
        if secret.lowercased().hasPrefix("ncryptsec1") {
            if passphrase.isEmpty { return refuse(.bring, FirstRunWords.itsPassphraseMissing) }
        } else if !isNew(passphrase, again, at: .bring) {
            return []
        }
        return [.bring(secret: secret, passphrase: passphrase)]
    }

    private mutating func refuse(_ door: Door, _ sentence: String) -> [Effect] {
        problem = Problem(door: door, sentence: sentence)
        return []
    }
}
