/// One value as D-Bus carries it.
///
/// Source: D-Bus Specification, "Type System".
indirect enum DBusValue: Hashable, Sendable {
    case byte(UInt8), boolean(Bool), int16(Int16), uint16(UInt16), int32(Int32), uint32(UInt32), int64(Int64)
    case uint64(UInt64), double(Double), string(String), objectPath(String), signature(String)
    /// The number of a file descriptor that came beside the message; none is ever taken.
    case unixFD(UInt32)
    /// The type of what it holds, and that.
    case array(DBusType, [DBusValue])
    case structure([DBusValue])
    case entry(DBusValue, DBusValue)
    case variant(DBusValue)

    /// Its type.
    var type: DBusType {
        switch self {
        case .byte: .byte
        case .boolean: .boolean
        case .int16: .int16
        case .uint16: .uint16
        case .int32: .int32
        case .uint32: .uint32
        case .int64: .int64
        case .uint64: .uint64
        case .double: .double
        case .string: .string
        case .objectPath: .objectPath
        case .signature: .signature
        case .unixFD: .unixFD
        case .array(let element, _): .array(element)
        case .structure(let members): .structure(members.map(\.type))
        case .entry(let key, let value): .entry(key.type, value.type)
        case .variant: .variant
        }
    }

    /// The entries of a dictionary with strings as keys, as `Properties.GetAll` gives it (`a{sv}`).
    ///
    /// Of two with one key the later counts; `nil` for any other value.
    var properties: [String: DBusValue]? {
        guard case .array(.entry(.string, .variant), let entries) = self else { return nil }
        var properties: [String: DBusValue] = [:]
        for case .entry(.string(let name), .variant(let value)) in entries { properties[name] = value }
        return properties
    }
}

/// What may stand in an object path: `/`, or names of letters, digits and `_` behind a `/` each.
///
/// Source: D-Bus Specification, "Valid Object Paths".
func isObjectPath(_ text: String) -> Bool {
    if text == "/" { return true }
    guard text.hasPrefix("/") else { return false }
    return text.dropFirst().utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy {
        !$0.isEmpty
            && $0.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
