/// One complete type of D-Bus.
///
/// Source: D-Bus Specification, "Type System".
indirect enum DBusType: Hashable, Sendable {
    case byte, boolean, int16, uint16, int32, uint32, int64, uint64, double
    case string, objectPath, signature, unixFD, variant
    case array(DBusType)
    /// At least one member.
    case structure([DBusType])
    /// Key, of a basic type, and value; only as what an array holds.
    case entry(DBusType, DBusType)

    /// The longest signature there is, in bytes ("Valid Signatures").
    static let longestSignature = 255
    /// How deep arrays, and how deep structures, may stand inside each other ("Valid Signatures").
    static let deepest = 32

    /// Where a value of it begins: at a multiple of so many bytes from the beginning of the message.
    var alignment: Int {
        switch self {
        case .byte, .signature, .variant: 1
        case .int16, .uint16: 2
        case .boolean, .int32, .uint32, .string, .objectPath, .unixFD, .array: 4
        case .int64, .uint64, .double, .structure, .entry: 8
        }
    }

    /// As it is written in a signature.
    var code: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .objectPath: "o"
        case .signature: "g"
        case .unixFD: "h"
        case .variant: "v"
        case .array(let element): "a" + element.code
        case .structure(let members): "(" + members.map(\.code).joined() + ")"
        case .entry(let key, let value): "{" + key.code + value.code + "}"
        }
    }

    fileprivate init?(basic code: UInt8) {
        switch code {
        case UInt8(ascii: "y"): self = .byte
        case UInt8(ascii: "b"): self = .boolean
        case UInt8(ascii: "n"): self = .int16
        case UInt8(ascii: "q"): self = .uint16
        case UInt8(ascii: "i"): self = .int32
        case UInt8(ascii: "u"): self = .uint32
        case UInt8(ascii: "x"): self = .int64
        case UInt8(ascii: "t"): self = .uint64
        case UInt8(ascii: "d"): self = .double
        case UInt8(ascii: "s"): self = .string
        case UInt8(ascii: "o"): self = .objectPath
        case UInt8(ascii: "g"): self = .signature
        case UInt8(ascii: "h"): self = .unixFD
        default: return nil
        }
    }
}

/// Reads a signature: bounded in length and depth, whatever it is.
struct DBusSignatureReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// All types of it, in order.
    ///
    /// - Throws: ``DBusProblem/malformed``.
    mutating func types() throws(DBusProblem) -> [DBusType] {
        guard bytes.count <= DBusType.longestSignature else { throw .malformed }
        var types: [DBusType] = []
        while position < bytes.count { types.append(try type(arrays: 0, structures: 0)) }
        return types
    }

    private mutating func type(arrays: Int, structures: Int) throws(DBusProblem) -> DBusType {
        guard arrays <= DBusType.deepest, structures <= DBusType.deepest, let code = next() else { throw .malformed }
        switch code {
        case UInt8(ascii: "v"): return .variant
        case UInt8(ascii: "a"):
            if peek == UInt8(ascii: "{") {
                position += 1
                return .array(try entry(arrays: arrays + 1, structures: structures + 1))
            }
            return .array(try type(arrays: arrays + 1, structures: structures))
        case UInt8(ascii: "("):
            var members: [DBusType] = []
            while peek != UInt8(ascii: ")") {
                members.append(try type(arrays: arrays, structures: structures + 1))
            }
            position += 1
            guard !members.isEmpty else { throw .malformed }
            return .structure(members)
        default:
            guard let basic = DBusType(basic: code) else { throw .malformed }
            return basic
        }
    }

    private mutating func entry(arrays: Int, structures: Int) throws(DBusProblem) -> DBusType {
        guard structures <= DBusType.deepest, let key = next().flatMap({ DBusType(basic: $0) }) else {
            throw .malformed
        }
        let value = try type(arrays: arrays, structures: structures)
        guard next() == UInt8(ascii: "}") else { throw .malformed }
        return .entry(key, value)
    }

    private var peek: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func next() -> UInt8? {
        defer { position += 1 }
        return peek
    }
}
