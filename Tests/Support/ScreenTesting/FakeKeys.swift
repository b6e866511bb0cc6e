public import NostrCore
public import ViewModels

/// The key of a machine with one passphrase, and nothing behind it.
public actor FakeKeys: KeyKeeping {
    /// How every key is kept.
    public var custody: KeyCustody
    /// When keys lock themselves.
    public private(set) var lockAfter: Duration?
    /// The passphrase in force.
    public private(set) var passphrase = FakeOpening.passphrase
    /// What was done, in order; no secrets.
    public private(set) var acts: [String] = []
    /// How often somebody was there.
    public private(set) var touches = 0
    private let opening: FakeOpening?

    /// What is shown as the encrypted key.
    public static let encrypted = "ncryptsec1fake"
    /// What is shown as the words.
    public static let words = "apple brick cloud"
    /// What a backup holds.
    public static let file: [UInt8] = [0x4C, 0x49, 0x4E, 0x4E, 0x45, 0x54, 0x00, 0xFF]

    /// - Parameter opening: told when a key is locked or burnt.
    public init(kind: KeyCustody.Kind = .file, hasMnemonic: Bool = true, opening: FakeOpening? = nil) {
        custody = KeyCustody(kind: kind, isLocked: false, hasMnemonic: hasMnemonic)
        self.opening = opening
    }

    public func custody(of key: PublicKey) -> KeyCustody { custody }
    public func lock(_ key: PublicKey) async {
        acts.append("lock")
        custody.isLocked = true
        await opening?.lock(key)
    }
    public func touch(_ key: PublicKey) { touches += 1 }
    public func autoLock(of key: PublicKey) -> Duration? { lockAfter }
    public func setAutoLock(_ after: Duration?, of key: PublicKey) { lockAfter = after }
    public func changePassphrase(of key: PublicKey, from old: String, to new: String) throws {
        try check(old)
        passphrase = new
        acts.append("passphrase")
    }
    public func exportEncrypted(_ key: PublicKey) -> String { Self.encrypted }
    public func exportMnemonic(_ key: PublicKey, passphrase: String) throws -> String {
        try check(passphrase)
        return Self.words
    }
    public func backup(_ key: PublicKey, passphrase: String) -> [UInt8] { Self.file }
    public func burn(_ key: PublicKey, passphrase: String) async throws {
        try check(passphrase)
        acts.append("burn")
        await opening?.remove(key)
    }
    public func importMnemonic(_ words: String, passphrase: String, name: String) throws -> PublicKey {
        throw Trouble("These are not words a key is made from.")
    }

    private func check(_ offered: String) throws {
        guard offered == passphrase else { throw Trouble("That is not the passphrase of this account.") }
    }
}
