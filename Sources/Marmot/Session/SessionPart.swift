public import MLS
public import NostrCore

/// One part of a saved ``GroupSession``; they change at different times, so each is written by itself.
public enum SessionPart: Hashable, Sendable {
    /// A part of the group of MLS; secret.
    case mls(GroupPart)
    /// The keys of its events; secret.
    case keyring
    /// How it comes to the epoch of all others, but for what it remembers.
    case convergence
    /// Some of what it remembers: of events, messages or rumors, in one of a few slots.
    case memory(UInt8, slot: UInt16)
    /// The whole group as it was in an epoch; secret.
    case snapshot(UInt64)
    /// A commit of our own; secret.
    case ownCommit(EventID)
    /// An event that waits.
    case waiting(EventID)
    /// Changes that wait for their turn.
    case wanted
    /// Which leaves are known to be whose.
    case bindings
}

/// The form in which a part rests in a store of names and values.
extension SessionPart {
    /// The name of the part, in hex digits.
    public var name: String { encodeHex(encoded) }

    /// The value to store under ``name``: it says which part it is, as a store may keep only a hash of the name.
    public func record(_ bytes: [UInt8]) -> [UInt8] {
        var writer = Writer()
        write(to: &writer)
        writer.opaque(bytes)
        return writer.bytes
    }

    /// Reads what ``record(_:)`` made.
    ///
    /// - Throws: `malformed`.
    public static func read(record: [UInt8]) throws(MarmotError) -> (part: SessionPart, bytes: [UInt8]) {
        try throughMLS("A stored part of a session cannot be read.", .malformed) { () throws(MLSError) in
            var reader = Reader(record)
            return (try SessionPart(from: &reader), try reader.opaque())
        }
    }
}

extension SessionPart: MLSCodable {
    /// Reads the name of a part.
    ///
    /// - Throws: `malformed`.
    public init(from reader: inout Reader) throws(MLSError) {
        switch try reader.integer(UInt8.self) {
        case 1: self = .mls(try GroupPart(from: &reader))
        case 2: self = .keyring
        case 3: self = .convergence
        case 4: self = .memory(try reader.integer(), slot: try reader.integer())
        case 5: self = .snapshot(try reader.integer())
        case 6: self = .ownCommit(EventID(try reader.bytes32()))
        case 7: self = .waiting(EventID(try reader.bytes32()))
        case 8: self = .wanted
        case 9: self = .bindings
        default: throw MLSError.malformed("an unknown part of a saved session")
        }
    }

    /// Appends the name of the part.
    public func write(to writer: inout Writer) {
        switch self {
        case .mls(let part):
            writer.integer(UInt8(1))
            part.write(to: &writer)
        case .keyring: writer.integer(UInt8(2))
        case .convergence: writer.integer(UInt8(3))
        case .memory(let sort, let slot):
            writer.integer(UInt8(4))
            writer.integer(sort)
            writer.integer(slot)
        case .snapshot(let epoch):
            writer.integer(UInt8(5))
            writer.integer(epoch)
        case .ownCommit(let id):
            writer.integer(UInt8(6))
            writer.fixed(id.bytes.array)
        case .waiting(let id):
            writer.integer(UInt8(7))
            writer.fixed(id.bytes.array)
        case .wanted: writer.integer(UInt8(8))
        case .bindings: writer.integer(UInt8(9))
        }
    }
}
