public import NostrCore

/// One account's key: how it is kept, and what one can do about it.
///
/// What it shows of a key is shown once and kept nowhere.
public struct KeysState: Screen {
    /// What can be asked for.
    public enum Door: String, Hashable, Sendable, CaseIterable {
        case passphrase, encrypted, words, backup, burn, autoLock
    }

    /// What is wrong with what was filled in, and where.
    public struct Problem: Equatable, Sendable {
        /// Where.
        public let door: Door
        /// One plain sentence.
        public let sentence: String
    }

    /// What was brought out.
    public enum Shown: Equatable, Sendable {
        /// The encrypted key (`ncryptsec`).
        case encrypted(String)
        /// The words the key was made from.
        case words(String)
        /// A backup file.
        case backup([UInt8])
    }

    /// What its owner called the account.
    public let name: String
    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// How the key is kept.
    public private(set) var custody: KeyCustody?
    /// After how long it locks itself; `nil` for never.
    public private(set) var autoLock: Duration?
    /// What is wrong with what was filled in.
    public private(set) var problem: Problem?
    /// What was brought out.
    public private(set) var shown: Shown?
    /// What was done, in one sentence.
    public private(set) var done: String?
    /// Whether the account is gone.
    public private(set) var isBurnt = false

    /// What can be chosen for the key to lock itself; `nil` for never.
    public static let autoLockChoices: [Duration?] = [
        nil, .seconds(300), .seconds(900), .seconds(3600), .seconds(8 * 3600),
    ]

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened.
        case opened
        /// How the key is kept.
        case read(KeyCustody, autoLock: Duration?)
        /// Lock the key when nobody was there for so long.
        case setAutoLock(Duration?)
        /// Encrypt the key with another passphrase.
        case changePassphrase(from: String, to: String, again: String)
        /// Show the encrypted key.
        case showEncrypted
        /// Show the words.
        case showWords(passphrase: String)
        /// Make a backup file.
        case backup(passphrase: String, again: String)
        /// Remove the account with all it left here.
        case burn(name: String, passphrase: String)
        /// Something was brought out.
        case shown(Shown)
        /// It is done.
        case done(String)
        /// The account is gone.
        case burnt
        /// It did not work.
        case failed(Door?, Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        case read
        case setAutoLock(Duration?)
        case changePassphrase(from: String, to: String)
        case exportEncrypted
        case exportWords(passphrase: String)
        case backup(passphrase: String)
        case burn(passphrase: String)
    }

    /// A page not opened yet.
    public init(name: String) {
        self.name = name
    }

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened: return [.read]
        case .read(let custody, let autoLock):
            phase = .ready
            self.custody = custody
            self.autoLock = autoLock
            return []
        case .shown(let shown):
            self.shown = shown
            return []
        case .done(let sentence):
            done = sentence
            return [.read]
        case .burnt:
            isBurnt = true
            return []
        case .failed(let door, let trouble):
            guard let door else {
                phase = .failed(trouble)
                return []
            }
            return refuse(door, trouble.sentence)
        default:
            problem = nil
            return ask(input)
        }
    }

    private mutating func ask(_ input: Input) -> [Effect] {
        switch input {
        case .setAutoLock(let after):
            return [.setAutoLock(after)]
        case .changePassphrase(let old, let new, let again):
            if old.isEmpty { return refuse(.passphrase, KeysWords.oldMissing) }
            if let problem = Self.problem(with: new, again) { return refuse(.passphrase, problem) }
            if old == new { return refuse(.passphrase, KeysWords.sameAgain) }
            return [.changePassphrase(from: old, to: new)]
        case .showEncrypted:
            return [.exportEncrypted]
        case .showWords(let passphrase):
            if passphrase.isEmpty, custody?.place != .keyring { return refuse(.words, KeysWords.passphraseMissing) }
            return [.exportWords(passphrase: passphrase)]
        case .backup(let passphrase, let again):
            if let problem = Self.problem(with: passphrase, again) { return refuse(.backup, problem) }
            return [.backup(passphrase: passphrase)]
        case .burn(let typed, let passphrase):
            guard typed.trimmingSpace() == name else {
                return refuse(.burn, KeysWords.typeName(name))
            }
            if custody?.place == .file, passphrase.isEmpty { return refuse(.burn, KeysWords.passphraseMissing) }
            return [.burn(passphrase: passphrase)]
        case .opened, .read, .shown, .done, .burnt, .failed:
            return []
        }
    }

    private static func problem(with passphrase: String, _ again: String) -> String? {
        let shortest = FirstRunState.shortestPassphrase
        if passphrase.count < shortest { return KeysWords.tooShort(shortest) }
        return passphrase == again ? nil : KeysWords.differ
    }

    private mutating func refuse(_ door: Door, _ sentence: String) -> [Effect] {
        problem = Problem(door: door, sentence: sentence)
        return []
    }
}

extension ScreenModel where S == KeysState {
    /// The key of one account of this machine.
    public init(_ keys: any KeyKeeping, of key: PublicKey, name: String) {
        self.init(KeysState(name: name)) { effect in
            do { return try await perform(effect, keys, key) } catch { return .failed(effect.door, Trouble(error)) }
        }
    }
}

private func perform(
    _ effect: KeysState.Effect, _ keys: any KeyKeeping, _ key: PublicKey
) async throws -> KeysState.Input {
    switch effect {
    case .read:
        return .read(try await keys.custody(of: key), autoLock: await keys.autoLock(of: key))
    case .setAutoLock(let after):
        try await keys.setAutoLock(after, of: key)
        return .done(KeysWords.saved)
    case .changePassphrase(let old, let new):
        try await keys.changePassphrase(of: key, from: old, to: new)
        return .done(KeysWords.changed)
    case .exportEncrypted: return .shown(.encrypted(try await keys.exportEncrypted(key)))
    case .exportWords(let passphrase):
        return .shown(.words(try await keys.exportMnemonic(key, passphrase: passphrase)))
    case .backup(let passphrase): return .shown(.backup(try await keys.backup(key, passphrase: passphrase)))
    case .burn(let passphrase):
        try await keys.burn(key, passphrase: passphrase)
        return .burnt
    }
}

extension KeysState.Effect {
    fileprivate var door: KeysState.Door? {
        switch self {
        case .read: nil
        case .setAutoLock: .autoLock
        case .changePassphrase: .passphrase
        case .exportEncrypted: .encrypted
        case .exportWords: .words
        case .backup: .backup
        case .burn: .burn
        }
    }
}
