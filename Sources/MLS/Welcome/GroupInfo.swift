/// What somebody needs to know to join, signed by a member.
///
/// Source: RFC 9420 §12.4.3.
public struct GroupInfo: MLSCodable, Hashable, Sendable {
    /// The context of the epoch.
    public let context: GroupContext
    /// Anything else, such as the tree.
    public let extensions: [Extension]
    let confirmationTag: [UInt8]
    /// The member who signed it.
    public let signer: LeafIndex
    var signature: [UInt8]

    init(
        context: GroupContext, extensions: [Extension], confirmationTag: [UInt8], signer: LeafIndex,
        signature: [UInt8] = []
    ) {
        self.context = context
        self.extensions = extensions
        self.confirmationTag = confirmationTag
        self.signer = signer
        self.signature = signature
    }

    /// Reads a GroupInfo; nothing is verified.
    public init(from reader: inout Reader) throws(MLSError) {
        context = try GroupContext(from: &reader)
        extensions = try reader.vector()
        confirmationTag = try reader.opaque()
        signer = try LeafIndex(from: &reader)
        signature = try reader.opaque()
    }

    /// Appends the GroupInfo.
    public func write(to writer: inout Writer) {
        writer.fixed(toBeSigned)
        writer.opaque(signature)
    }

    /// `GroupInfoTBS`.
    var toBeSigned: [UInt8] {
        var writer = Writer()
        context.write(to: &writer)
        writer.vector(extensions)
        writer.opaque(confirmationTag)
        signer.write(to: &writer)
        return writer.bytes
    }
}
