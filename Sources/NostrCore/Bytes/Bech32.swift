/// The two checksums of BIP-173 and BIP-350.
public enum Bech32Variant: Hashable, Sendable {
    /// BIP-173; what NIP-19 uses.
    case bech32
    /// BIP-350.
    case bech32m

    fileprivate var constant: UInt32 {
        switch self {
        case .bech32: 1
        case .bech32m: 0x2BC8_30A3
        }
    }
}

/// Why text is not Bech32.
public enum Bech32Error: Error, Hashable, Sendable {
    /// Longer than the caller takes, in bytes.
    case tooLong(limit: Int)
    /// Uppercase and lowercase letters together.
    case mixedCase
    /// No `1`, nothing before it, or fewer than six characters after it.
    case noSeparator
    /// A character outside the alphabet, with its offset in bytes.
    case invalidCharacter(at: Int)
    /// A character is wrong somewhere.
    case badChecksum
    /// The last character carries bits that belong to no byte.
    case badPadding
}

/// A prefix and the bytes it names.
public struct Bech32Text: Hashable, Sendable {
    /// The part before the last `1`, lowercase.
    public let prefix: String
    /// The data, in whole bytes.
    public let bytes: [UInt8]
}

/// Encodes bytes as lowercase Bech32.
///
/// - Parameter prefix: 1–83 characters of printable ASCII without uppercase letters; our own constant, so anything
///   else traps.
///
/// Source: BIP-173, BIP-350.
public func bech32Encode(prefix: String, bytes: [UInt8], variant: Bech32Variant = .bech32) -> String {
    bech32Encode(prefix: prefix, values: bech32Values(of: bytes), variant: variant)
}

/// Bytes as groups of five bits, 0 to 31 each, the last filled with zeros.
public func bech32Values(of bytes: [UInt8]) -> [UInt8] {
    var values: [UInt8] = []
    values.reserveCapacity(bytes.count * 8 / 5 + 1)
    var accumulator: UInt32 = 0
    var bits: UInt32 = 0
    for byte in bytes {
        accumulator = (accumulator << 8 | UInt32(byte)) & 0xFFFF
        bits += 8
        while bits >= 5 {
            bits -= 5
            values.append(UInt8(truncatingIfNeeded: accumulator >> bits) & 31)
        }
    }
    if bits > 0 { values.append(UInt8(truncatingIfNeeded: accumulator << (5 - bits)) & 31) }
    return values
}

/// Encodes groups of five bits as lowercase Bech32.
///
/// - Parameters:
///   - prefix: as for bytes.
///   - values: 0 to 31 each; of larger ones the lowest five bits count.
///
/// Source: BIP-173, BIP-350.
public func bech32Encode(prefix: String, values: [UInt8], variant: Bech32Variant = .bech32) -> String {
    let human = Array(prefix.utf8)
    precondition(
        (1...83).contains(human.count) && human.allSatisfy { (33...126).contains($0) && !(65...90).contains($0) },
        "a Bech32 prefix is 1–83 characters of lowercase printable ASCII")
    var checksum = Bech32Checksum()
    checksum.update(prefix: human)
    var out = human
    out.reserveCapacity(human.count + values.count + 7)
    out.append(UInt8(ascii: "1"))
    for value in values {
        checksum.update(value & 31)
        out.append(alphabet[Int(value & 31)])
    }
    for _ in 0..<6 { checksum.update(0) }
    let sum = checksum.value ^ variant.constant
    for i in 0..<6 { out.append(alphabet[Int(sum >> UInt32(5 * (5 - i)) & 31)]) }
    return String(decoding: out, as: UTF8.self)
}

/// Decodes Bech32, all lowercase or all uppercase.
///
/// - Parameter maxLength: the longest text taken, in bytes; NIP-19 asks for 5000.
/// - Throws: ``Bech32Error``.
///
/// Source: BIP-173, BIP-350.
public func bech32Decode(
    _ text: String, maxLength: Int = 5000, variant: Bech32Variant = .bech32
) throws(Bech32Error) -> Bech32Text {
    let (prefix, values) = try bech32Values(text, maxLength: maxLength, variant: variant)
    return Bech32Text(prefix: prefix, bytes: try regrouped(values[...]))
}

