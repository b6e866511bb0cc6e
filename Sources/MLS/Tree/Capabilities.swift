/// What a member supports.
///
/// Source: RFC 9420 §7.2. Unknown and GREASE values are kept and ignored.
public struct Capabilities: MLSCodable, Hashable, Sendable {
    /// Versions of the protocol.
    public var versions: [ProtocolVersion]
    /// Cipher suites.
    public var cipherSuites: [CipherSuite]
    /// Extension types beyond the default ones.
    public var extensions: [ExtensionType]
    /// Proposal types beyond the default ones.
    public var proposals: [ProposalType]
    /// Credential types.
    public var credentials: [CredentialType]

    /// Capabilities, in the order they are written.
    public init(
        versions: [ProtocolVersion] = [.mls10], cipherSuites: [CipherSuite] = CipherSuite.supported,
        extensions: [ExtensionType] = [], proposals: [ProposalType] = [], credentials: [CredentialType] = [.basic]
    ) {
        self.versions = versions
        self.cipherSuites = cipherSuites
        self.extensions = extensions
        self.proposals = proposals
        self.credentials = credentials
    }

    /// Reads the five lists.
    public init(from reader: inout Reader) throws(MLSError) {
        versions = try reader.vector()
        cipherSuites = try reader.vector()
        extensions = try reader.vector()
        proposals = try reader.vector()
        credentials = try reader.vector()
    }

    /// Appends the five lists.
    public func write(to writer: inout Writer) {
        writer.vector(versions)
        writer.vector(cipherSuites)
        writer.vector(extensions)
        writer.vector(proposals)
        writer.vector(credentials)
    }

    func supports(_ type: ExtensionType) -> Bool {
        ExtensionType.defaults.contains(type) || extensions.contains(type)
    }

    func supports(_ type: ProposalType) -> Bool { ProposalType.defaults.contains(type) || proposals.contains(type) }

    func meets(_ required: RequiredCapabilities) -> Bool {
        required.extensions.allSatisfy(supports) && required.proposals.allSatisfy(supports)
            && required.credentials.allSatisfy(credentials.contains)
    }
}
