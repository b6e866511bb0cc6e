extension Algorithms {
    /// Signs a message.
    ///
    /// - Parameter context: the encoded context of the epoch.
    /// - Throws: `unexpectedMessage` for application data outside a private message (RFC 9420 §6.2).
    func sign(
        _ content: FramedContent, as wireFormat: WireFormat, context: [UInt8], key: SignaturePrivateKey
    ) throws(MLSError) -> AuthenticatedContent {
        guard wireFormat == .privateMessage || content.content.type != .application else {
            throw MLSError(.unexpectedMessage, "application data is always encrypted")
        }
        let signature = try sign(
            content.toBeSigned(wireFormat, context: context), label: "FramedContentTBS", key: key)
        return AuthenticatedContent(
            wireFormat: wireFormat, content: content, auth: FramedContentAuthData(signature: signature))
    }

    /// Checks the signature of a message.
    func verify(
        _ message: AuthenticatedContent, context: [UInt8], key: SignaturePublicKey
    ) throws(MLSError) {
        let signed = message.content.toBeSigned(message.wireFormat, context: context)
        guard isValid(message.auth.signature, of: signed, label: "FramedContentTBS", key: key) else {
            throw MLSError(.badSignature, "of a message")
        }
    }

    /// Adds the membership tag if a member sends.
    ///
    /// Source: RFC 9420 §6.2.
    func protect(
        _ message: AuthenticatedContent, context: [UInt8], membershipKey: MembershipKey
    ) throws(MLSError) -> PublicMessage {
        guard message.wireFormat == .publicMessage else {
            throw MLSError(.unexpectedMessage, "signed for another wire format")
        }
        var tag: [UInt8]?
        if case .member = message.content.sender {
            tag = mac(Self.toBeMACed(message, context: context), key: membershipKey)
        }
        return PublicMessage(content: message.content, auth: message.auth, membershipTag: tag)
    }

    /// Checks the membership tag; the signature is for the caller to check.
    ///
    /// - Throws: `badTag`, also for a tag of another length, or `unexpectedMessage` for application data.
    func unprotect(
        _ message: PublicMessage, context: [UInt8], membershipKey: MembershipKey
    ) throws(MLSError) -> AuthenticatedContent {
        guard message.content.content.type != .application else {
            throw MLSError(.unexpectedMessage, "application data is always encrypted")
        }
        let content = AuthenticatedContent(
            wireFormat: .publicMessage, content: message.content, auth: message.auth)
        guard case .member = message.content.sender else { return content }
        let tagged = Self.toBeMACed(content, context: context)
        guard isValid(mac: message.membershipTag ?? [], of: tagged, key: membershipKey) else {
            throw MLSError(.badTag, "membership")
        }
        return content
    }

    private static func toBeMACed(_ message: AuthenticatedContent, context: [UInt8]) -> [UInt8] {
        var writer = Writer()
        writer.fixed(message.content.toBeSigned(message.wireFormat, context: context))
        message.auth.write(to: &writer)
        return writer.bytes
    }
}
