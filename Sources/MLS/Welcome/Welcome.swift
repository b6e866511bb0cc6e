/// The secrets of an epoch, encrypted to one new member.
///
/// Source: RFC 9420 §12.4.3.1.
struct EncryptedGroupSecrets: MLSCodable, Hashable, Sendable {
    let newMember: KeyPackageRef
    let encryptedGroupSecrets: HPKECiphertext

    init(newMember: KeyPackageRef, encryptedGroupSecrets: HPKECiphertext) {
        self.newMember = newMember
        self.encryptedGroupSecrets = encryptedGroupSecrets
    }

    init(from reader: inout Reader) throws(MLSError) {
        newMember = try KeyPackageRef(from: &reader)
        encryptedGroupSecrets = try HPKECiphertext(from: &reader)
    }

    func write(to writer: inout Writer) {
        newMember.write(to: &writer)
        encryptedGroupSecrets.write(to: &writer)
    }
}

/// What the members added by one commit join by.
///
/// Source: RFC 9420 §12.4.3.1.
public struct Welcome: MLSCodable, Hashable, Sendable {
    /// The suite of the group.
    public let cipherSuite: CipherSuite
    let secrets: [EncryptedGroupSecrets]
    let encryptedGroupInfo: [UInt8]

    init(cipherSuite: CipherSuite, secrets: [EncryptedGroupSecrets], encryptedGroupInfo: [UInt8]) {
        self.cipherSuite = cipherSuite
        self.secrets = secrets
        self.encryptedGroupInfo = encryptedGroupInfo
    }

    /// Reads a Welcome.
    public init(from reader: inout Reader) throws(MLSError) {
        cipherSuite = try CipherSuite(from: &reader)
        secrets = try reader.vector()
        encryptedGroupInfo = try reader.opaque()
    }

    /// Appends the Welcome.
    public func write(to writer: inout Writer) {
        cipherSuite.write(to: &writer)
        writer.vector(secrets)
        writer.opaque(encryptedGroupInfo)
    }

    /// The key packages it lets in.
    public var newMembers: [KeyPackageRef] { secrets.map(\.newMember) }
}
