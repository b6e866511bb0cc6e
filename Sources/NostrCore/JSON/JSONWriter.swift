/// Writes JSON without white space.
struct JSONWriter {
    /// What becomes of control characters that NIP-01 gives no short escape.
    enum ControlCharacters {
        /// As they are: what the hash of an event is taken over (NIP-01), and no valid JSON.
        case verbatim
        /// As `\u00XX`: what goes on the wire (RFC 8259).
        case escaped
    }

    private(set) var bytes: [UInt8] = []
    private let controls: ControlCharacters

    init(_ controls: ControlCharacters = .escaped, capacity: Int = 256) {
        self.controls = controls
        bytes.reserveCapacity(capacity)
    }

    /// Forgets what was written and keeps the memory.
    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    /// Appends text that is JSON already.
    @inline(__always)
    mutating func raw(_ text: StaticString) {
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a whole number.
    mutating func integer(_ value: some BinaryInteger) {
        bytes.append(contentsOf: String(value).utf8)
    }

    /// Appends a string of lowercase hex.
    mutating func hex(_ value: Bytes32) {
        raw("\"")
        for i in 0..<4 { hex(value.bigEndianWord(i)) }
        raw("\"")
    }

    /// Appends a string of lowercase hex.
    mutating func hex(_ value: Bytes64) {
        raw("\"")
        for i in 0..<8 { hex(value.bigEndianWord(i)) }
        raw("\"")
    }

    private mutating func hex(_ word: UInt64) {
        for half in [UInt32(truncatingIfNeeded: word >> 32), UInt32(truncatingIfNeeded: word)] {
            unsafe withUnsafeBytes(of: hexDigits(of: half).bigEndian) { unsafe bytes.append(contentsOf: $0) }
        }
    }

    /// Appends a string with the seven escapes of NIP-01.
    mutating func string(_ text: String) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { unsafe appendEscaped($0) }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
        guard let base = unsafe UnsafeRawPointer(text.baseAddress) else { return }
        let count = text.count
        var written = 0
        var position = 0
        while position < count {
            if position &+ 8 <= count {
                let word = UInt64(littleEndian: unsafe base.loadUnaligned(fromByteOffset: position, as: UInt64.self))
                let found = bytesNeedingCare(word)
                guard found != 0 else {
                    position &+= 8
                    continue
                }
                position &+= found.trailingZeroBitCount >> 3
            }
            let byte = unsafe text[position]
            if byte < 0x20 || byte == 0x22 || byte == 0x5C {
                unsafe bytes.append(contentsOf: text[written..<position])
                escape(byte)
                written = position + 1
            }
            position &+= 1
        }
        unsafe bytes.append(contentsOf: text[written..<count])
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case 0x0A: raw("\\n")
        case 0x22: raw("\\\"")
        case 0x5C: raw("\\\\")
        case 0x0D: raw("\\r")
        case 0x09: raw("\\t")
        case 0x08: raw("\\b")
        case 0x0C: raw("\\f")
        default:
            guard controls == .escaped else { return bytes.append(byte) }
            raw("\\u00")
            bytes.append(hexDigit(byte >> 4))
            bytes.append(hexDigit(byte & 15))
        }
    }

    /// Appends tags as an array of arrays of strings.
    mutating func tags(_ tags: [Tag]) {
        list(tags) { writer, tag in
            writer.list(tag.elements) { writer, element in writer.string(element) }
        }
    }

    /// Appends an array.
    @inline(__always)
    mutating func list<Element>(_ elements: some Sequence<Element>, _ write: (inout JSONWriter, Element) -> Void) {
        bytes.append(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            write(&self, element)
        }
        bytes.append(UInt8(ascii: "]"))
    }
}
