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

/// The senders outside a group, in their order: the content of the `external_senders` extension.
///
/// ``asExtension`` is for the extensions of a group that is made, of a GroupContextExtensions proposal or of a ``ReInit``;
/// ``init(in:)`` reads them back, for instance from ``GroupContext/extensions``. Source: RFC 9420 §12.1.8.1.
public struct ExternalSenders: MLSCodable, Hashable, Sendable {
    /// The senders; the place of each is its ``Sender/external(_:)``.
    public let senders: [ExternalSender]

    /// A list of senders.
    public init(_ senders: [ExternalSender]) { self.senders = senders }

    /// The senders that the extensions of a group context name; nobody if there is no such extension.
    ///
    /// - Throws: `malformed`, `limitExceeded` or `trailingBytes`.
    public init(in extensions: [Extension]) throws(MLSError) {
        self = try extensions.value(.externalSenders, as: Self.self) ?? Self([])
    }

    /// Reads the list.
    public init(from reader: inout Reader) throws(MLSError) { senders = try reader.vector() }

    /// Appends the list.
    public func write(to writer: inout Writer) { writer.vector(senders) }

    /// The extension that names them.
    public var asExtension: Extension { Extension(type: .externalSenders, data: encoded) }

    /// Refuses a list with somebody the policy does not believe.
    ///
    /// - Throws: `refusedByPolicy`. Source: RFC 9420 §5.3.1.
    func check(_ policy: any GroupPolicy) throws(MLSError) {
        guard senders.allSatisfy(policy.accepts) else { throw MLSError(.refusedByPolicy, "an external sender") }
    }
}
