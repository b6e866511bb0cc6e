internal import Crypto
internal import Foundation

// What is sealed while nobody has the key: to the public half of a pair that the open vault derives.
//
// Shape: X25519; a sealed value is 32 bytes of encapsulated key, then the ciphertext. Source: RFC 9180 in base mode with
// DHKEM(X25519, HKDF-SHA256), HKDF-SHA256 and ChaCha20-Poly1305.
extension SealingKey {
    private static let suite = HPKE.Ciphersuite.Curve25519_SHA256_ChachaPoly
    private static let info = Data("linnet vault v1 box".utf8)
    private static let encapsulatedLength = 32

    /// The 32 bytes to which ``seal(_:toBox:as:)`` seals; no secret.
    public var boxPublicKey: [UInt8] { [UInt8](box.publicKey.rawRepresentation) }

    /// Seals a value that only the open vault of a public key reads; needs no secret.
    ///
    /// - Parameters:
    ///   - publicKey: 32 bytes of ``boxPublicKey``.
    ///   - name: where it will rest; the value opens only there.
    /// - Throws: ``Failure/doesNotOpen`` for what is no such key.
    public static func seal(_ value: [UInt8], toBox publicKey: [UInt8], as name: String) throws(Failure) -> [UInt8] {
        do {
            var sender = try HPKE.Sender(
                recipientKey: Curve25519.KeyAgreement.PublicKey(rawRepresentation: publicKey), ciphersuite: suite,
                info: info)
            let sealed = try sender.seal(value, authenticating: Data(name.utf8))
            return [UInt8](sender.encapsulatedKey) + sealed
        } catch {
            throw .doesNotOpen
        }
    }

    /// Opens what was sealed to ``boxPublicKey``.
    ///
    /// - Throws: ``Failure/doesNotOpen``.
    public func openBox(_ sealed: [UInt8], as name: String) throws(Failure) -> [UInt8] {
        guard sealed.count > Self.encapsulatedLength else { throw .doesNotOpen }
        do {
            var recipient = try HPKE.Recipient(
                privateKey: box, ciphersuite: Self.suite, info: Self.info,
                encapsulatedKey: Data(sealed.prefix(Self.encapsulatedLength)))
            return [UInt8](
                try recipient.open(Data(sealed.dropFirst(Self.encapsulatedLength)), authenticating: Data(name.utf8)))
        } catch {
            throw .doesNotOpen
        }
    }
}
