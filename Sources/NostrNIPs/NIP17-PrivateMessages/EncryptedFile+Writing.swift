internal import Crypto
public import NostrCore

/// Encrypting a file, and the message that hands its key over.
extension EncryptedFile {
    /// Encrypts a file under a key and a nonce that are drawn for it and used once.
    ///
    /// - Parameters:
    ///   - type: what it is, as `image/png`.
    ///   - random: gives the key of 32 bytes and the nonce of 12.
    /// - Returns: what the message says of it, without an address until it is uploaded; and what is to be uploaded: the
    ///   ciphertext and, at its end, the tag of 16 bytes.
    public static func sealing(
        _ plain: [UInt8], type: String, using random: inout some RandomNumberGenerator
    ) -> (file: EncryptedFile, encrypted: [UInt8]) {
        let key = randomBytes(32, using: &random)
        let nonce = randomBytes(12, using: &random)
        let encrypted = ciphertext(of: plain, key, nonce)
        var file = EncryptedFile(url: "", type: type, key: key, nonce: nonce, hash: sha256(of: encrypted))
        file.originalHash = sha256(of: plain)
        file.size = encrypted.count
        return (file, encrypted)
    }

    private static func ciphertext(of plain: [UInt8], _ key: [UInt8], _ nonce: [UInt8]) -> [UInt8] {
        do {
            let box = try AES.GCM.seal(plain, using: SymmetricKey(data: key), nonce: AES.GCM.Nonce(data: nonce))
            return Array(box.ciphertext) + Array(box.tag)
        } catch {
            preconditionFailure("a key of 32 bytes and a nonce of 12 always encrypt: \(error)")
        }
    }

    /// A message with this file to everybody in a room; the same rumor goes to all of them and to the author.
    ///
    /// - Parameters:
    ///   - author: who writes.
    ///   - replyTo: the message it answers.
    ///   - relays: where people read, written beside their names.
    public func draft(
        to room: ChatRoom, by author: PublicKey, replyTo: EventPointer? = nil, subject: String? = nil,
        relays: [PublicKey: RelayURL] = [:], expiration: Timestamp? = nil, createdAt: Timestamp
    ) -> EventDraft {
        var tags = room.tags(by: author, relays: relays)
        // Unlike in a text message, the marker stands here in the text of the NIP.
        if let replyTo { tags.append(["e", replyTo.id.hex, replyTo.relays.first?.text ?? "", "reply"]) }
        if let subject { tags.append(["subject", subject]) }
        tags += self.tags
        if let expiration { tags.append(.expiration(expiration)) }
        return EventDraft(kind: ChatMessage.fileKind, tags: tags, content: url, createdAt: createdAt)
    }

    /// What the message says of the file, its key among it.
    private var tags: [Tag] {
        var tags: [Tag] = [
            ["file-type", type], ["encryption-algorithm", "aes-gcm"], ["decryption-key", encodeHex(key)],
            ["decryption-nonce", encodeHex(nonce)], ["x", hash.hex],
        ]
        if let originalHash { tags.append(["ox", originalHash.hex]) }
        if let size { tags.append(["size", String(size)]) }
        if let dimensions { tags.append(["dim", dimensions]) }
        if let blurhash { tags.append(["blurhash", blurhash]) }
        if let thumb { tags.append(["thumb", thumb]) }
        if let description, !description.isEmpty { tags.append(["alt", description]) }
        return tags + fallbacks.map { Tag(["fallback", $0]) }
    }
}
