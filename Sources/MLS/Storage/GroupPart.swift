/// One part of a saved group; they change at different times, so each is written by itself.
public enum GroupPart: MLSCodable, Hashable, Sendable {
    /// The context, the tree, our private keys and the secrets of the epoch: changes with every commit.
    case epoch
    /// The keys of the epoch's messages: changes with every message.
    case messageKeys
    /// The proposals that wait.
    case proposals
    /// What opens late messages of an epoch that is over.
    case past(UInt64)

    /// Reads the name of a part.
    public init(from reader: inout Reader) throws(MLSError) {
        switch try reader.integer(UInt8.self) {
        case 1: self = .epoch
        case 2: self = .messageKeys
        case 3: self = .proposals
        case 4: self = .past(try reader.integer())
        default: throw MLSError(.malformed, "an unknown part of a saved group")
        }
    }

    /// Appends the name of the part.
    public func write(to writer: inout Writer) {
        switch self {
        case .epoch: writer.integer(UInt8(1))
        case .messageKeys: writer.integer(UInt8(2))
        case .proposals: writer.integer(UInt8(3))
        case .past(let epoch):
            writer.integer(UInt8(4))
            writer.integer(epoch)
        }
    }
}

/// The whole state of a group as bytes, in parts that storage may keep apart; it holds secrets.
public struct SavedGroup: MLSCodable, Hashable, Sendable {
    /// The version of the encoding of this library.
    static let version: UInt16 = 1

    /// Each part in its own encoding.
    public var parts: [GroupPart: [UInt8]]

    /// A group of these parts.
    public init(_ parts: [GroupPart: [UInt8]]) { self.parts = parts }

    /// Reads a group; the parts are checked when a ``Group`` is made from them.
    ///
    /// - Throws: `unsupported` for another version of the encoding, `malformed`.
    public init(from reader: inout Reader) throws(MLSError) {
        try reader.savedVersion()
        parts = try reader.dictionary(
            { (inner) throws(MLSError) in (try GroupPart(from: &inner), try inner.opaque()) },
            rising: { $0.encoded.lexicographicallyPrecedes($1.encoded) })
    }

    /// Appends the group: the same bytes for the same state.
    public func write(to writer: inout Writer) {
        writer.integer(Self.version)
        writer.dictionary(parts, rising: { $0.encoded.lexicographicallyPrecedes($1.encoded) }) {
            $1.write(to: &$0)
            $0.opaque($2)
        }
    }
}

/// What only saved groups need of the codec.
extension Reader {
    mutating func savedVersion() throws(MLSError) {
        let version = try integer(UInt16.self)
        guard version == SavedGroup.version else {
            throw MLSError(.unsupported, "version \(version) of the encoding of a group")
        }
    }

    /// A secret of a known length.
    mutating func secret<Role>(
        _ count: Int, as _: Secret<Role>.Type = Secret<Role>.self
    ) throws(MLSError) -> Secret<Role> {
        let bytes = try opaque()
        guard bytes.count == count else { throw MLSError(.malformed, "a secret of another length") }
        return Secret(bytes)
    }

    /// A vector of pairs whose keys rise, so that there is one encoding.
    mutating func dictionary<Key: Hashable, Value>(
        _ one: (inout Reader) throws(MLSError) -> (Key, Value), rising: (Key, Key) -> Bool
    ) throws(MLSError) -> [Key: Value] {
        let pairs = try vector(one)
        guard zip(pairs, pairs.dropFirst()).allSatisfy({ rising($0.0, $1.0) }) else {
            throw MLSError(.malformed, "the keys of a saved list do not rise")
        }
        return Dictionary(pairs) { first, _ in first }
    }
}

extension Writer {
    mutating func dictionary<Key: Hashable, Value>(
        _ values: [Key: Value], rising: (Key, Key) -> Bool, _ one: (inout Writer, Key, Value) -> Void
    ) {
        vector(values.sorted { rising($0.key, $1.key) }) { one(&$0, $1.key, $1.value) }
    }
}
