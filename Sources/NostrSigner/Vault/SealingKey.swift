public import Crypto
internal import NostrCore

/// The random key that everything private of an account is encrypted with where it rests.
///
/// ChaCha20-Poly1305 under one of several keys derived from 32 random bytes (HKDF-SHA256): one seals values, one turns names
/// into words that tell nothing; a third makes a key pair that can be sealed to while nobody has the key. Held only while the account is unlocked; swift-crypto wipes it on release.
public struct SealingKey: Sendable {
    private let sealing: SymmetricKey
    private let naming: SymmetricKey
    let box: Curve25519.KeyAgreement.PrivateKey

    /// Why a sealed value did not open.
    public enum Failure: Error, Hashable, Sendable {
        /// It was sealed under another key or another name, or is damaged.
        case doesNotOpen
    }

    /// Derives both keys.
    ///
    /// - Parameter root: 32 random bytes.
    public init(root: SymmetricKey) {
        func derived(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: root, info: Array("linnet vault v1 \(purpose)".utf8), outputByteCount: 32)
        }
        sealing = derived("values")
        naming = derived("names")
        do {
            box = try unsafe derived("box").withUnsafeBytes {
                try unsafe Curve25519.KeyAgreement.PrivateKey(rawRepresentation: $0)
            }
        } catch {
            preconditionFailure("every 32 bytes are a key of X25519")
        }
    }

    /// Encrypts a value.
    ///
    /// Shape: a random nonce of 12 bytes, the ciphertext, a tag of 16 bytes.
    ///
    /// - Parameter name: where it will rest; the value opens only there.
    public func seal(_ value: [UInt8], as name: String) throws -> [UInt8] {
        Array(try ChaChaPoly.seal(value, using: sealing, authenticating: Array(name.utf8)).combined)
    }

    /// Decrypts a value.
    ///
    /// - Throws: ``Failure/doesNotOpen``.
    public func open(_ sealed: [UInt8], as name: String) throws(Failure) -> [UInt8] {
        do {
            let box = try ChaChaPoly.SealedBox(combined: sealed)
            return Array(try ChaChaPoly.open(box, using: sealing, authenticating: Array(name.utf8)))
        } catch {
            throw .doesNotOpen
        }
    }

    /// The word a name rests under: the same for the same name, telling nothing without the key.
    ///
    /// Shape: 32 lowercase hex characters, half of an HMAC-SHA256.
    public func blind(_ name: String) -> String {
        let code = HMAC<SHA256>.authenticationCode(for: Array(name.utf8), using: naming)
        return String(encodeHex(Array(code)).prefix(32))
    }
}
