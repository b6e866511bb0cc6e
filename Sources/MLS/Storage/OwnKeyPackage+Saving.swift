extension OwnKeyPackage: MLSCodable {
    /// Reads a key package with its private keys.
    ///
    /// - Throws: `malformed`, or `invalidKey` if a private key does not belong to the package.
    public init(from reader: inout Reader) throws(MLSError) {
        try reader.savedVersion()
        let keyPackage = try KeyPackage(from: &reader)
        let (initKey, leafKey) = (try reader.opaque(), try reader.opaque())
        try self.init(
            keyPackage: keyPackage, initKey: initKey, leafKey: leafKey,
            signer: SignaturePrivateKey(bytes: reader.opaque(), for: keyPackage.cipherSuite))
    }

    /// Appends the key package with its private keys, which the caller encrypts.
    public func write(to writer: inout Writer) {
        writer.integer(SavedGroup.version)
        keyPackage.write(to: &writer)
        initKey.write(to: &writer)
        leafKey.write(to: &writer)
        writer.opaque(signer.bytes)
    }
}
