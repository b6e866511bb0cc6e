/// A message that is signed and, from a member, tagged with a key of the epoch, but not encrypted.
///
/// Source: RFC 9420 §6.2.
struct PublicMessage: MLSCodable, Hashable, Sendable {
    let content: FramedContent
    let auth: FramedContentAuthData
    /// Only members carry one.
    let membershipTag: [UInt8]?

    init(content: FramedContent, auth: FramedContentAuthData, membershipTag: [UInt8]?) {
        self.content = content
        self.auth = auth
        self.membershipTag = membershipTag
    }

    init(from reader: inout Reader) throws(MLSError) {
        content = try FramedContent(from: &reader)
        auth = try FramedContentAuthData(content.content.type, from: &reader)
        if case .member = content.sender {
            membershipTag = try reader.opaque()
        } else {
            membershipTag = nil
        }
    }

    func write(to writer: inout Writer) {
        content.write(to: &writer)
        auth.write(to: &writer)
        if let membershipTag { writer.opaque(membershipTag) }
    }
}

/// A message that is signed and encrypted.
///
/// Source: RFC 9420 §6.3.
struct PrivateMessage: MLSCodable, Hashable, Sendable {
    let groupID: [UInt8]
    let epoch: UInt64
    let contentType: ContentType
    let authenticatedData: [UInt8]
    let encryptedSenderData: [UInt8]
    let ciphertext: [UInt8]

    init(
        groupID: [UInt8], epoch: UInt64, contentType: ContentType, authenticatedData: [UInt8],
        encryptedSenderData: [UInt8], ciphertext: [UInt8]
    ) {
        self.groupID = groupID
        self.epoch = epoch
        self.contentType = contentType
        self.authenticatedData = authenticatedData
        self.encryptedSenderData = encryptedSenderData
        self.ciphertext = ciphertext
    }

    init(from reader: inout Reader) throws(MLSError) {
        groupID = try reader.opaque()
        epoch = try reader.integer()
        contentType = try ContentType(from: &reader)
        authenticatedData = try reader.opaque()
        encryptedSenderData = try reader.opaque()
        ciphertext = try reader.opaque()
    }

    func write(to writer: inout Writer) {
        writer.opaque(groupID)
        writer.integer(epoch)
        writer.integer(contentType.rawValue)
        writer.opaque(authenticatedData)
        writer.opaque(encryptedSenderData)
        writer.opaque(ciphertext)
    }
}

/// Anything MLS sends, as it travels.
///
/// Source: RFC 9420 §6.
public struct MLSMessage: MLSCodable, Hashable, Sendable {
    enum Body: Hashable, Sendable {
        case publicMessage(PublicMessage)
        case privateMessage(PrivateMessage)
        case welcome(Welcome)
        case groupInfo(GroupInfo)
        case keyPackage(KeyPackage)
    }

    let body: Body

    init(_ body: Body) { self.body = body }

    /// A key package as a message.
    public init(_ keyPackage: KeyPackage) { body = .keyPackage(keyPackage) }
    /// A Welcome as a message.
    public init(_ welcome: Welcome) { body = .welcome(welcome) }

    /// How it is wrapped.
    public var wireFormat: WireFormat {
        switch body {
        case .publicMessage: .publicMessage
        case .privateMessage: .privateMessage
        case .welcome: .welcome
        case .groupInfo: .groupInfo
        case .keyPackage: .keyPackage
        }
    }

    /// The key package, if it is one.
    public var keyPackage: KeyPackage? { if case .keyPackage(let value) = body { value } else { nil } }
    /// The Welcome, if it is one.
    public var welcome: Welcome? { if case .welcome(let value) = body { value } else { nil } }

    /// The group and epoch, if it is for members.
    public var epoch: (groupID: [UInt8], epoch: UInt64)? {
        switch body {
        case .publicMessage(let message): (message.content.groupID, message.content.epoch)
        case .privateMessage(let message): (message.groupID, message.epoch)
        case .welcome, .groupInfo, .keyPackage: nil
        }
    }

    /// Reads a message; nothing is verified.
    public init(from reader: inout Reader) throws(MLSError) {
        let version = try ProtocolVersion(from: &reader)
        guard version == .mls10 else { throw MLSError(.unsupported, "version \(version.rawValue)") }
        let wireFormat = try WireFormat(from: &reader)
        switch wireFormat {
        case .publicMessage: body = .publicMessage(try PublicMessage(from: &reader))
        case .privateMessage: body = .privateMessage(try PrivateMessage(from: &reader))
        case .welcome: body = .welcome(try Welcome(from: &reader))
        case .groupInfo: body = .groupInfo(try GroupInfo(from: &reader))
        case .keyPackage: body = .keyPackage(try KeyPackage(from: &reader))
        default: throw MLSError(.unsupported, "wire format \(wireFormat.rawValue)")
        }
    }

    /// Appends the message.
    public func write(to writer: inout Writer) {
        ProtocolVersion.mls10.write(to: &writer)
        wireFormat.write(to: &writer)
        switch body {
        case .publicMessage(let message): message.write(to: &writer)
        case .privateMessage(let message): message.write(to: &writer)
        case .welcome(let welcome): welcome.write(to: &writer)
        case .groupInfo(let groupInfo): groupInfo.write(to: &writer)
        case .keyPackage(let keyPackage): keyPackage.write(to: &writer)
        }
    }
}
