internal import Crypto
internal import Foundation
public import NostrCore

/// A secret key encrypted with a passphrase: `ncryptsec1…`.
///
/// Shape: 91 bytes: version 2, log N, 16 bytes of salt, 24 bytes of nonce, one byte on how the key was handled, 48
/// bytes of ciphertext. Source: NIP-49.
public struct EncryptedSecretKey: Hashable, Sendable, CustomStringConvertible {
    /// What is known about how the key was handled before.
    public enum Handling: UInt8, Hashable, Sendable {
        /// It was stored or copied without encryption.
        case insecure = 0
        /// It never left encrypted storage.
        case secure = 1
        /// Nobody kept track.
        case unknown = 2
    }

    /// The cost of guessing a passphrase that new keys get: 2^16 rounds of scrypt with 64 MiB, about a tenth of a second.
    public static let defaultLogN: UInt8 = 16

    /// The highest cost of keys and backups, made or opened: 2^22 rounds with 4 GiB, the last that NIP-49 lists.
    ///
    /// One bound for both ways, so that nothing is written that is refused later; what asks for more is refused before it
    /// uses up the memory.
    public static let maxLogN: UInt8 = 22

    /// The cost: 2 to this power rounds of scrypt.
    public let logN: UInt8
    /// What is known about how the key was handled.
    public let handling: Handling
    private let salt: [UInt8]
    private let nonce: [UInt8]
    private let ciphertext: [UInt8]

    /// Parses the Bech32 form.
    ///
    /// - Throws: ``EncryptedKeyError/notAnEncryptedKey`` or ``EncryptedKeyError/unknownVersion(_:)``.
    public init(_ text: String) throws(EncryptedKeyError) {
        let decoded: Bech32Text
        do {
            decoded = try bech32Decode(text, maxLength: 200)
        } catch {
            throw .notAnEncryptedKey
        }
        let bytes = decoded.bytes
        guard decoded.prefix == "ncryptsec", let version = bytes.first else { throw .notAnEncryptedKey }
        guard version == 2 else { throw .unknownVersion(version) }
        guard bytes.count == 91, let handling = Handling(rawValue: bytes[42]) else { throw .notAnEncryptedKey }
        logN = bytes[1]
        salt = Array(bytes[2..<18])
        nonce = Array(bytes[18..<42])
        self.handling = handling
        ciphertext = Array(bytes[43...])
    }

    /// Encrypts a secret key.
    ///
    /// Blocks for as long as 2^logN rounds of scrypt take: call it on a thread of its own.
    ///
    /// - Parameters:
    ///   - passphrase: not empty; normalised to NFKC.
    ///   - logN: 1 to ``maxLogN``.
    /// - Throws: ``EncryptedKeyError``.
    public init(
        encrypting key: borrowing SecretKey, passphrase: String, logN: UInt8 = defaultLogN, handling: Handling,
        using random: inout some RandomNumberGenerator
    ) throws(EncryptedKeyError) {
        try self.init(
            encrypting: key, passphrase: passphrase, logN: logN, handling: handling, stretching: .scrypt, using: &random
        )
    }

    package init(
        encrypting key: borrowing SecretKey, passphrase: String, logN: UInt8, handling: Handling,
        stretching: PassphraseStretching, using random: inout some RandomNumberGenerator
    ) throws(EncryptedKeyError) {
        let salt = randomBytes(16, using: &random)
        let nonce = randomBytes(XChaCha20Poly1305.nonceLength, using: &random)
        let symmetricKey = try Self.derive(passphrase, salt: salt, logN: logN, limit: Self.maxLogN, stretching)
        var secret = key.withBytes { bytes(of: $0) }
        defer { for i in secret.indices { secret[i] = 0 } }
        do {
            ciphertext = try XChaCha20Poly1305.seal(
                secret, key: symmetricKey, nonce: nonce, authenticating: [handling.rawValue])
        } catch {
            throw .outOfMemory
        }
        self.logN = logN
        self.handling = handling
        self.salt = salt
        self.nonce = nonce
    }

    /// Decrypts the key.
    ///
    /// Blocks for as long as 2^logN rounds of scrypt take: call it on a thread of its own.
    ///
    /// - Parameter limit: the highest ``logN`` to work through.
    /// - Throws: ``EncryptedKeyError``.
    public func decrypt(passphrase: String, limit: UInt8 = maxLogN) throws(EncryptedKeyError) -> SecretKey {
        try decrypt(passphrase: passphrase, limit: limit, stretching: .scrypt)
    }

    package func decrypt(
        passphrase: String, limit: UInt8 = maxLogN, stretching: PassphraseStretching
    ) throws(EncryptedKeyError) -> SecretKey {
        let symmetricKey = try Self.derive(passphrase, salt: salt, logN: logN, limit: limit, stretching)
        var secret: [UInt8]
        do {
            secret = try XChaCha20Poly1305.open(
                ciphertext, key: symmetricKey, nonce: nonce, authenticating: [handling.rawValue])
        } catch {
            throw .wrongPassphrase
        }
        defer { for i in secret.indices { secret[i] = 0 } }
        do {
            return try SecretKey(secret.span)
        } catch {
            throw .notASecretKey
        }
    }

    /// The Bech32 form.
    public var description: String {
        bech32Encode(prefix: "ncryptsec", bytes: [2, logN] + salt + nonce + [handling.rawValue] + ciphertext)
    }

    private static func derive(
        _ passphrase: String, salt: [UInt8], logN: UInt8, limit: UInt8, _ stretching: PassphraseStretching
    ) throws(EncryptedKeyError) -> SymmetricKey {
        guard logN >= 1, logN <= min(limit, 30) else { throw .costOutOfRange(logN: logN, limit: limit) }
        var password = normalised(passphrase)
        guard !password.isEmpty else { throw .emptyPassphrase }
        defer { for i in password.indices { password[i] = 0 } }
        do {
            return try stretching.key(password, salt, logN)
        } catch {
            throw .outOfMemory
        }
    }

    /// The bytes scrypt gets, so that a passphrase typed on another keyboard or system is the same.
    package static func normalised(_ passphrase: String) -> [UInt8] {
        Array(passphrase.precomposedStringWithCompatibilityMapping.utf8)
    }
}

/// Why a key was not encrypted or decrypted; never carries the passphrase or the key.
public enum EncryptedKeyError: Error, Hashable, Sendable {
    /// Not Bech32 with the prefix `ncryptsec`, damaged, or of the wrong length.
    case notAnEncryptedKey
    /// A version of the format this program does not know.
    case unknownVersion(UInt8)
    /// The cost is zero or above the limit.
    case costOutOfRange(logN: UInt8, limit: UInt8)
    /// An empty passphrase protects nothing.
    case emptyPassphrase
    /// The passphrase does not fit (or the ciphertext was changed; the two cannot be told apart).
    case wrongPassphrase
    /// Decrypted well, but what was inside is no secret key.
    case notASecretKey
    /// The machine has not the memory this cost asks for.
    case outOfMemory
}
