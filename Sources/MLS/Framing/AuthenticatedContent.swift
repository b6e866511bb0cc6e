/// What proves who sent a message, and for a commit that its sender reached the next epoch.
///
/// Source: RFC 9420 §6.1.
struct FramedContentAuthData: Hashable, Sendable {
    let signature: [UInt8]
    /// Only commits carry one.
    var confirmationTag: [UInt8]?

    init(signature: [UInt8], confirmationTag: [UInt8]? = nil) {
        self.signature = signature
        self.confirmationTag = confirmationTag
    }

    init(_ type: ContentType, from reader: inout Reader) throws(MLSError) {
        signature = try reader.opaque()
        confirmationTag = type == .commit ? try reader.opaque() : nil
    }

    func write(to writer: inout Writer) {
        writer.opaque(signature)
        if let confirmationTag { writer.opaque(confirmationTag) }
    }
}

/// A message, the form it is sent in, and what proves it.
///
/// Source: RFC 9420 §6.
struct AuthenticatedContent: MLSCodable, Hashable, Sendable {
    let wireFormat: WireFormat
    let content: FramedContent
    var auth: FramedContentAuthData

    init(wireFormat: WireFormat, content: FramedContent, auth: FramedContentAuthData) {
        self.wireFormat = wireFormat
        self.content = content
        self.auth = auth
    }

    init(from reader: inout Reader) throws(MLSError) {
        wireFormat = try WireFormat(from: &reader)
        content = try FramedContent(from: &reader)
        auth = try FramedContentAuthData(content.content.type, from: &reader)
    }

    func write(to writer: inout Writer) {
        wireFormat.write(to: &writer)
        content.write(to: &writer)
        auth.write(to: &writer)
    }
}
