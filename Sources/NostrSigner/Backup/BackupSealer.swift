internal import Crypto
internal import NostrCore
public import NostrNIPs

/// Encrypts a backup as it is written, 64 KiB at a time.
///
/// Shape: the header and chunks that `BackupFormat.swift` describes.
public struct BackupSealer: Sendable {
    private let header: BackupHeader
    private var waiting: [UInt8] = []
    private var number: UInt64 = 0
    private var isBegun = false

    /// Derives the key from a passphrase; scrypt runs on a thread of its own.
    ///
    /// - Parameters:
    ///   - passphrase: not empty; normalised to NFKC, as NIP-49 asks.
    ///   - logN: the cost of guessing it, 1 to ``/NostrNIPs/EncryptedSecretKey/maxLogN``.
    /// - Throws: ``BackupError``.
    public init(
        passphrase: String, logN: UInt8 = EncryptedSecretKey.defaultLogN,
        using random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) async throws {
        try await self.init(passphrase: passphrase, logN: logN, stretching: .scrypt, using: random)
    }

    package init(
        passphrase: String, logN: UInt8, stretching: PassphraseStretching,
        using random: any RandomNumberGenerator & Sendable
    ) async throws {
        header = try await KeystoreQueue().perform {
            var random = random
            return try BackupHeader(passphrase: passphrase, logN: logN, stretching: stretching, using: &random)
        }
    }

    /// Takes what comes next; returns what is ready for the file, which may be nothing.
    public mutating func update(_ bytes: [UInt8]) throws -> [UInt8] {
        waiting += bytes
        var ready = begin()
        var start = 0
        // One byte more than a chunk must be here: a full chunk may turn out to be the last.
        while waiting.count - start > BackupChunk.size {
            ready += try seal(waiting[start..<start + BackupChunk.size], isLast: false)
            start += BackupChunk.size
        }
        waiting.removeFirst(start)
        return ready
    }

    /// Ends the backup; returns its last bytes.
    public mutating func finish() throws -> [UInt8] {
        defer { waiting = [] }
        return try begin() + seal(waiting[...], isLast: true)
    }

    private mutating func begin() -> [UInt8] {
        defer { isBegun = true }
        return isBegun ? [] : header.bytes
    }

    private mutating func seal(_ plaintext: ArraySlice<UInt8>, isLast: Bool) throws -> [UInt8] {
        let box = try ChaChaPoly.seal(
            plaintext, using: header.chunkKey, nonce: BackupChunk.nonce(number, isLast: isLast),
            authenticating: header.bytes)
        number += 1
        let length = UInt32(plaintext.count + BackupChunk.tagLength)
        return (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + box.ciphertext + box.tag
    }
}
