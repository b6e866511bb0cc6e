public import NostrClient
public import NostrCore
import NostrTesting
public import ViewModels

/// Opens one account, whatever the door, and others that were added by their key; refuses passphrases other than the
/// right one.
public actor FakeOpening: AccountOpening {
    public nonisolated let offersDemo: Bool
    /// Who lives here.
    public var summaries: [AccountSummary]
    /// What was asked for, in order; no secrets.
    public private(set) var asked: [String] = []
    private let account: any Account
    private var others: [PublicKey: any Account] = [:]
    private var locked: Set<PublicKey>

    /// The passphrase that works.
    public static let passphrase = "correct horse"

    /// Opens this account.
    public init(_ account: any Account, lives: Bool = false, locked: Bool = false, offersDemo: Bool = true) {
        self.account = account
        self.locked = locked ? [account.publicKey] : []
        self.offersDemo = offersDemo
        summaries = lives ? [AccountSummary(key: account.publicKey, name: "Ada", custody: .key)] : []
    }

    /// Has one more account live here.
    public func add(_ other: any Account, name: String, custody: AccountSummary.Custody = .key, locked: Bool = false) {
        others[other.publicKey] = other
        summaries.append(AccountSummary(key: other.publicKey, name: name, custody: custody))
        if locked { self.locked.insert(other.publicKey) }
    }

    /// Locks an account, as time or its owner does.
    public func lock(_ key: PublicKey) { locked.insert(key) }
    /// Takes an account away.
    public func remove(_ key: PublicKey) { summaries.removeAll { $0.key == key } }

    public func accounts() -> [AccountSummary] { summaries }
    public func create(name: String, passphrase: String) -> any Account { enter("create \(name)") }
    public func importSecret(_ text: String, passphrase: String) throws -> any Account {
        guard text.hasPrefix("nsec1") else { throw Trouble("That is not a secret key.") }
        return enter("import")
    }
    public func openReadOnly(_ text: String) -> any Account { enter("read \(text)") }
    public func openDemo() -> any Account { enter("demo") }
    public func open(_ key: PublicKey) -> any Account { enter("open", key) }
    public func isLocked(_ key: PublicKey) -> Bool { locked.contains(key) }
    public func unlock(_ key: PublicKey, passphrase: String) throws -> any Account {
        guard passphrase == Self.passphrase else { throw Trouble("That is not the passphrase of this account.") }
        locked.remove(key)
        return enter("unlock", key)
    }

    public func didAllow(_ relay: RelayURL) async {
        await account.didAllow(relay)
        for other in others.values { await other.didAllow(relay) }
    }

    private func enter(_ words: String, _ key: PublicKey? = nil) -> any Account {
        asked.append(words)
        return key.flatMap { others[$0] } ?? account
    }
}
