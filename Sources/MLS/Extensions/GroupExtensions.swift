/// What every member of a group must support.
///
/// Source: RFC 9420 §11.1.
public struct RequiredCapabilities: MLSCodable, Hashable, Sendable {
    /// Extension types beyond the default ones.
    public let extensions: [ExtensionType]
    /// Proposal types beyond the default ones.
    public let proposals: [ProposalType]
    /// Credential types.
    public let credentials: [CredentialType]

    /// Requirements, in the order they are written.
    public init(extensions: [ExtensionType], proposals: [ProposalType], credentials: [CredentialType]) {
        self.extensions = extensions
        self.proposals = proposals
        self.credentials = credentials
    }

    /// Reads the three lists.
    public init(from reader: inout Reader) throws(MLSError) {
        extensions = try reader.vector()
        proposals = try reader.vector()
        credentials = try reader.vector()
    }

    /// Appends the three lists.
    public func write(to writer: inout Writer) {
        writer.vector(extensions)
        writer.vector(proposals)
        writer.vector(credentials)
    }
}

/// Somebody outside the group who may send proposals.
///
/// Source: RFC 9420 §12.1.8.1.
public struct ExternalSender: MLSCodable, Hashable, Sendable {
    /// The key that signs their proposals.
    public let signatureKey: SignaturePublicKey
    /// Who they are.
    public let credential: Credential

    /// A sender of this key and identity.
    public init(signatureKey: SignaturePublicKey, credential: Credential) {
        self.signatureKey = signatureKey
        self.credential = credential
    }

    /// Reads a sender.
    public init(from reader: inout Reader) throws(MLSError) {
        signatureKey = try SignaturePublicKey(from: &reader)
        credential = try Credential(from: &reader)
    }

    /// Appends the sender.
    public func write(to writer: inout Writer) {
        signatureKey.write(to: &writer)
        credential.write(to: &writer)
    }
}

/// The list of senders outside the group: the content of the `external_senders` extension.
struct ExternalSenders: MLSCodable {
    let senders: [ExternalSender]

    init(from reader: inout Reader) throws(MLSError) { senders = try reader.vector() }
    func write(to writer: inout Writer) { writer.vector(senders) }
}
