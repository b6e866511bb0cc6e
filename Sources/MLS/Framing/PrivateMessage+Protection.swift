/// What a member needs to open and make the private messages of one epoch.
///
/// Source: RFC 9420 §6.3.
struct MessageKeys: Sendable {
    let senderData: SenderDataSecret
    var tree: SecretTree
    var limits = RatchetLimits()

    /// Encrypts a signed message with the sender's next key.
    mutating func protect(
        _ message: AuthenticatedContent, padding: Padding = .none, _ algorithms: Algorithms
    ) throws(MLSError) -> PrivateMessage {
        guard case .member(let leaf) = message.content.sender, message.wireFormat == .privateMessage else {
            throw MLSError(.unexpectedMessage, "only members send private messages")
        }
        let content = message.content
        let (generation, key) = try tree.nextKey(of: leaf, SecretTree.Kind(content.content.type), algorithms)
        let sender = SenderData(leaf: leaf, generation: generation, reuseGuard: Algorithms.random(4))
        var plaintext = Writer()
        content.content.write(to: &plaintext)
        message.auth.write(to: &plaintext)
        plaintext.fixed([UInt8](repeating: 0, count: padding.count(after: plaintext.bytes.count)))
        let header = Header(
            groupID: content.groupID, epoch: content.epoch, contentType: content.content.type)
        let ciphertext = try algorithms.seal(
            plaintext.bytes, key: key.key, nonce: key.nonce(guardedBy: sender.reuseGuard),
            authenticating: header.authenticating(content.authenticatedData))
        let senderKey = algorithms.senderDataKey(senderData, ciphertext: ciphertext)
        return PrivateMessage(
            groupID: content.groupID, epoch: content.epoch, contentType: content.content.type,
            authenticatedData: content.authenticatedData,
            encryptedSenderData: try algorithms.seal(
                sender.encoded, key: senderKey.key, nonce: senderKey.nonce, authenticating: header.encoded),
            ciphertext: ciphertext)
    }

    /// A message that was decrypted, and the ratchet without its key.
    struct Opened {
        let content: AuthenticatedContent
        let generation: UInt32
        fileprivate let leaf: LeafIndex
        fileprivate let kind: SecretTree.Kind
        fileprivate let ratchet: HashRatchet
    }

    /// Decrypts a message and spends its key; the signature is for the caller to check.
    mutating func unprotect(
        _ message: PrivateMessage, options: CodecOptions = CodecOptions(), _ algorithms: Algorithms
    ) throws(MLSError) -> AuthenticatedContent {
        let opened = try open(message, options: options, algorithms)
        spend(opened)
        return opened.content
    }

    /// Deletes the key of a message, so that it opens no more.
    mutating func spend(_ opened: Opened) { tree.keep(opened.ratchet, of: opened.leaf, opened.kind) }

    /// Decrypts a message; its key is spent only once the caller has checked the signature and says so.
    ///
    /// - Throws: `decryptionFailed`, `keyConsumed`, `tooFarAhead`, `unknownSender` or `malformed`.
    mutating func open(
        _ message: PrivateMessage, options: CodecOptions = CodecOptions(), _ algorithms: Algorithms
    ) throws(MLSError) -> Opened {
        let header = Header(groupID: message.groupID, epoch: message.epoch, contentType: message.contentType)
        let sender = try self.sender(of: message, algorithms)
        let kind = SecretTree.Kind(message.contentType)
        var ratchet = try tree.ratchet(of: sender.leaf, kind, algorithms)
        let key = try ratchet.key(of: sender.generation, limits: limits, algorithms)
        let plaintext = try algorithms.open(
            message.ciphertext, key: key.key, nonce: key.nonce(guardedBy: sender.reuseGuard),
            authenticating: header.authenticating(message.authenticatedData))
        let content = try Self.parse(plaintext, of: message, from: sender.leaf, options)
        return Opened(
            content: content, generation: sender.generation, leaf: sender.leaf, kind: kind, ratchet: ratchet)
    }

    /// Who sent a message, and which of their keys it uses.
    func sender(of message: PrivateMessage, _ algorithms: Algorithms) throws(MLSError) -> SenderData {
        let header = Header(groupID: message.groupID, epoch: message.epoch, contentType: message.contentType)
        let key = algorithms.senderDataKey(senderData, ciphertext: message.ciphertext)
        return try SenderData(
            bytes: algorithms.open(
                message.encryptedSenderData, key: key.key, nonce: key.nonce, authenticating: header.encoded))
    }

    /// `PrivateMessageContent`; the padding must be zeros.
    private static func parse(
        _ plaintext: [UInt8], of message: PrivateMessage, from leaf: LeafIndex, _ options: CodecOptions
    ) throws(MLSError) -> AuthenticatedContent {
        var reader = Reader(plaintext, options: options)
        let content = try Content(message.contentType, from: &reader)
        let auth = try FramedContentAuthData(message.contentType, from: &reader)
        guard try reader.rest().allSatisfy({ $0 == 0 }) else { throw MLSError(.malformed, "padding is not zero") }
        return AuthenticatedContent(
            wireFormat: .privateMessage,
            content: FramedContent(
                groupID: message.groupID, epoch: message.epoch, sender: .member(leaf),
                authenticatedData: message.authenticatedData, content: content),
            auth: auth)
    }

    /// `SenderDataAAD`, and the start of `PrivateContentAAD`.
    private struct Header {
        let groupID: [UInt8]
        let epoch: UInt64
        let contentType: ContentType

        var encoded: [UInt8] {
            var writer = Writer()
            writer.opaque(groupID)
            writer.integer(epoch)
            writer.integer(contentType.rawValue)
            return writer.bytes
        }

        func authenticating(_ data: [UInt8]) -> [UInt8] {
            var writer = Writer()
            writer.fixed(encoded)
            writer.opaque(data)
            return writer.bytes
        }
    }
}
