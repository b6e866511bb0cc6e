internal import Crypto
internal import NostrCore

extension EncryptedFile {
    /// Reads a file message; `nil` unless it is of kind 15 and has all that is needed to fetch and decrypt the file.
    ///
    /// The text does not say how key and nonce are written; hex, which most programs use, and Base64 are read.
    public init?(_ rumor: Rumor) {
        func value(_ name: String) -> String? { rumor.tags.first { $0.name == name }?.text(at: 1) }
        guard rumor.kind == ChatMessage.fileKind, isWebURL(rumor.content),
            value("encryption-algorithm")?.lowercased() == "aes-gcm",
            let key = value("decryption-key").flatMap(Self.bytes), [16, 24, 32].contains(key.count),
            let nonce = value("decryption-nonce").flatMap(Self.bytes), (12...64).contains(nonce.count),
            let hash = value("x").flatMap(Self.digest)
        else { return nil }
        self.init(url: rumor.content, type: value("file-type") ?? "", key: key, nonce: nonce, hash: hash)
        let others = rumor.tags.named("fallback").lazy.compactMap { $0.text(at: 1) }.filter(isWebURL)
        fallbacks = Array(others.prefix(Self.mostFallbacks))
        originalHash = value("ox").flatMap(Self.digest)
        size = value("size").flatMap { Int(decimal: $0) }
        dimensions = value("dim")
        blurhash = value("blurhash")
        thumb = value("thumb").flatMap { isWebURL($0) ? $0 : nil }
        description = value("alt")
    }

    /// The most further addresses that are read: each of them is asked in turn.
    private static let mostFallbacks = 8

    /// Decrypts the file that was fetched.
    ///
    /// - Parameter encrypted: ciphertext and, at its end, the tag of 16 bytes.
    /// - Throws: ``EncryptedFileError``.
    public func decrypt(_ encrypted: [UInt8]) throws(EncryptedFileError) -> [UInt8] {
        guard sha256(of: encrypted) == hash else { throw .wrongHash }
        let plain: [UInt8]
        do {
            guard encrypted.count >= 16 else { throw EncryptedFileError.doesNotOpen }
            let box = try AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: nonce), ciphertext: encrypted.dropLast(16), tag: encrypted.suffix(16))
            plain = Array(try AES.GCM.open(box, using: SymmetricKey(data: key)))
        } catch {
            throw .doesNotOpen
        }
        if let originalHash, sha256(of: plain) != originalHash { throw .wrongOriginalHash }
        return plain
    }

    private static func bytes(_ text: String) -> [UInt8]? {
        // What is no hex may still be Base64.
        (try? decodeHex(text.lowercased(), byteCount: text.utf8.count / 2)) ?? Base64.decode(text)
    }

    private static func digest(_ text: String) -> Bytes32? {
        // A malformed digest counts as missing, as everything in a tag does.
        guard let bytes = try? decodeHex(text.lowercased(), byteCount: 32) else { return nil }
        return try? Bytes32(bytes.span)
    }
}

/// Why a fetched file is not what the message promised.
public enum EncryptedFileError: Error, Hashable, Sendable {
    /// Another file: its hash differs.
    case wrongHash
    /// The key in the message does not open it.
    case doesNotOpen
    /// What came out has another hash than the author named.
    case wrongOriginalHash
}

func sha256(of bytes: [UInt8]) -> Bytes32 {
    let digest = Array(SHA256.hash(data: bytes))
    do { return try Bytes32(digest.span) } catch { preconditionFailure("SHA-256 has 32 bytes: \(error)") }
}
