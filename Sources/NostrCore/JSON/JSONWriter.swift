/// Writes JSON without white space.
///
/// Owns its memory instead of filling an array: an id is hashed where it was written, and a string is copied eight
/// bytes at a time with one check for room. Every write stands behind ``reserve(_:)``, which makes the type safe.
/// How one structure (an event, a filter, a message) is written is an extension beside that structure.
@safe struct JSONWriter: ~Copyable {
    /// What becomes of control characters that NIP-01 gives no short escape.
    enum ControlCharacters {
        /// As they are: what NIP-01 says of the text that is hashed, and no valid JSON.
        case verbatim
        /// As `\u00XX`: what goes on the wire (RFC 8259), and what is hashed by us and most others.
        case escaped
    }

    private var memory: UnsafeMutableRawBufferPointer
    private var count = 0
    private let controls: ControlCharacters
    /// Whether a character was written that the two ways of ``ControlCharacters`` write differently.
    private(set) var hasControlCharacters = false

    init(_ controls: ControlCharacters = .escaped, capacity: Int = 256) {
        self.controls = controls
        unsafe memory = .allocate(byteCount: max(capacity, 64), alignment: 8)
    }

    deinit {
        unsafe memory.deallocate()
    }

    /// A copy of what was written.
    var bytes: [UInt8] {
        unsafe [UInt8](memory[..<count])
    }

    /// Lends what was written.
    borrowing func withBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        unsafe body(UnsafeRawBufferPointer(rebasing: memory[..<count]))
    }

    /// Makes room for more bytes.
    @inline(__always)
    private mutating func reserve(_ more: Int) {
        if unsafe memory.count - count < more { grow(more) }
    }

    private mutating func grow(_ more: Int) {
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: unsafe max(2 * memory.count, count + more), alignment: 8)
        unsafe larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<count]))
        unsafe memory.deallocate()
        unsafe memory = larger
    }

    /// Writes one byte where there is room for it.
    @inline(__always)
    private mutating func put(_ byte: UInt8) {
        unsafe memory[count] = byte
        count &+= 1
    }

    /// Appends one byte of punctuation.
    @inline(__always)
    mutating func byte(_ byte: UInt8) {
        reserve(1)
        put(byte)
    }

    /// Appends text that is JSON already.
    @inline(__always)
    mutating func raw(_ text: StaticString) {
        reserve(text.utf8CodeUnitCount)
        for i in 0..<text.utf8CodeUnitCount { unsafe put(text.utf8Start[i]) }
    }

    /// Appends a whole number.
    mutating func integer(_ value: some FixedWidthInteger) {
        if value < 0 { byte(UInt8(ascii: "-")) }
        var rest = UInt64(value.magnitude)
        var digits = 1
        var power: UInt64 = 10
        while digits < 20, rest >= power {
            digits += 1
            power = power.multipliedReportingOverflow(by: 10).partialValue
        }
        reserve(digits)
        for i in stride(from: digits - 1, through: 0, by: -1) {
            unsafe memory[count + i] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += digits
    }

    /// Appends a string of lowercase hex.
    mutating func hex(_ value: Bytes32) {
        reserve(66)
        put(UInt8(ascii: "\""))
        for i in 0..<4 { putHex(value.bigEndianWord(i)) }
        put(UInt8(ascii: "\""))
    }

    /// Appends a string of lowercase hex.
    mutating func hex(_ value: Bytes64) {
        reserve(130)
        put(UInt8(ascii: "\""))
        for i in 0..<8 { putHex(value.bigEndianWord(i)) }
        put(UInt8(ascii: "\""))
    }

    @inline(__always)
    private mutating func putHex(_ word: UInt64) {
        putWord(hexDigits(of: UInt32(truncatingIfNeeded: word >> 32)).bigEndian)
        putWord(hexDigits(of: UInt32(truncatingIfNeeded: word)).bigEndian)
    }

    @inline(__always)
    private mutating func putWord(_ word: UInt64) {
        unsafe memory.storeBytes(of: word, toByteOffset: count, as: UInt64.self)
        count &+= 8
    }

    // MARK: strings

    /// Appends a string with the seven escapes of NIP-01.
    mutating func string(_ text: String) {
        var text = text
        text.withUTF8 { unsafe escaped($0) }
    }

    /// Copies a word at a time; where a byte of it needs an escape, only the bytes before count as copied.
    private mutating func escaped(_ text: UnsafeBufferPointer<UInt8>) {
        let length = text.count
        let base = unsafe UnsafeRawPointer(text.baseAddress)
        reserve(length + 10)
        put(UInt8(ascii: "\""))
        var position = 0
        while position < length {
            if position &+ 8 <= length, let base = unsafe base {
                let word = unsafe base.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                let found = bytesNeedingCare(UInt64(littleEndian: word))
                putWord(word)
                guard found != 0 else {
                    position &+= 8
                    continue
                }
                let plain = found.trailingZeroBitCount >> 3
                count &-= 8 &- plain
                position &+= plain
            }
            let byte = unsafe text[position]
            position &+= 1
            if byte < 0x20 || byte == 0x22 || byte == 0x5C {
                reserve(length &- position &+ 16)
                putEscape(byte)
            } else {
                put(byte)
            }
        }
        put(UInt8(ascii: "\""))
    }

    /// At most six bytes.
    private mutating func putEscape(_ byte: UInt8) {
        let letter: UInt8
        switch byte {
        case 0x22, 0x5C: letter = byte
        case 0x0A: letter = UInt8(ascii: "n")
        case 0x0D: letter = UInt8(ascii: "r")
        case 0x09: letter = UInt8(ascii: "t")
        case 0x08: letter = UInt8(ascii: "b")
        case 0x0C: letter = UInt8(ascii: "f")
        default: return putControl(byte)
        }
        put(UInt8(ascii: "\\"))
        put(letter)
    }

    private mutating func putControl(_ byte: UInt8) {
        hasControlCharacters = true
        guard controls == .escaped else { return put(byte) }
        for character in [UInt8(ascii: "\\"), UInt8(ascii: "u"), 0x30, 0x30] { put(character) }
        put(hexDigit(byte >> 4))
        put(hexDigit(byte & 15))
    }
}

extension JSONWriter {
    /// Appends an array.
    @inline(__always)
    mutating func list<Element>(_ elements: [Element], _ write: (inout JSONWriter, Element) -> Void) {
        byte(UInt8(ascii: "["))
        var isFirst = true
        for element in elements {
            if !isFirst { byte(UInt8(ascii: ",")) }
            isFirst = false
            write(&self, element)
        }
        byte(UInt8(ascii: "]"))
    }
}
