internal import Crypto
internal import NostrCore
internal import NostrNIPs

/// Why a backup was not made or read; never carries the passphrase or what is inside.
public enum BackupError: Error, Hashable, Sendable {
    /// Not one of Linnet's backups.
    case notABackup
    /// Made by a newer Linnet.
    case tooNew(version: UInt8)
    /// An empty passphrase protects nothing.
    case emptyPassphrase
    /// The passphrase does not fit.
    case wrongPassphrase
    /// The cost of the passphrase is zero or above the limit.
    case costOutOfRange(logN: UInt8, limit: UInt8)
    /// The end is missing.
    case truncated
    /// Bytes were changed, moved or added.
    case damaged
    /// The machine has not the memory this cost asks for.
    case outOfMemory
}

/// The first bytes of a backup.
///
/// Shape, 56 bytes: `LINNET BACKUP\n`, the version (1), log N of scrypt, 16 bytes of salt, 8 bytes of SHA-256 over all
/// before, 16 bytes of HMAC-SHA256 over all before. The hash tells damage from a wrong passphrase, which the HMAC finds.
/// Behind it come chunks: the length as four bytes, high byte first, then ChaCha20-Poly1305 with the header as
/// associated data, and as nonce three zeros, the number of the chunk in eight bytes, and one that is 1 in the last
/// chunk only. So no chunk can be left out, moved, added or taken from another backup.
struct BackupHeader: Sendable {
    static let version: UInt8 = 1
    static let magic = Array("LINNET BACKUP\n".utf8)
    static let length = 56

    let bytes: [UInt8]
    let chunkKey: SymmetricKey

    /// Makes the header of a new backup; blocks while scrypt runs.
    init(
        passphrase: String, logN: UInt8, stretching: PassphraseStretching,
        using random: inout some RandomNumberGenerator
    ) throws(BackupError) {
        let salt = randomBytes(16, using: &random)
        let root = try Self.root(passphrase, salt: salt, logN: logN, limit: EncryptedSecretKey.maxLogN, stretching)
        var bytes = Self.magic + [Self.version, logN] + salt
        bytes += Self.checksum(bytes)
        bytes += Self.confirmation(bytes, root)
        self.bytes = bytes
        chunkKey = Self.derived("chunks", root)
    }

    /// Reads the header of a backup; blocks while scrypt runs.
    ///
    /// - Parameter bytes: ``length`` bytes.
    init(
        reading bytes: [UInt8], passphrase: String, limit: UInt8, stretching: PassphraseStretching
    ) throws(BackupError) {
        try Self.inspect(bytes)
        guard bytes.count == Self.length else { throw .truncated }
        guard Self.checksum(Array(bytes[..<32])).elementsEqual(bytes[32..<40]) else { throw .damaged }
        let root = try Self.root(passphrase, salt: Array(bytes[16..<32]), logN: bytes[15], limit: limit, stretching)
        guard Self.isConfirmed(bytes, by: root) else { throw .wrongPassphrase }
        self.bytes = bytes
        chunkKey = Self.derived("chunks", root)
    }

    /// Refuses what is no backup, or a newer one, as early as it shows.
    static func inspect(_ bytes: [UInt8]) throws(BackupError) {
        guard bytes.prefix(magic.count).elementsEqual(magic.prefix(bytes.count)) else { throw .notABackup }
        guard bytes.count > magic.count else { return }
        guard bytes[magic.count] != 0 else { throw .notABackup }
        guard bytes[magic.count] <= version else { throw .tooNew(version: bytes[magic.count]) }
    }

    private static func root(
        _ passphrase: String, salt: [UInt8], logN: UInt8, limit: UInt8, _ stretching: PassphraseStretching
    ) throws(BackupError) -> SymmetricKey {
        guard logN >= 1, logN <= min(limit, 30) else { throw .costOutOfRange(logN: logN, limit: limit) }
        var password = EncryptedSecretKey.normalised(passphrase)
        guard !password.isEmpty else { throw .emptyPassphrase }
        defer { for i in password.indices { password[i] = 0 } }
        do {
            return try stretching.key(password, salt, logN)
        } catch {
            throw .outOfMemory
        }
    }

    private static func derived(_ purpose: String, _ root: SymmetricKey) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: root, info: Array("linnet backup v1 \(purpose)".utf8), outputByteCount: 32)
    }

    private static func checksum(_ bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes).prefix(8)) }

    private static func confirmation(_ bytes: [UInt8], _ root: SymmetricKey) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: bytes, using: derived("confirmation", root)).prefix(16))
    }

    /// Compares in constant time.
    private static func isConfirmed(_ bytes: [UInt8], by root: SymmetricKey) -> Bool {
        let expected = confirmation(Array(bytes[..<40]), root)
        return zip(expected, bytes[40...]).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

/// The chunks of a backup.
enum BackupChunk {
    /// How much plaintext a chunk holds; only the last one holds less.
    static let size = 65_536
    static let tagLength = 16

    static func nonce(_ number: UInt64, isLast: Bool) throws -> ChaChaPoly.Nonce {
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        return try ChaChaPoly.Nonce(data: [0, 0, 0] + counter + [isLast ? 1 : 0])
    }
}
