internal import Crypto

/// Secret bytes with a role; two roles are two types, so that one secret cannot stand in for another.
///
/// The bytes are wiped when the last copy is released. Equality takes constant time.
struct Secret<Role>: Sendable, Equatable {
    let key: SymmetricKey

    init(_ key: SymmetricKey) { self.key = key }
    init(_ bytes: [UInt8]) { key = SymmetricKey(data: bytes) }

    var count: Int { key.bitCount / 8 }

    /// A copy of the bytes that is not wiped: for encodings that leave the process encrypted.
    var exposedBytes: [UInt8] { unsafe key.withUnsafeBytes { unsafe Array($0) } }

    static func == (one: Secret, other: Secret) -> Bool { one.key == other.key }
}

extension Secret: MLSCodable {
    init(from reader: inout Reader) throws(MLSError) { self.init(try reader.opaque()) }
    func write(to writer: inout Writer) { writer.opaque(exposedBytes) }
}

/// The roles a ``Secret`` can have.
enum Role {
    enum Init {}
    enum Commit {}
    enum Joiner {}
    enum Welcome {}
    enum Epoch {}
    enum SenderData {}
    enum Encryption {}
    enum Exporter {}
    enum External {}
    enum ConfirmationKey {}
    enum MembershipKey {}
    enum Resumption {}
    enum Path {}
    enum PreSharedKey {}
    enum PreSharedKeys {}
    enum TreeNode {}
    enum Ratchet {}
    enum MessageKey {}
    enum HPKEPrivate {}
}

/// `init_secret`: what an epoch hands to the next (RFC 9420 §8).
typealias InitSecret = Secret<Role.Init>
/// `commit_secret`: what the path of a commit brings (RFC 9420 §8).
typealias CommitSecret = Secret<Role.Commit>
/// `joiner_secret`: what new members are told (RFC 9420 §8).
typealias JoinerSecret = Secret<Role.Joiner>
/// `welcome_secret`: what encrypts the GroupInfo of a Welcome (RFC 9420 §8).
typealias WelcomeSecret = Secret<Role.Welcome>
/// `epoch_secret`: the root of the secrets of an epoch (RFC 9420 §8).
typealias EpochSecret = Secret<Role.Epoch>
/// `sender_data_secret`: what hides who sent a message (RFC 9420 §6.3.2).
typealias SenderDataSecret = Secret<Role.SenderData>
/// `encryption_secret`: the root of the secret tree (RFC 9420 §9).
typealias EncryptionSecret = Secret<Role.Encryption>
/// `exporter_secret`: what keys for other purposes come from (RFC 9420 §8.5).
typealias ExporterSecret = Secret<Role.Exporter>
/// `external_secret`: what the key for external commits comes from (RFC 9420 §8.3).
typealias ExternalSecret = Secret<Role.External>
/// `confirmation_key`: what tags a commit (RFC 9420 §6.1).
typealias ConfirmationKey = Secret<Role.ConfirmationKey>
/// `membership_key`: what tags a public message (RFC 9420 §6.2).
typealias MembershipKey = Secret<Role.MembershipKey>
/// `resumption_psk`: what proves membership in an epoch later (RFC 9420 §8.6).
typealias ResumptionSecret = Secret<Role.Resumption>
/// `path_secret`: what the key of a parent node comes from (RFC 9420 §7.4).
typealias PathSecret = Secret<Role.Path>
/// One pre-shared key (RFC 9420 §8.4).
typealias PreSharedKey = Secret<Role.PreSharedKey>
/// `psk_secret`: all pre-shared keys of a commit in one (RFC 9420 §8.4).
typealias PSKSecret = Secret<Role.PreSharedKeys>
