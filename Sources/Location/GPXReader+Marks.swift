/// Takes the marks of XML off the front of the bytes that are left.
extension GPXReader {
    func has(_ mark: String) -> Bool {
        let length = mark.utf8.count
        guard position + length <= bytes.count else { return false }
        return bytes[position..<position + length].elementsEqual(mark.utf8)
    }

    mutating func consume(_ mark: String) -> Bool {
        guard has(mark) else { return false }
        position += mark.utf8.count
        return true
    }

    mutating func skip(past mark: String) throws(GPXProblem) {
        while position < bytes.count {
            if consume(mark) { return }
            position += 1
        }
        throw .notXML(at: position)
    }

    mutating func skipSpace() {
        while position < bytes.count, isXMLSpace(bytes[position]) { position += 1 }
    }

    mutating func name() throws(GPXProblem) -> Range<Int> {
        let start = position
        while position < bytes.count, position - start <= 128, isNameByte(bytes[position]) { position += 1 }
        guard (1...128).contains(position - start) else { throw .notXML(at: start) }
        return start..<position
    }

    mutating func attribute() throws(GPXProblem) -> (name: Range<Int>, value: Range<Int>)? {
        let before = position
        skipSpace()
        guard position < bytes.count else { throw .notXML(at: position) }
        if bytes[position] == UInt8(ascii: ">") || bytes[position] == UInt8(ascii: "/") { return nil }
        guard position > before else { throw .notXML(at: position) }
        let name = try name()
        skipSpace()
        guard consume("=") else { throw .notXML(at: position) }
        skipSpace()
        guard position < bytes.count else { throw .notXML(at: position) }
        let quote = bytes[position]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { throw .notXML(at: position) }
        position += 1
        let start = position
        while position < bytes.count, bytes[position] != quote, bytes[position] != UInt8(ascii: "<") { position += 1 }
        guard position < bytes.count, bytes[position] == quote else { throw .notXML(at: position) }
        position += 1
        return (name, start..<position - 1)
    }
}

func isXMLSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

private func isNameByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x3A, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x80...: true
    default: false
    }
}

func trimmedXML(_ text: [UInt8]) -> ArraySlice<UInt8> {
    guard let first = text.firstIndex(where: { !isXMLSpace($0) }), let last = text.lastIndex(where: { !isXMLSpace($0) })
    else { return [] }
    return text[first...last]
}

/// A decimal number of at most 40 characters, also with an exponent, which some programs write; `nil` for other words
/// that Swift would take as a number.
func decimal(_ text: ArraySlice<UInt8>) -> Double? {
    guard text.count <= 40 else { return nil }
    for byte in text {
        switch byte {
        case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: continue
        default: return nil
        }
    }
    guard let number = Double(String(decoding: text, as: UTF8.self)), number.isFinite else { return nil }
    return number
}
