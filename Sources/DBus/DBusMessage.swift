/// One message of D-Bus.
///
/// Source: D-Bus Specification, "Message Format".
struct DBusMessage: Hashable, Sendable {
    /// What it is for; `other` is passed over, as the specification asks.
    enum Kind: Hashable, Sendable {
        case methodCall, methodReturn, error, signal, other(UInt8)
    }

    /// `NO_REPLY_EXPECTED`.
    static let noReplyExpected: UInt8 = 1
    /// The longest message that is taken, in bytes: a bus may send 128 MiB, and what is asked for here is short.
    static let longest = 128 << 10

    var kind: Kind
    var flags: UInt8 = 0
    /// What replies name; never 0.
    var serial: UInt32
    var path: String?
    var interface: String?
    var member: String?
    var errorName: String?
    var replySerial: UInt32?
    var destination: String?
    /// Who sent it, by unique name: the bus writes it, so it can be believed.
    var sender: String?
    var body: [DBusValue] = []

    /// A message with nothing in it.
    init(_ kind: Kind, serial: UInt32) {
        (self.kind, self.serial) = (kind, serial)
    }
}

// MARK: - Writing

extension DBusMessage {
    /// The whole message, little-endian.
    var bytes: [UInt8] {
        var content = DBusWriter()
        body.forEach { content.append($0) }
        let signature = body.map(\.type.code).joined()
        let texts: [(UInt8, DBusValue?)] = [
            (1, path.map { .objectPath($0) }), (2, interface.map { .string($0) }), (3, member.map { .string($0) }),
            (4, errorName.map { .string($0) }), (5, replySerial.map { .uint32($0) }),
            (6, destination.map { .string($0) }), (7, sender.map { .string($0) }),
            (8, signature.isEmpty ? nil : .signature(signature)),
        ]
        let fields: [DBusValue] = texts.compactMap { code, value in
            value.map { .structure([.byte(code), .variant($0)]) }
        }
        var writer = DBusWriter()
        for byte in [UInt8(ascii: "l"), kind.code, flags, 1] { writer.append(.byte(byte)) }
        writer.append(.uint32(UInt32(truncatingIfNeeded: content.bytes.count)))
        writer.append(.uint32(serial))
        writer.append(.array(Self.field, fields))
        writer.align(8)
        return writer.bytes + content.bytes
    }

    private static let field = DBusType.structure([.byte, .variant])
}

extension DBusMessage.Kind {
    init?(code: UInt8) {
        switch code {
        case 0: return nil
        case 1: self = .methodCall
        case 2: self = .methodReturn
        case 3: self = .error
        case 4: self = .signal
        default: self = .other(code)
        }
    }

    var code: UInt8 {
        switch self {
        case .methodCall: 1
        case .methodReturn: 2
        case .error: 3
        case .signal: 4
        case .other(let code): code
        }
    }
}

// MARK: - Reading

extension DBusMessage {
    /// The fixed part of a message and the length of its fields, in bytes.
    static let startLength = 16

    /// How long the message is that begins so, in bytes.
    ///
    /// - Parameter start: at least ``startLength`` bytes.
    /// - Throws: ``DBusProblem/malformed``, also for one that is longer than ``longest``.
    static func length(_ start: some Collection<UInt8>) throws(DBusProblem) -> Int {
        let start = Array(start.prefix(startLength))
        var reader = DBusReader(start, from: 4, isLittleEndian: try isLittleEndian(start))
        let numbers = [try reader.value(.uint32), try reader.value(.uint32), try reader.value(.uint32)]
        guard case .uint32(let body) = numbers[0], case .uint32(let fields) = numbers[2], body <= longest,
            fields <= longest
        else { throw .malformed }
        let whole = (startLength + Int(fields) + 7) / 8 * 8 + Int(body)
        guard whole <= longest else { throw .malformed }
        return whole
    }

    /// Reads one whole message.
    ///
    /// - Throws: ``DBusProblem/malformed``.
    init(_ bytes: [UInt8]) throws(DBusProblem) {
        let isLittleEndian = try Self.isLittleEndian(bytes)
        var reader = DBusReader(bytes, isLittleEndian: isLittleEndian)
        var start: [DBusValue] = []
        for type in [DBusType.byte, .byte, .byte, .byte, .uint32, .uint32] { start.append(try reader.value(type)) }
        guard case .byte(let code) = start[1], let kind = Kind(code: code), case .byte(let flags) = start[2],
            case .uint32(let serial) = start[5], serial != 0
        else { throw .malformed }
        self.init(kind, serial: serial)
        self.flags = flags
        guard case .array(_, let fields) = try reader.value(.array(Self.field)) else { throw .malformed }
        var signature = ""
        for case .structure(let pair) in fields {
            guard case .byte(let code)? = pair.first, case .variant(let value)? = pair.last else { throw .malformed }
            try read(field: code, value, &signature)
        }
        try reader.align(8)
        var types = DBusSignatureReader(signature.utf8)
        for type in try types.types() { body.append(try reader.value(type)) }
        guard reader.isAtEnd, isComplete else { throw .malformed }
    }

    private mutating func read(
        field: UInt8, _ value: DBusValue, _ signature: inout String
    ) throws(DBusProblem) {
        switch (field, value) {
        case (1, .objectPath(let path)): self.path = path
        case (2, .string(let name)): interface = name
        case (3, .string(let name)): member = name
        case (4, .string(let name)): errorName = name
        case (5, .uint32(let serial)): replySerial = serial
        case (6, .string(let name)): destination = name
        case (7, .string(let name)): sender = name
        case (8, .signature(let text)): signature = text
        case (9, .uint32): break
        case (0...9, _): throw .malformed
        // Fields of later versions are passed over.
        default: break
        }
    }

    /// Whether it has the fields that one of its kind must have ("Header Fields").
    private var isComplete: Bool {
        switch kind {
        case .methodCall: path != nil && member != nil
        case .methodReturn: replySerial != nil
        case .error: errorName != nil && replySerial != nil
        case .signal: path != nil && interface != nil && member != nil
        case .other: true
        }
    }

    private static func isLittleEndian(_ bytes: [UInt8]) throws(DBusProblem) -> Bool {
        guard bytes.count >= startLength, bytes[3] == 1 else { throw .malformed }
        switch bytes[0] {
        case UInt8(ascii: "l"): return true
        case UInt8(ascii: "B"): return false
        default: throw .malformed
        }
    }
}
