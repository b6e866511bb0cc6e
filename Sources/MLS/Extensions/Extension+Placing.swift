/// Where the extensions of RFC 9420 may stand, and that their content is read to its end.
///
/// Source: RFC 9420 §17.3. Types not known here may stand anywhere.
extension [Extension] {
    /// Refuses what cannot be in a leaf.
    ///
    /// - Throws: `invalidLeafNode`, `malformed` or `trailingBytes`.
    func checkInLeaf() throws(MLSError) {
        guard !isEmpty else { return }
        try requireUnique(.invalidLeafNode)
        try require(without: [.ratchetTree, .requiredCapabilities, .externalPub, .externalSenders], .invalidLeafNode)
        _ = try value(.applicationID, as: ApplicationID.self)
    }

    /// Refuses what cannot be in a key package.
    ///
    /// - Throws: `invalidKeyPackage` or `malformed`.
    func checkInKeyPackage() throws(MLSError) {
        guard !isEmpty else { return }
        try requireUnique(.invalidKeyPackage)
        try require(
            without: [.applicationID, .ratchetTree, .requiredCapabilities, .externalPub, .externalSenders],
            .invalidKeyPackage)
        guard data(.lastResort)?.isEmpty ?? true else { throw MLSError(.malformed, "last_resort is empty") }
    }

    /// Refuses what cannot be in a group context.
    ///
    /// - Throws: `invalidProposal`.
    func checkInContext() throws(MLSError) {
        try requireUnique(.invalidProposal)
        try require(without: [.applicationID, .ratchetTree, .externalPub], .invalidProposal)
    }

    private func require(without types: Set<ExtensionType>, _ code: MLSError.Code) throws(MLSError) {
        guard !contains(where: { types.contains($0.type) }) else {
            throw MLSError(code, "an extension that belongs elsewhere")
        }
    }
}

/// The content of the `application_id` extension.
///
/// Source: RFC 9420 §5.3.3.
private struct ApplicationID: OpaqueValue {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }
}
