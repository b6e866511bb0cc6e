import Crypto
import NostrStore

/// A browser's side of Web Push, written from the RFCs alone: it shares no code with the sender.
struct WebPushReceiver {
    let key: P256.KeyAgreement.PrivateKey
    let secret: [UInt8]

    init(key: P256.KeyAgreement.PrivateKey = .init(), secret: [UInt8] = Array(1...16)) {
        self.key = key
        self.secret = secret
    }

    func subscription(_ endpoint: String) -> PushSubscription {
        PushSubscription(endpoint: endpoint, publicKey: Array(key.publicKey.x963Representation), secret: secret)
    }

    struct Unreadable: Error {
        let why: String
    }

    /// Source: RFC 8188 §2.1 for the header, §2.2 and §2.3 for key and nonce; RFC 8291 §3.3 and §3.4 for the input key.
    func decrypt(_ body: [UInt8]) throws -> [UInt8] {
        guard body.count > 21 else { throw Unreadable(why: "short") }
        let salt = Array(body[..<16])
        let recordSize = body[16..<20].reduce(0) { $0 << 8 | Int($1) }
        let keyLength = Int(body[20])
        guard keyLength == 65, body.count > 21 + keyLength else { throw Unreadable(why: "key id") }
        let sender = Array(body[21..<21 + keyLength])
        let record = Array(body[(21 + keyLength)...])
        guard record.count <= recordSize, record.count > 16 else { throw Unreadable(why: "more than one record") }
        let shared = try key.sharedSecretFromKeyAgreement(with: .init(x963Representation: sender))
        let ecdh = unsafe shared.withUnsafeBytes { unsafe Array($0) }
        let firstKey = hmac(secret, ecdh)
        let keyInfo = Array("WebPush: info".utf8) + [0] + Array(key.publicKey.x963Representation) + sender
        let input = hmac(firstKey, keyInfo + [1])
        let pseudorandom = hmac(salt, input)
        let contentKey = hmac(pseudorandom, Array("Content-Encoding: aes128gcm".utf8) + [0, 1]).prefix(16)
        let nonce = hmac(pseudorandom, Array("Content-Encoding: nonce".utf8) + [0, 1]).prefix(12)
        let box = try AES.GCM.SealedBox(
            nonce: .init(data: nonce), ciphertext: record.dropLast(16), tag: record.suffix(16))
        var plain = Array(try AES.GCM.open(box, using: SymmetricKey(data: contentKey)))
        while plain.last == 0 { plain.removeLast() }
        guard plain.popLast() == 2 else { throw Unreadable(why: "no delimiter of a last record") }
        return plain
    }

    private func hmac(_ key: [UInt8], _ data: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: data, using: SymmetricKey(data: key)))
    }
}
