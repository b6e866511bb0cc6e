internal import Crypto
public import NostrCore

/// The picture of a group: it lies encrypted on a server, and what decrypts it is in the group.
///
/// Source: MIP-01.
public struct GroupImage: Hashable, Sendable {
    /// SHA-256 of the encrypted picture.
    public let hash: Bytes32
    let seed: Bytes32
    let nonce: [UInt8]
    let uploadSeed: Bytes32?
    private let isVersion1: Bool

    /// The picture of a group, if it has one.
    public init?(_ data: GroupData) {
        guard let hash = data.imageHash, let seed = data.imageKey, let nonce = data.imageNonce else { return nil }
        (self.hash, self.seed, self.nonce, uploadSeed) = (hash, seed, nonce, data.imageUploadKey)
        isVersion1 = data.version == 1
    }

    /// Encrypts a picture under keys that are drawn for it.
    ///
    /// - Returns: the picture, and what is to be uploaded.
    public static func sealing(
        _ picture: [UInt8], using random: inout some RandomNumberGenerator
    ) throws(MarmotError) -> (image: GroupImage, encrypted: [UInt8]) {
        let (seed, upload) = (Bytes32.random(using: &random), Bytes32.random(using: &random))
        let nonce = randomBytes(12, using: &random)
        let encrypted = try seal(picture, under: derivedKey(seed, keyInfo), nonce: nonce)
        return (GroupImage(hash: .sha256(of: encrypted), seed: seed, nonce: nonce, uploadSeed: upload), encrypted)
    }

    init(hash: Bytes32, seed: Bytes32, nonce: [UInt8], uploadSeed: Bytes32) {
        (self.hash, self.seed, self.nonce, self.uploadSeed) = (hash, seed, nonce, uploadSeed)
        isVersion1 = false
    }

    /// Decrypts what was fetched.
    ///
    /// - Throws: `undecryptable` if it is another file, or the keys do not open it.
    public func open(_ encrypted: [UInt8]) throws(MarmotError) -> [UInt8] {
        guard Bytes32.sha256(of: encrypted) == hash else {
            throw MarmotError(.undecryptable, "The picture is another than the group says.")
        }
        // MDK tries one after the other too: what says it is of version 1 may have been made as one of version 2.
        let (direct, derived) = (SymmetricKey(data: seed.array), Self.derivedKey(seed, Self.keyInfo))
        let keys = isVersion1 ? [direct, derived] : [derived, direct]
        for key in keys {
            // A key that does not open it is followed by the other.
            if let picture = try? Marmot.open(encrypted, under: key, nonce: nonce) { return picture }
        }
        throw MarmotError(.undecryptable, "The picture does not open.")
    }

    /// The key that uploads and deletes the picture on its server.
    ///
    /// - Throws: `malformed` if the bytes are no key, with a chance of 2^-127.
    public func uploadKey() throws(MarmotError) -> SecretKey {
        let derived =
            if let uploadSeed { Self.derivedKey(uploadSeed, "mip01-blossom-upload-v2") } else {
                Self.derivedKey(seed, "mip01-blossom-upload-v1")
            }
        let bytes = unsafe derived.withUnsafeBytes { unsafe Array($0) }
        do { return try SecretKey(bytes.span) } catch {
            throw MarmotError(.malformed, "The key for the picture's server is none.")
        }
    }

    /// Writes the picture into what a group says of itself.
    fileprivate func write(to data: inout GroupData) {
        (data.imageHash, data.imageKey, data.imageNonce, data.imageUploadKey) = (hash, seed, nonce, uploadSeed)
        data.version = isVersion1 ? 1 : max(2, data.version)
    }

    private static let keyInfo = "mip01-image-encryption-v2"

    private static func derivedKey(_ seed: Bytes32, _ info: String) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(data: seed.array), info: Array(info.utf8), outputByteCount: 32)
    }
}

extension GroupData {
    /// The picture; set it to nothing to take it away.
    public var image: GroupImage? {
        get { GroupImage(self) }
        set {
            guard let newValue else {
                (imageHash, imageKey, imageNonce, imageUploadKey) = (nil, nil, nil, nil)
                return
            }
            newValue.write(to: &self)
        }
    }
}
