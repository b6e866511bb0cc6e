internal import Crypto

/// Encryption to a public key.
///
/// Source: RFC 9420 §5.1.3, RFC 9180.
extension Algorithms {
    private var hpke: HPKE.Ciphersuite {
        let (kem, kdf): (HPKE.KEM, HPKE.KDF) =
            switch curve {
            case .x25519: (.Curve25519_HKDF_SHA256, .HKDF_SHA256)
            case .p256: (.P256_HKDF_SHA256, .HKDF_SHA256)
            case .p384: (.P384_HKDF_SHA384, .HKDF_SHA384)
            case .p521: (.P521_HKDF_SHA512, .HKDF_SHA512)
            }
        let aead: HPKE.AEAD =
            switch aead {
            case .aes128: .AES_GCM_128
            case .aes256: .AES_GCM_256
            case .chaCha20: .chaChaPoly
            }
        return HPKE.Ciphersuite(kem: kem, kdf: kdf, aead: aead)
    }

    /// `EncryptWithLabel`.
    func encrypt(
        _ plaintext: [UInt8], to key: HPKEPublicKey, label: String, context: [UInt8]
    ) throws(MLSError) -> HPKECiphertext {
        var sender = try sender(to: key, info: Self.encryptContext(label, context))
        do {
            let ciphertext = try sender.seal(plaintext)
            return HPKECiphertext(kemOutput: Array(sender.encapsulatedKey), ciphertext: Array(ciphertext))
        } catch {
            throw MLSError(.invalidKey, "HPKE does not seal")
        }
    }

    /// `DecryptWithLabel`.
    func decrypt(
        _ ciphertext: HPKECiphertext, with key: HPKEPrivateKey, label: String, context: [UInt8]
    ) throws(MLSError) -> [UInt8] {
        var recipient = try recipient(
            of: ciphertext.kemOutput, with: key, info: Self.encryptContext(label, context))
        do {
            return Array(try recipient.open(ciphertext.ciphertext))
        } catch {
            throw MLSError(.decryptionFailed, "HPKE")
        }
    }

    /// Whether bytes are a public key that can be encrypted to.
    ///
    /// Source: RFC 9180 §7.1.4.
    func isKey(_ key: HPKEPublicKey) -> Bool {
        let bytes = key.bytes
        switch curve {
        case .x25519: return bytes.count == 32 && !LowOrderPoints.contains(bytes)
        // What does not parse is no key; why does not matter.
        case .p256: return (try? P256.KeyAgreement.PublicKey(x963Representation: bytes)) != nil
        case .p384: return (try? P384.KeyAgreement.PublicKey(x963Representation: bytes)) != nil
        case .p521: return (try? P521.KeyAgreement.PublicKey(x963Representation: bytes)) != nil
        }
    }

    /// The sender's half of an external join: what to send, and the `init_secret` it stands for.
    ///
    /// Source: RFC 9420 §8.3.
    func exportInitSecret(to key: HPKEPublicKey) throws(MLSError) -> (kemOutput: [UInt8], secret: InitSecret) {
        let sender = try sender(to: key, info: [])
        do {
            let secret = try sender.exportSecret(context: Self.externalInit, outputByteCount: hashLength)
            return (Array(sender.encapsulatedKey), InitSecret(secret))
        } catch {
            throw MLSError(.invalidKey, "HPKE does not export")
        }
    }

    /// The group's half of an external join.
    func exportInitSecret(from kemOutput: [UInt8], with key: HPKEPrivateKey) throws(MLSError) -> InitSecret {
        let recipient = try recipient(of: kemOutput, with: key, info: [])
        do {
            return InitSecret(
                try recipient.exportSecret(context: Self.externalInit, outputByteCount: hashLength))
        } catch {
            throw MLSError(.decryptionFailed, "HPKE does not export")
        }
    }

    private static let externalInit = Array("MLS 1.0 external init secret".utf8)

    private static func encryptContext(_ label: String, _ context: [UInt8]) -> [UInt8] {
        var writer = Writer()
        writer.opaque(Array("MLS 1.0 \(label)".utf8))
        writer.opaque(context)
        return writer.bytes
    }

    private func sender(to key: HPKEPublicKey, info: [UInt8]) throws(MLSError) -> HPKE.Sender {
        guard !isWeak(key.bytes) else { throw MLSError(.invalidKey, "a point of low order") }
        do {
            return switch curve {
            case .x25519:
                try HPKE.Sender(
                    recipientKey: Curve25519.KeyAgreement.PublicKey(rawRepresentation: key.bytes), ciphersuite: hpke,
                    info: collected(info))
            case .p256:
                try HPKE.Sender(
                    recipientKey: P256.KeyAgreement.PublicKey(x963Representation: key.bytes), ciphersuite: hpke,
                    info: collected(info))
            case .p384:
                try HPKE.Sender(
                    recipientKey: P384.KeyAgreement.PublicKey(x963Representation: key.bytes), ciphersuite: hpke,
                    info: collected(info))
            case .p521:
                try HPKE.Sender(
                    recipientKey: P521.KeyAgreement.PublicKey(x963Representation: key.bytes), ciphersuite: hpke,
                    info: collected(info))
            }
        } catch {
            throw MLSError(.invalidKey, "not a public key of the suite")
        }
    }

    private func recipient(
        of kemOutput: [UInt8], with key: HPKEPrivateKey, info: [UInt8]
    ) throws(MLSError) -> HPKE.Recipient {
        guard !isWeak(kemOutput) else { throw MLSError(.decryptionFailed, "a point of low order") }
        do {
            return switch curve {
            case .x25519:
                try HPKE.Recipient(
                    privateKey: Curve25519.KeyAgreement.PrivateKey(rawRepresentation: key.key), ciphersuite: hpke,
                    info: collected(info), encapsulatedKey: collected(kemOutput))
            case .p256:
                try HPKE.Recipient(
                    privateKey: P256.KeyAgreement.PrivateKey(rawRepresentation: key.key), ciphersuite: hpke,
                    info: collected(info), encapsulatedKey: collected(kemOutput))
            case .p384:
                try HPKE.Recipient(
                    privateKey: P384.KeyAgreement.PrivateKey(rawRepresentation: key.key), ciphersuite: hpke,
                    info: collected(info), encapsulatedKey: collected(kemOutput))
            case .p521:
                try HPKE.Recipient(
                    privateKey: P521.KeyAgreement.PrivateKey(rawRepresentation: key.key), ciphersuite: hpke,
                    info: collected(info), encapsulatedKey: collected(kemOutput))
            }
        } catch {
            throw MLSError(.decryptionFailed, "HPKE does not decapsulate")
        }
    }

    private func isWeak(_ point: [UInt8]) -> Bool { curve == .x25519 && LowOrderPoints.contains(point) }

    /// Bytes as the collection a caller wants, whose type need not be named here.
    private func collected<Bytes: RangeReplaceableCollection<UInt8>>(_ bytes: [UInt8]) -> Bytes { Bytes(bytes) }
}
