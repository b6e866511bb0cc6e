/// Whether a text gives away a secret key: `nsec1…`, whole or mistyped, also broken by spaces or lines.
///
/// A key with a wrong letter counts too: whoever reads it tries the few keys it can have been.
public func holdsSecretKey(_ text: String) -> Bool {
    let letters = text.lowercased().unicodeScalars.filter { scalar in
        !scalar.properties.isWhitespace && scalar.properties.generalCategory != .format
    }
    var rest = Array(letters.map { UInt8(exactly: $0.value) ?? 0 })[...]
    while let start = rest.firstRange(of: Array("nsec1".utf8)) {
        let code = rest[start.upperBound...].prefix(secretCodeLength)
        if code.count == secretCodeLength, code.allSatisfy(codeLetters.contains) { return true }
        rest = rest[start.upperBound...]
    }
    return false
}

/// What to tell a person whose text holds one.
let secretKeyWarning = ComposeWords.secretKey

/// The letters of bech32 (BIP-173).
private let codeLetters = Set("qpzry9x8gf2tvdw0s3jn54khce6mua7l".utf8)
/// 52 letters for 32 bytes, 6 for the checksum.
private let secretCodeLength = 58