/// Decodes Bech32, all lowercase or all uppercase, into its groups of five bits, as Lightning's invoices need them.
///
/// - Parameter maxLength: the longest text taken, in bytes.
/// - Returns: the part before the last `1`, lowercase, and a value from 0 to 31 per character without the checksum.
/// - Throws: ``Bech32Error``.
///
/// Source: BIP-173, BIP-350.
public func bech32Values(
    _ text: String, maxLength: Int, variant: Bech32Variant = .bech32
) throws(Bech32Error) -> (prefix: String, values: [UInt8]) {
    guard text.utf8.count <= maxLength else { throw .tooLong(limit: maxLength) }
    let characters = try lowercased(Array(text.utf8))
    guard let separator = characters.lastIndex(of: UInt8(ascii: "1")), (1...83).contains(separator),
        separator + 7 <= characters.count
    else { throw .noSeparator }
    var checksum = Bech32Checksum()
    checksum.update(prefix: characters[..<separator])
    var values: [UInt8] = []
    values.reserveCapacity(characters.count - separator)
    // Asked for once, not for each character.
    let known = alphabetValues
    for offset in (separator + 1)..<characters.count {
        let value = known[Int(characters[offset])]
        guard value != 0xFF else { throw .invalidCharacter(at: offset) }
        checksum.update(value)
        values.append(value)
    }
    guard checksum.value == variant.constant else { throw .badChecksum }
    // Six are there, as was looked at first; they go where they stand.
    values.removeLast(6)
    return (String(decoding: characters[..<separator], as: UTF8.self), values)
}

/// Checks that the characters are printable ASCII of one case, and makes it lowercase.
private func lowercased(_ characters: [UInt8]) throws(Bech32Error) -> [UInt8] {
    var hasUpper = false
    var hasLower = false
    for (offset, character) in characters.enumerated() {
        guard (33...126).contains(character) else { throw .invalidCharacter(at: offset) }
        if (65...90).contains(character) { hasUpper = true }
        if (97...122).contains(character) { hasLower = true }
    }
    guard !(hasUpper && hasLower) else { throw .mixedCase }
    return hasUpper ? characters.map { (65...90).contains($0) ? $0 + 32 : $0 } : characters
}

/// Turns groups of five bits into bytes; fewer than five zero bits may be left.
private func regrouped(_ values: ArraySlice<UInt8>) throws(Bech32Error) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(values.count * 5 / 8)
    var accumulator: UInt32 = 0
    var bits: UInt32 = 0
    for value in values {
        accumulator = (accumulator << 5 | UInt32(value)) & 0xFFF
        bits += 5
        if bits >= 8 {
            bits -= 8
            out.append(UInt8(truncatingIfNeeded: accumulator >> bits))
        }
    }
    guard bits < 5, accumulator & (1 << bits - 1) == 0 else { throw .badPadding }
    return out
}

private let alphabet = Array("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)

/// The value of each character; 0xFF for those outside the alphabet.
private let alphabetValues: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
}()

/// The BCH checksum while values pass by.
private struct Bech32Checksum {
    private(set) var value: UInt32 = 1

    mutating func update(_ five: UInt8) {
        let top = value >> 25
        value = (value & 0x1FF_FFFF) << 5 ^ UInt32(five)
        // One line for each generator, none with a branch, which no processor foresees: a page decodes hundreds of codes
        // of some hundred characters.
        value ^= 0x3B6A_57B2 & (0 &- (top & 1))
        value ^= 0x2650_8E6D & (0 &- (top >> 1 & 1))
        value ^= 0x1EA1_19FA & (0 &- (top >> 2 & 1))
        value ^= 0x3D42_33DD & (0 &- (top >> 3 & 1))
        value ^= 0x2A14_62B3 & (0 &- (top >> 4 & 1))
    }

    mutating func update(prefix: some Collection<UInt8>) {
        for character in prefix { update(character >> 5) }
        update(0)
        for character in prefix { update(character & 31) }
    }
}
