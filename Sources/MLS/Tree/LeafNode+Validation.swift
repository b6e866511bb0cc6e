extension LeafNode {
    /// Checks what one leaf says of itself.
    ///
    /// - Throws: `badSignature` or `invalidLeafNode`. Source: RFC 9420 §7.3.
    func validate(groupID: [UInt8], at index: LeafIndex, _ algorithms: Algorithms) throws(MLSError) {
        let signed = toBeSigned(groupID: groupID, at: index)
        guard algorithms.isValid(signature, of: signed, label: "LeafNodeTBS", key: signatureKey) else {
            throw MLSError(.badSignature, "of a leaf")
        }
        guard algorithms.isKey(encryptionKey) else {
            throw MLSError(.invalidLeafNode, "its encryption key is none of the suite")
        }
        try extensions.checkInLeaf()
        try capabilities.check(algorithms.suite)
        guard extensions.allSatisfy({ capabilities.supports($0.type) }) else {
            throw MLSError(.invalidLeafNode, "it has an extension it does not support")
        }
        guard capabilities.credentials.contains(credential.type) else {
            throw MLSError(.invalidLeafNode, "it does not support its own credential")
        }
    }
}

extension Capabilities {
    /// Checks that they are for us, and leave out what goes without saying.
    ///
    /// - Throws: `invalidLeafNode`. Source: RFC 9420 §7.2, §11.1.
    func check(_ suite: CipherSuite) throws(MLSError) {
        guard versions.contains(.mls10), cipherSuites.contains(suite) else {
            throw MLSError(.invalidLeafNode, "it does not support the version and cipher suite it is for")
        }
        guard !extensions.contains(where: ExtensionType.defaults.contains),
            !proposals.contains(where: ProposalType.defaults.contains)
        else { throw MLSError(.invalidLeafNode, "it lists a default type among its capabilities") }
    }
}

/// What the members of a group ask of each leaf.
///
/// Source: RFC 9420 §7.3, §11.1, §13.4.
struct GroupRequirements {
    let required: RequiredCapabilities
    let contextExtensions: [ExtensionType]

    init(_ extensions: [Extension]) throws(MLSError) {
        try extensions.checkInContext()
        required =
            try extensions.value(.requiredCapabilities, as: RequiredCapabilities.self)
            ?? RequiredCapabilities(extensions: [], proposals: [], credentials: [])
        _ = try ExternalSenders(in: extensions)
        contextExtensions = extensions.map(\.type)
    }

    func check(_ leaf: LeafNode) throws(MLSError) { try check(leaf.capabilities) }

    func check(_ capabilities: Capabilities) throws(MLSError) {
        guard capabilities.meets(required) else {
            throw MLSError(.invalidLeafNode, "it lacks a required capability")
        }
        guard contextExtensions.allSatisfy(capabilities.supports) else {
            throw MLSError(.invalidLeafNode, "it does not support an extension of the group")
        }
    }
}
