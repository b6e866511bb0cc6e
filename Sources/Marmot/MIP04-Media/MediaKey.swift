internal import Crypto
internal import NostrCore

/// The key of one file of a group.
///
/// An epoch's secret opens all files and is forgotten some epochs later; this opens one. It is a secret: whoever stores
/// it encrypts it. Source: MIP-04.
public struct MediaKey: Sendable {
    private let key: SymmetricKey

    init(_ key: SymmetricKey) { self.key = key }

    /// Reads what ``bytes`` gave; nil for another length than 32.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        key = SymmetricKey(data: bytes)
    }

    /// 32 bytes.
    public var bytes: [UInt8] { unsafe key.withUnsafeBytes { unsafe Array($0) } }

    /// Decrypts a file that was fetched.
    ///
    /// - Throws: `tooLarge`, or `undecryptable` if it is another file, or of another epoch.
    public func open(_ encrypted: [UInt8], _ reference: MediaReference) throws(MarmotError) -> [UInt8] {
        guard encrypted.count <= MediaReference.largestFile + 16 else {
            throw MarmotError(.tooLarge, "The file is too large.")
        }
        let file = try Marmot.open(
            encrypted, under: key, nonce: reference.nonce, authenticating: reference.context)
        guard Bytes32.sha256(of: file) == reference.hash else {
            throw MarmotError(.undecryptable, "The file is another than the message says.")
        }
        return file
    }
}
