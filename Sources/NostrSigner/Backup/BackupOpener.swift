internal import Crypto
public import NostrNIPs

/// Decrypts a backup as it is read; what it gives out is as it was written, and whole once ``finish()`` returns.
///
/// Bytes may come in pieces of any size. Blocks while scrypt runs, once the first 56 bytes are here.
public struct BackupOpener: Sendable {
    private let passphrase: String
    private let limit: UInt8
    private let stretching: PassphraseStretching
    private var header: BackupHeader?
    private var waiting: [UInt8] = []
    private var number: UInt64 = 0

    /// Nothing is derived yet: the cost stands in the head of the backup.
    ///
    /// - Parameter limit: the highest cost to work through.
    public init(passphrase: String, limit: UInt8 = EncryptedSecretKey.maxLogN) {
        self.init(passphrase: passphrase, limit: limit, stretching: .scrypt)
    }

    package init(passphrase: String, limit: UInt8 = EncryptedSecretKey.maxLogN, stretching: PassphraseStretching) {
        self.passphrase = passphrase
        self.limit = limit
        self.stretching = stretching
    }

    /// Takes the next bytes of the file; returns what is known to be genuine by now.
    ///
    /// - Throws: ``BackupError``; nothing after that is worth trying.
    public mutating func update(_ bytes: [UInt8]) throws(BackupError) -> [UInt8] {
        waiting += bytes
        guard let header = try readHeader() else { return [] }
        var opened: [UInt8] = []
        var start = 0
        // A chunk is not the last one when anything comes behind it.
        while let end = try chunkEnd(from: start), end < waiting.count {
            guard let plaintext = open(waiting[start + 4..<end], header, isLast: false) else { throw .damaged }
            opened += plaintext
            number += 1
            start = end
        }
        waiting.removeFirst(start)
        return opened
    }

    /// The file has ended; returns the rest.
    ///
    /// - Throws: ``BackupError/truncated`` when the end is missing, ``BackupError/damaged``.
    public mutating func finish() throws(BackupError) -> [UInt8] {
        defer { waiting = [] }
        guard let header else {
            try BackupHeader.inspect(waiting)
            throw waiting.count < BackupHeader.magic.count ? .notABackup : .truncated
        }
        guard let end = try chunkEnd(from: 0), end == waiting.count else { throw .truncated }
        if let plaintext = open(waiting[4...], header, isLast: true) { return plaintext }
        throw open(waiting[4...], header, isLast: false) == nil ? .damaged : .truncated
    }

    private mutating func readHeader() throws(BackupError) -> BackupHeader? {
        if let header { return header }
        try BackupHeader.inspect(waiting)
        guard waiting.count >= BackupHeader.length else { return nil }
        let read = try BackupHeader(
            reading: Array(waiting.prefix(BackupHeader.length)), passphrase: passphrase, limit: limit,
            stretching: stretching)
        waiting.removeFirst(BackupHeader.length)
        header = read
        return header
    }

    /// Where the chunk that starts here ends; `nil` while that is not known or not here.
    private func chunkEnd(from start: Int) throws(BackupError) -> Int? {
        guard waiting.count - start >= 4 else { return nil }
        let length = waiting[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        guard (BackupChunk.tagLength...BackupChunk.size + BackupChunk.tagLength).contains(length) else {
            throw .damaged
        }
        let end = start + 4 + length
        return end <= waiting.count ? end : nil
    }

    private func open(_ chunk: ArraySlice<UInt8>, _ header: BackupHeader, isLast: Bool) -> [UInt8]? {
        // What does not open is told apart by the callers; the cipher only says that it does not.
        guard
            let box = try? ChaChaPoly.SealedBox(
                nonce: BackupChunk.nonce(number, isLast: isLast), ciphertext: chunk.dropLast(BackupChunk.tagLength),
                tag: chunk.suffix(BackupChunk.tagLength)),
            let plaintext = try? ChaChaPoly.open(
                box, using: header.chunkKey, authenticating: header.bytes)
        else { return nil }
        return Array(plaintext)
    }
}
