/// What all members agree on in an epoch.
///
/// Source: RFC 9420 §8.1.
public struct GroupContext: MLSCodable, Hashable, Sendable {
    /// The version of the protocol.
    public let version: ProtocolVersion
    /// The cipher suite.
    public let cipherSuite: CipherSuite
    /// The id of the group.
    public let groupID: [UInt8]
    /// How many commits there were.
    public internal(set) var epoch: UInt64
    /// The hash of the ratchet tree.
    public internal(set) var treeHash: [UInt8]
    /// The hash of all commits up to this epoch.
    public internal(set) var confirmedTranscriptHash: [UInt8]
    /// The extensions of the group.
    public internal(set) var extensions: [Extension]

    init(
        cipherSuite: CipherSuite, groupID: [UInt8], epoch: UInt64, treeHash: [UInt8],
        confirmedTranscriptHash: [UInt8], extensions: [Extension]
    ) {
        version = .mls10
        self.cipherSuite = cipherSuite
        self.groupID = groupID
        self.epoch = epoch
        self.treeHash = treeHash
        self.confirmedTranscriptHash = confirmedTranscriptHash
        self.extensions = extensions
    }

    /// Reads a context.
    public init(from reader: inout Reader) throws(MLSError) {
        version = try ProtocolVersion(from: &reader)
        cipherSuite = try CipherSuite(from: &reader)
        groupID = try reader.opaque()
        epoch = try reader.integer()
        treeHash = try reader.opaque()
        confirmedTranscriptHash = try reader.opaque()
        extensions = try reader.vector()
    }

    /// Appends the context.
    public func write(to writer: inout Writer) {
        version.write(to: &writer)
        cipherSuite.write(to: &writer)
        writer.opaque(groupID)
        writer.integer(epoch)
        writer.opaque(treeHash)
        writer.opaque(confirmedTranscriptHash)
        writer.vector(extensions)
    }
}
