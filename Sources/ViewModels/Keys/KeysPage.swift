public import NostrCore

/// One account's key: how it is kept, and what can be done about it.
///
/// What it shows of a key is shown once and kept nowhere.
public struct KeysPage: Equatable, Sendable {
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

    /// What a form asks for.
    public enum Act: Equatable, Sendable {
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
    }

    /// Whose.
    public let key: PublicKey
    /// What its owner called the account.
    public let name: String
    /// How the key is kept.
    public let custody: KeyCustody
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

    init(_ key: PublicKey, name: String, custody: KeyCustody, autoLock: Duration? = nil) {
        self.key = key
        self.name = name
        self.custody = custody
        self.autoLock = autoLock
    }

    /// The key of one account of this machine.
    public static func load(
        _ key: PublicKey, name: String, from keys: any KeyKeeping
    ) async throws(Trouble) -> KeysPage {
        let custody = try await troubled { try await keys.custody(of: key) }
        return KeysPage(key, name: name, custody: custody, autoLock: await keys.autoLock(of: key))
    }

    /// Does what a form asks for.
    ///
    /// Afterwards one of ``done``, ``shown`` and ``isBurnt`` says what was done, or ``problem`` why nothing was.
    public mutating func perform(_ act: Act, in keys: any KeyKeeping) async {
        problem = refusal(of: act).map { Problem(door: act.door, sentence: $0) }
        guard problem == nil else { return }
        do {
            switch act {
            case .setAutoLock(let after):
                try await keys.setAutoLock(after, of: key)
                autoLock = await keys.autoLock(of: key)
                done = KeysWords.saved
            case .changePassphrase(let old, let new, _):
                try await keys.changePassphrase(of: key, from: old, to: new)
                done = KeysWords.changed
            case .showEncrypted: shown = .encrypted(try await keys.exportEncrypted(key))
            case .showWords(let passphrase):
                shown = .words(try await keys.exportMnemonic(key, passphrase: passphrase))
            case .backup(let passphrase, _): shown = .backup(try await keys.backup(key, passphrase: passphrase))
            case .burn(_, let passphrase):
                try await keys.burn(key, passphrase: passphrase)
                isBurnt = true
            }
        } catch {
            problem = Problem(door: act.door, sentence: Trouble(error).sentence)
        }
    }

    /// Why something cannot work, before anyone is asked.
    func refusal(of act: Act) -> String? {
        switch act {
        case .changePassphrase(let old, let new, let again):
            if old.isEmpty { return KeysWords.oldMissing }
            return Self.problem(with: new, again) ?? (old == new ? KeysWords.sameAgain : nil)
        case .showWords(let passphrase):
            return passphrase.isEmpty && custody.kind != .keyring ? KeysWords.passphraseMissing : nil
        case .backup(let passphrase, let again): return Self.problem(with: passphrase, again)
        case .burn(let typed, let passphrase):
            if typed.trimmingSpace() != name { return KeysWords.typeName(name) }
            return custody.kind == .file && passphrase.isEmpty ? KeysWords.passphraseMissing : nil
        case .setAutoLock, .showEncrypted: return nil
        }
    }

    private static func problem(with passphrase: String, _ again: String) -> String? {
        let shortest = FirstRunState.shortestPassphrase
        if passphrase.count < shortest { return KeysWords.tooShort(shortest) }
        return passphrase == again ? nil : KeysWords.differ
    }
}

extension KeysPage.Act {
    fileprivate var door: KeysPage.Door {
        switch self {
        case .setAutoLock: .autoLock
        case .changePassphrase: .passphrase
        case .showEncrypted: .encrypted
        case .showWords: .words
        case .backup: .backup
        case .burn: .burn
        }
    }
}
