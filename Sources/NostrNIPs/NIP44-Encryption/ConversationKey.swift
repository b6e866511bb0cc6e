internal import Crypto
internal import CryptoExtras
public import NostrCore

/// What two people encrypt with between each other (NIP-44, version 2): the same for both; also for a person alone.
///
/// Shape: 32 secret bytes, wiped by swift-crypto when the last copy is released. Source: NIP-44, "Version 2".
public struct ConversationKey: Sendable {
    /// The longest text in the form that every program reads; unit: bytes of UTF-8.
    public static let compatibleLength = PaddedText.extendedThreshold - 1
    /// The longest text that is decrypted unless the caller says otherwise: 1 MiB; unit: bytes of UTF-8.
    public static let longestRead = 1 << 20

    private static let version: UInt8 = 2
    private static let salt = Array("nip44-v2".utf8)
    let key: SymmetricKey

    /// Derives the key of two people; takes about as long as checking a signature.
    ///
    /// - Throws: ``/NostrCore/SharedSecretError/notAPublicKey``.
    public init(between mine: borrowing SecretKey, and other: PublicKey) throws(SharedSecretError) {
        let shared = try mine.sharedX(with: other)
        let secret = shared.withBytes { bytes in unsafe bytes.withUnsafeBytes { unsafe SymmetricKey(data: $0) } }
        key = SymmetricKey(data: HKDF<SHA256>.extract(inputKeyMaterial: secret, salt: Self.salt))
    }

    /// The key itself, as test vectors have it.
    init(_ key: SymmetricKey) {
        self.key = key
    }

    /// Encrypts a text.
    ///
    /// - Parameters:
    ///   - limit: the longest text to take, in bytes of UTF-8. Above ``compatibleLength`` the extended form of 2026 is
    ///     written, which few programs read yet: only a caller who knows the reader allows it.
    ///   - random: gives the nonce, which must never come twice.
    /// - Throws: ``PayloadError/empty`` or ``PayloadError/tooLong(limit:)``.
    public func encrypt(
        _ text: String, limit: Int = compatibleLength, using random: inout some RandomNumberGenerator
    ) throws(PayloadError) -> String {
        try encrypt(text, limit: limit, nonce: randomBytes(32, using: &random))
    }

    /// Encrypts a text with a nonce of 32 bytes.
    func encrypt(_ text: String, limit: Int = compatibleLength, nonce: [UInt8]) throws(PayloadError) -> String {
        // Our own strings are contiguous already; for others every byte would cost a call.
        var text = text
        text.makeContiguousUTF8()
        let length = text.utf8.count
        guard length > 0 else { throw .empty }
        guard length <= min(limit, Int(UInt32.max)) else { throw .tooLong(limit: limit) }
        let keys = PayloadKeys(of: key, nonce: nonce)
        var payload: [UInt8] = []
        payload.reserveCapacity(65 + PaddedText.prefixLength(length) + PaddedText.paddedLength(length))
        payload.append(Self.version)
        payload += nonce
        payload += keys.chacha20(PaddedText.pad(text.utf8)[...])
        let code = HMAC<SHA256>.authenticationCode(for: payload.dropFirst(), using: keys.authentication)
        payload += code
        return Base64.encode(payload.span)
    }

    /// Decrypts a payload.
    ///
    /// Both forms are read. The event around it must have been verified, as every ``/NostrCore/Event`` is.
    ///
    /// - Parameter limit: the longest text to take, in bytes; longer payloads are refused before they are decoded.
    /// - Throws: ``PayloadError``.
    public func decrypt(_ payload: String, limit: Int = longestRead) throws(PayloadError) -> String {
        let bytes = try Self.decode(payload, limit: limit)
        let (nonce, end) = (Array(bytes[1..<33]), bytes.count - 32)
        let keys = PayloadKeys(of: key, nonce: nonce)
        // Compares in constant time.
        guard
            HMAC<SHA256>.isValidAuthenticationCode(
                bytes[end...], authenticating: bytes[1..<end], using: keys.authentication)
        else { throw .wrongKey }
        let padded = keys.chacha20(bytes[33..<end])
        let range = try PaddedText.text(in: padded)
        guard range.count <= limit else { throw .tooLong(limit: limit) }
        guard let text = String(validating: padded[range], as: UTF8.self) else { throw .notText }
        return text
    }

    /// The bytes of a payload: version, nonce, at least 34 bytes of ciphertext, code.
    private static func decode(_ payload: String, limit: Int) throws(PayloadError) -> [UInt8] {
        let length = payload.utf8.count
        guard length > 0, payload.utf8.first != UInt8(ascii: "#") else { throw .unknownVersion(nil) }
        let limit = min(max(limit, 1), Int(UInt32.max))
        let longest = 65 + PaddedText.prefixLength(limit) + PaddedText.paddedLength(limit)
        guard length <= Base64.length(ofBytes: longest) else { throw .tooLong(limit: limit) }
        guard length >= 132 else { throw .wrongLength(got: length) }
        guard let bytes = Base64.decode(payload) else { throw .malformed }
        guard bytes.count >= 99 else { throw .wrongLength(got: length) }
        guard bytes[0] == version else { throw .unknownVersion(bytes[0]) }
        return bytes
    }
}

/// The keys of one message.
///
/// Source: NIP-44: 76 bytes of HKDF-expand over the conversation key and the nonce; wiped on release.
struct PayloadKeys {
    let cipher: SymmetricKey
    let cipherNonce: [UInt8]
    let authentication: SymmetricKey

    init(of conversation: SymmetricKey, nonce: [UInt8]) {
        let blocks = Self.expand(conversation, info: nonce)
        (cipher, cipherNonce, authentication) = blocks.withBytes { blocks in
            unsafe blocks.withUnsafeBytes { bytes in
                let cipher = unsafe SymmetricKey(data: bytes[0..<32])
                return unsafe (cipher, Array(bytes[32..<44]), SymmetricKey(data: bytes[44..<76]))
            }
        }
    }

    /// Three blocks of HKDF-expand (RFC 5869).
    ///
    /// What `HKDF.expand` gives, in half the time: that prepares the key anew for each block, which takes longer than
    /// the hashing.
    ///
    /// - Parameter info: 32 bytes.
    private static func expand(_ key: SymmetricKey, info: [UInt8]) -> SecretBytes {
        let keyed = HMAC<SHA256>(key: key)
        // The three blocks, and what the code of each is over: the block before, the info and a counter.
        return SecretBytes(count: 96 + 65) { out in
            unsafe out.withUnsafeMutableBytes { bytes in
                unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[128..<160]).copyBytes(from: info.prefix(32))
                for turn in 0..<3 {
                    unsafe bytes[160] = UInt8(turn + 1)
                    var code = keyed
                    unsafe code.update(data: UnsafeRawBufferPointer(rebasing: bytes[(turn == 0 ? 128 : 96)..<161]))
                    unsafe code.finalize().withUnsafeBytes { block in
                        unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[32 * turn..<96]).copyMemory(from: block)
                        unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[96..<128]).copyMemory(from: block)
                    }
                }
            }
        }
    }

    /// ChaCha20 from block 0, which is its own reverse.
    func chacha20(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        do {
            let nonce = try Insecure.ChaCha20CTR.Nonce(data: cipherNonce)
            return Array(try Insecure.ChaCha20CTR.encrypt(bytes, using: cipher, nonce: nonce))
        } catch {
            preconditionFailure("ChaCha20 takes any key of 32 bytes and any nonce of 12: \(error)")
        }
    }
}
