/// A kind of proposal by its number.
///
/// Source: RFC 9420 §17.4.
public struct ProposalType: NamedNumber {
    /// The number in the registry.
    public let rawValue: UInt16

    /// Also a number that no registry has.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// A new member.
    public static let add = ProposalType(rawValue: 1)
    /// A new leaf for the sender.
    public static let update = ProposalType(rawValue: 2)
    /// A member leaves.
    public static let remove = ProposalType(rawValue: 3)
    /// A pre-shared key enters the key schedule.
    public static let preSharedKey = ProposalType(rawValue: 4)
    /// The group ends and starts again with other parameters.
    public static let reInit = ProposalType(rawValue: 5)
    /// Somebody joins by a commit of their own.
    public static let externalInit = ProposalType(rawValue: 6)
    /// Other extensions for the group.
    public static let groupContextExtensions = ProposalType(rawValue: 7)
    /// The sender leaves; outside RFC 9420.
    public static let selfRemove = ProposalType(rawValue: 10)

    /// The types every member supports without saying so.
    static let defaults: Set<ProposalType> = [
        .add, .update, .remove, .preSharedKey, .reInit, .externalInit, .groupContextExtensions,
    ]
}

/// A change to a group that somebody asks for.
///
/// Source: RFC 9420 §12.1.
public enum Proposal: Hashable, Sendable {
    /// A new member (§12.1.1).
    case add(KeyPackage)
    /// A new leaf for the sender (§12.1.2).
    case update(LeafNode)
    /// A member leaves (§12.1.3).
    case remove(LeafIndex)
    /// A pre-shared key enters the key schedule (§12.1.4).
    case preSharedKey(PreSharedKeyID)
    /// The group starts again (§12.1.5).
    case reInit(ReInit)
    /// Somebody joins by a commit of their own (§12.1.6).
    case externalInit(kemOutput: [UInt8])
    /// Other extensions for the group (§12.1.7).
    case groupContextExtensions([Extension])
    /// A type outside RFC 9420, its body as registered in ``CodecOptions/customProposals``.
    case custom(ProposalType, body: [UInt8]?)

    /// Its kind.
    public var type: ProposalType {
        switch self {
        case .add: .add
        case .update: .update
        case .remove: .remove
        case .preSharedKey: .preSharedKey
        case .reInit: .reInit
        case .externalInit: .externalInit
        case .groupContextExtensions: .groupContextExtensions
        case .custom(let type, _): type
        }
    }
}

extension Proposal: MLSCodable {
    /// Reads a proposal.
    public init(from reader: inout Reader) throws(MLSError) {
        switch try ProposalType(from: &reader) {
        case .add: self = .add(try KeyPackage(from: &reader))
        case .update: self = .update(try LeafNode(from: &reader))
        case .remove: self = .remove(try LeafIndex(from: &reader))
        case .preSharedKey: self = .preSharedKey(try PreSharedKeyID(from: &reader))
        case .reInit: self = .reInit(try ReInit(from: &reader))
        case .externalInit: self = .externalInit(kemOutput: try reader.opaque())
        case .groupContextExtensions: self = .groupContextExtensions(try reader.vector())
        case let type:
            switch reader.options.customProposals[type]?.body {
            case .empty: self = .custom(type, body: nil)
            case .vector: self = .custom(type, body: try reader.opaque())
            case nil: throw MLSError(.unsupported, "a proposal of type \(type.rawValue)")
            }
        }
    }

    /// Appends the proposal.
    public func write(to writer: inout Writer) {
        type.write(to: &writer)
        switch self {
        case .add(let keyPackage): keyPackage.write(to: &writer)
        case .update(let leafNode): leafNode.write(to: &writer)
        case .remove(let leaf): leaf.write(to: &writer)
        case .preSharedKey(let id): id.write(to: &writer)
        case .reInit(let parameters): parameters.write(to: &writer)
        case .externalInit(let kemOutput): writer.opaque(kemOutput)
        case .groupContextExtensions(let extensions): writer.vector(extensions)
        case .custom(_, let body): if let body { writer.opaque(body) }
        }
    }
}

/// The parameters of the group that follows a closed one.
///
/// Source: RFC 9420 §12.1.5.
public struct ReInit: MLSCodable, Hashable, Sendable {
    /// The id of the new group.
    public let groupID: [UInt8]
    /// Its version of the protocol.
    public let version: ProtocolVersion
    /// Its cipher suite.
    public let cipherSuite: CipherSuite
    /// The extensions of its context.
    public let extensions: [Extension]

    /// The parameters of a new group.
    public init(groupID: [UInt8], cipherSuite: CipherSuite, extensions: [Extension]) {
        self.groupID = groupID
        version = .mls10
        self.cipherSuite = cipherSuite
        self.extensions = extensions
    }

    /// Reads the parameters.
    public init(from reader: inout Reader) throws(MLSError) {
        groupID = try reader.opaque()
        version = try ProtocolVersion(from: &reader)
        cipherSuite = try CipherSuite(from: &reader)
        extensions = try reader.vector()
    }

    /// Appends the parameters.
    public func write(to writer: inout Writer) {
        writer.opaque(groupID)
        version.write(to: &writer)
        cipherSuite.write(to: &writer)
        writer.vector(extensions)
    }
}
