import NostrTesting
import Secp256k1
import Testing

/// One line of the official table of BIP-340.
private struct Vector {
    let secret: [UInt8]
    let publicKey: [UInt8]
    let auxiliary: [UInt8]
    let message: [UInt8]
    let signature: [UInt8]
    let isValid: Bool

    init?(_ line: Substring) {
        let fields = line.split(separator: ",", omittingEmptySubsequences: false)
        guard fields.count >= 7, Int(fields[0]) != nil else { return nil }
        secret = bytes(fields[1])
        publicKey = bytes(fields[2])
        auxiliary = bytes(fields[3])
        message = bytes(fields[4])
        signature = bytes(fields[5])
        isValid = fields[6] == "TRUE"
    }
}

private func bytes(_ hex: Substring) -> [UInt8] {
    stride(from: 0, to: hex.count, by: 2).map { offset in
        let start = hex.index(hex.startIndex, offsetBy: offset)
        return UInt8(hex[start..<hex.index(start, offsetBy: 2)], radix: 16) ?? 0
    }
}

private func vectors() throws -> [Vector] {
    try Vectors.text("bitcoin/bip340-test-vectors.csv").split(whereSeparator: \.isNewline).compactMap(Vector.init)
}

@Suite("BIP-340", .enabled(if: Vectors.arePresent, "the official vectors are not here"))
struct BIP340Tests {
    @Test("verification agrees with every official vector of a 32-byte message")
    func verifies() throws {
        let table = try vectors().filter { $0.message.count == 32 }
        #expect(table.count >= 15)
        for vector in table {
            let valid = SchnorrSignature.isValid(
                vector.signature.span, message: vector.message.span, publicKey: vector.publicKey.span)
            #expect(valid == vector.isValid)
        }
    }

    @Test("signing gives the official signatures")
    func signs() throws {
        let table = try vectors().filter { !$0.secret.isEmpty && $0.message.count == 32 }
        #expect(table.count >= 4)
        for vector in table {
            let key = try SigningKey(secret: vector.secret.span)
            #expect(key.publicKey == vector.publicKey)
            #expect(try key.sign(vector.message, auxiliary: vector.auxiliary) == vector.signature)
        }
    }
}
