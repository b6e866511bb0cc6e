internal import NostrCore

/// A parameter of a statement; it travels beside the statement, never inside it.
enum PostgresValue {
    case int(Int64)
    case text(String)
    case bytes([UInt8])
    /// A `bytea[]`.
    case byteArrays([Bytes32])
    /// A `text[]`.
    case texts([String])

    static func key(_ key: PublicKey) -> PostgresValue { .bytes(key.bytes.array) }

    /// The type's number in PostgreSQL's catalogue (`pg_type.dat`).
    var type: UInt32 {
        switch self {
        case .bytes: 17
        case .int: 20
        case .text: 25
        case .byteArrays: 1001
        case .texts: 1009
        }
    }

    /// Whether the encoding is the binary one.
    var isBinary: Bool {
        if case .bytes = self { true } else { false }
    }

    /// As it goes over the wire.
    ///
    /// Source: PostgreSQL's manual, "Array Input and Output Syntax", for lists.
    var encoded: [UInt8] {
        switch self {
        case .int(let number): Array(String(number).utf8)
        case .text(let text): Array(text.utf8)
        case .bytes(let bytes): bytes
        case .byteArrays(let values): Self.array(values.map { "\\x" + $0.hex })
        case .texts(let values): Self.array(values)
        }
    }

    private static func array(_ values: [String]) -> [UInt8] {
        var out: [UInt8] = [UInt8(ascii: "{")]
        for (index, value) in values.enumerated() {
            if index > 0 { out.append(UInt8(ascii: ",")) }
            out.append(UInt8(ascii: "\""))
            for byte in value.utf8 {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { out.append(UInt8(ascii: "\\")) }
                out.append(byte)
            }
            out.append(UInt8(ascii: "\""))
        }
        return out + [UInt8(ascii: "}")]
    }
}

/// What a statement answered: its rows in the binary format, and how many it changed.
struct PostgresRows {
    /// Each row's columns; `nil` for NULL.
    var rows: [[[UInt8]?]] = []
    /// Rows inserted, updated, deleted or selected.
    var affected = 0

    var count: Int { rows.count }

    func bytes(_ row: Int, _ column: Int) -> [UInt8] { rows[row][column] ?? [] }

    func text(_ row: Int, _ column: Int) -> String { String(decoding: bytes(row, column), as: UTF8.self) }

    /// An integer or boolean of any width, big endian.
    func int(_ row: Int, _ column: Int) -> Int64 {
        let bytes = bytes(row, column)
        let isNegative = bytes.count < 8 && bytes.count > 1 && bytes[0] >= 0x80
        return bytes.suffix(8).reduce(isNegative ? -1 : 0) { $0 << 8 | Int64($1) }
    }

    func key(_ row: Int, _ column: Int) throws -> PublicKey {
        PublicKey(try Bytes32(bytes(row, column).span))
    }
}
