public import NostrClient
public import NostrCore
import NostrTesting
public import ViewModels

/// Opens one account, whatever the door; refuses passphrases other than the right one.
public actor FakeOpening: AccountOpening {
    public nonisolated let offersDemo: Bool
    /// Who lives here.
    public var summaries: [AccountSummary]
    /// What was asked for, in order; no secrets.
    public private(set) var asked: [String] = []
    private let account: any Account
    private var locked: Bool

    /// The passphrase that works.
    public static let passphrase = "correct horse"

    /// Opens this account.
    public init(_ account: any Account, lives: Bool = false, locked: Bool = false, offersDemo: Bool = true) {
        self.account = account
        self.locked = locked
        self.offersDemo = offersDemo
        summaries = lives ? [AccountSummary(key: account.publicKey, name: "Ada", custody: .key)] : []
    }

    public func accounts() -> [AccountSummary] { summaries }
    public func create(name: String, passphrase: String) -> any Account { enter("create \(name)") }
    public func importSecret(_ text: String, passphrase: String) throws -> any Account {
        guard text.hasPrefix("nsec1") else { throw Trouble("That is not a secret key.") }
        return enter("import")
    }
    public func openReadOnly(_ text: String) -> any Account { enter("read \(text)") }
    public func openDemo() -> any Account { enter("demo") }
    public func open(_ key: PublicKey) -> any Account { enter("open") }
    public func isLocked(_ key: PublicKey) -> Bool { locked }
    public func unlock(_ key: PublicKey, passphrase: String) throws -> any Account {
        guard passphrase == Self.passphrase else { throw Trouble("That is not the passphrase of this account.") }
        locked = false
        return enter("unlock")
    }

    private func enter(_ words: String) -> any Account {
        asked.append(words)
        return account
    }
}
