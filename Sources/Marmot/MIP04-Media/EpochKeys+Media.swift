internal import Crypto
internal import NostrCore

/// Encrypting files for a group.
///
/// Source: MIP-04. The key follows from the epoch of the message that names the file, its hash, type and name.
extension EpochKeys {
    /// Encrypts a file.
    ///
    /// Pictures are stripped of what they tell about their maker before this, for the hash is of what is encrypted.
    ///
    /// - Parameters:
    ///   - type: what it is; parameters are dropped.
    ///   - random: gives the nonce.
    /// - Returns: the reference, without its address until the file is uploaded, and what is to be uploaded.
    /// - Throws: `unsupported`, `badTag`, `tooLarge`.
    public func seal(
        _ file: [UInt8], type: String, filename: String, using random: inout some RandomNumberGenerator
    ) throws(MarmotError) -> (reference: MediaReference, encrypted: [UInt8]) {
        guard file.count <= MediaReference.largestFile else { throw MarmotError(.tooLarge, "The file is too large.") }
        let reference = MediaReference(
            url: "", type: try MediaReference.canonical(type: type),
            filename: try MediaReference.checked(filename: filename), hash: .sha256(of: file),
            nonce: randomBytes(12, using: &random))
        let encrypted = try Marmot.seal(
            file, under: fileKey(reference), nonce: reference.nonce, authenticating: reference.context)
        return (reference, encrypted)
    }

    /// Decrypts a file that was fetched.
    ///
    /// - Throws: `tooLarge`, or `undecryptable` if it is another file, or of another epoch.
    public func open(_ encrypted: [UInt8], _ reference: MediaReference) throws(MarmotError) -> [UInt8] {
        try key(of: reference).open(encrypted, reference)
    }

    /// The key of one file, which outlives the epoch: whoever keeps the message keeps this with it.
    public func key(of reference: MediaReference) -> MediaKey { MediaKey(fileKey(reference)) }

    func fileKey(_ reference: MediaReference) -> SymmetricKey {
        HKDF<SHA256>.expand(
            pseudoRandomKey: media, info: reference.context + [0] + Array("key".utf8), outputByteCount: 32)
    }
}

extension MediaReference {
    /// What binds a file to its hash, type and name.
    var context: [UInt8] {
        Array(Self.version.utf8) + [0] + hash.array + [0] + Array(type.utf8) + [0] + Array(filename.utf8)
    }
}
