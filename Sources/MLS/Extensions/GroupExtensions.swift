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
