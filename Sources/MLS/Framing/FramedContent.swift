/// How a message is wrapped.
///
/// Source: RFC 9420 §6.
public struct WireFormat: NamedNumber {
    /// The number in the registry.
    public let rawValue: UInt16

    /// Also a number that no registry has.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Signed, not encrypted.
    public static let publicMessage = WireFormat(rawValue: 1)
    /// Signed and encrypted.
    public static let privateMessage = WireFormat(rawValue: 2)
    /// What a new member joins by.
    public static let welcome = WireFormat(rawValue: 3)
    /// What somebody outside joins by.
    public static let groupInfo = WireFormat(rawValue: 4)
    /// What somebody is added by.
    public static let keyPackage = WireFormat(rawValue: 5)
}

/// Who sent a message.
///
/// Source: RFC 9420 §6.
public enum Sender: MLSCodable, Hashable, Sendable {
    /// The member at a leaf.
    case member(LeafIndex)
    /// A sender of the `external_senders` extension, by place.
    case external(UInt32)
    /// Somebody who asks to be added.
    case newMemberProposal
    /// Somebody who joins by an external commit.
    case newMemberCommit

    /// Reads a sender.
    public init(from reader: inout Reader) throws(MLSError) {
        switch try reader.integer(UInt8.self) {
        case 1: self = .member(try LeafIndex(from: &reader))
        case 2: self = .external(try reader.integer())
        case 3: self = .newMemberProposal
        case 4: self = .newMemberCommit
        default: throw MLSError(.malformed, "an unknown kind of sender")
        }
    }

    /// Appends the sender.
    public func write(to writer: inout Writer) {
        switch self {
        case .member(let leaf):
            writer.integer(UInt8(1))
            leaf.write(to: &writer)
        case .external(let place):
            writer.integer(UInt8(2))
            writer.integer(place)
        case .newMemberProposal: writer.integer(UInt8(3))
        case .newMemberCommit: writer.integer(UInt8(4))
        }
    }
}

/// What a message is about, by its number.
///
/// Source: RFC 9420 §6.
enum ContentType: UInt8, Sendable {
    case application = 1
    case proposal = 2
    case commit = 3

    init(from reader: inout Reader) throws(MLSError) {
        guard let type = ContentType(rawValue: try reader.integer()) else {
            throw MLSError(.malformed, "an unknown type of content")
        }
        self = type
    }
}

/// What a message says.
///
/// Source: RFC 9420 §6.
enum Content: Hashable, Sendable {
    case application([UInt8])
    case proposal(Proposal)
    case commit(Commit)

    var type: ContentType {
        switch self {
        case .application: .application
        case .proposal: .proposal
        case .commit: .commit
        }
    }

    init(_ type: ContentType, from reader: inout Reader) throws(MLSError) {
        switch type {
        case .application: self = .application(try reader.opaque())
        case .proposal: self = .proposal(try Proposal(from: &reader))
        case .commit: self = .commit(try Commit(from: &reader))
        }
    }

    func write(to writer: inout Writer) {
        switch self {
        case .application(let data): writer.opaque(data)
        case .proposal(let proposal): proposal.write(to: &writer)
        case .commit(let commit): commit.write(to: &writer)
        }
    }
}

/// A message before it is signed and wrapped.
///
/// Source: RFC 9420 §6.
struct FramedContent: MLSCodable, Hashable, Sendable {
    let groupID: [UInt8]
    let epoch: UInt64
    let sender: Sender
    let authenticatedData: [UInt8]
    let content: Content

    init(groupID: [UInt8], epoch: UInt64, sender: Sender, authenticatedData: [UInt8], content: Content) {
        self.groupID = groupID
        self.epoch = epoch
        self.sender = sender
        self.authenticatedData = authenticatedData
        self.content = content
    }

    init(from reader: inout Reader) throws(MLSError) {
        groupID = try reader.opaque()
        epoch = try reader.integer()
        sender = try Sender(from: &reader)
        authenticatedData = try reader.opaque()
        content = try Content(ContentType(from: &reader), from: &reader)
    }

    func write(to writer: inout Writer) {
        writer.opaque(groupID)
        writer.integer(epoch)
        sender.write(to: &writer)
        writer.opaque(authenticatedData)
        writer.integer(content.type.rawValue)
        content.write(to: &writer)
    }

    /// `FramedContentTBS`; members and those who join by commit sign the context too.
    ///
    /// Source: RFC 9420 §6.1.
    func toBeSigned(_ wireFormat: WireFormat, context: [UInt8]) -> [UInt8] {
        var writer = Writer()
        ProtocolVersion.mls10.write(to: &writer)
        wireFormat.write(to: &writer)
        write(to: &writer)
        switch sender {
        case .member, .newMemberCommit: writer.fixed(context)
        case .external, .newMemberProposal: break
        }
        return writer.bytes
    }
}
