public import NostrCore

/// A file that lies encrypted on a server: a message of kind 15.
///
/// Source: NIP-17, "File Message".
public struct EncryptedFile: Hashable, Sendable {
    /// Where it lies.
    public var url: String
    /// Other places where it lies, in order.
    public var fallbacks: [String]
    /// Its MIME type before encryption.
    public var type: String
    /// The key to decrypt it with; AES-GCM.
    public var key: [UInt8]
    /// The nonce to decrypt it with.
    public var nonce: [UInt8]
    /// SHA-256 of the encrypted file.
    public var hash: Bytes32
    /// SHA-256 of the file before encryption.
    public var originalHash: Bytes32?
    /// How long the encrypted file is, in bytes.
    public var size: Int?
    /// Width and height, as `<width>x<height>`.
    public var dimensions: String?
    /// A blurhash to show while it loads.
    public var blurhash: String?
    /// Where a smaller picture of it lies, encrypted with the same key and nonce.
    public var thumb: String?
    /// What can be seen or heard in it, for those who cannot (`alt`, as in NIP-94).
    public var description: String?

    /// A file with only what its recipient cannot do without; set the rest afterwards.
    public init(url: String, type: String, key: [UInt8], nonce: [UInt8], hash: Bytes32) {
        self.url = url
        self.type = type
        self.key = key
        self.nonce = nonce
        self.hash = hash
        fallbacks = []
    }
}
