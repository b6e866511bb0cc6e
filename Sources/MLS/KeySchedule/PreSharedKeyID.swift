/// What a resumption key is used for.
///
/// Source: RFC 9420 §8.4.
public enum ResumptionUsage: UInt8, Sendable {
    /// Whatever the application means.
    case application = 1
    /// To start again after ReInit.
    case reInit = 2
    /// To start a group of some of the members.
    case branch = 3
}

/// The name of a pre-shared key, and the nonce that makes one use of it unique.
///
/// Source: RFC 9420 §8.4.
public struct PreSharedKeyID: MLSCodable, Hashable, Sendable {
    /// Where the key comes from.
    public enum Source: Hashable, Sendable {
        /// The application.
        case external(id: [UInt8])
        /// An epoch of a group.
        case resumption(ResumptionUsage, groupID: [UInt8], epoch: UInt64)
    }

    /// Where the key comes from.
    public let source: Source
    /// `KDF.Nh` random bytes.
    public let nonce: [UInt8]

    /// A key under a nonce.
    public init(source: Source, nonce: [UInt8]) {
        self.source = source
        self.nonce = nonce
    }

    /// Reads a name.
    public init(from reader: inout Reader) throws(MLSError) {
        switch try reader.integer(UInt8.self) {
        case 1: source = .external(id: try reader.opaque())
        case 2:
            guard let usage = ResumptionUsage(rawValue: try reader.integer()) else {
                throw MLSError(.malformed, "an unknown use of a resumption key")
            }
            let groupID = try reader.opaque()
            source = .resumption(usage, groupID: groupID, epoch: try reader.integer())
        default: throw MLSError(.malformed, "an unknown kind of pre-shared key")
        }
        nonce = try reader.opaque()
    }

    /// Appends the name.
    public func write(to writer: inout Writer) {
        switch source {
        case .external(let id):
            writer.integer(UInt8(1))
            writer.opaque(id)
        case .resumption(let usage, let groupID, let epoch):
            writer.integer(UInt8(2))
            writer.integer(usage.rawValue)
            writer.opaque(groupID)
            writer.integer(epoch)
        }
        writer.opaque(nonce)
    }
}
