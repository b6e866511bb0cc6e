internal import Crypto
internal import CryptoExtras
public import NostrCore

/// A secret written as words a person can copy onto paper.
///
/// Shape: 128, 160, 192, 224 or 256 bits as 12, 15, 18, 21 or 24 words, the last of which holds a checksum. Not
/// copyable, never printed, wiped on release; text handed out by ``phrase()`` is the caller's to protect.
/// Source: BIP-39; NIP-06, which recommends a single nsec instead, and is kept to bring keys along.
public struct Mnemonic: ~Copyable, Sendable {
    /// The languages there are word lists for.
    public enum Language: String, Hashable, Sendable, CaseIterable {
        case english
        case spanish
        case french
        case italian
        case portuguese
        case czech
        case turkish
        case russian
        case japanese
        case korean
        case chineseSimplified = "chinese-simplified"
        case chineseTraditional = "chinese-traditional"
    }

    /// How many words there can be.
    public static let wordCounts = [12, 15, 18, 21, 24]

    /// The language of the words.
    public let language: Language
    private let entropy: SecretBytes

    /// Takes the secret bits.
    ///
    /// - Parameter entropy: 16, 20, 24, 28 or 32 bytes; the caller wipes its own copy.
    /// - Throws: ``MnemonicError/wrongEntropy(bytes:)``.
    public init(entropy: Span<UInt8>, language: Language = .english) throws(MnemonicError) {
        guard Self.wordCounts.contains(entropy.count * 3 / 4), entropy.count % 4 == 0 else {
            throw .wrongEntropy(bytes: entropy.count)
        }
        self.entropy = SecretBytes(entropy)
        self.language = language
    }

    /// Draws a new one.
    ///
    /// - Parameter words: one of ``wordCounts``.
    /// - Throws: ``MnemonicError/wrongCount(_:)``.
    public static func generate(
        words: Int = 12, language: Language = .english, using random: inout some RandomNumberGenerator
    ) throws(MnemonicError) -> Mnemonic {
        guard wordCounts.contains(words) else { throw .wrongCount(words) }
        var bytes = randomBytes(words / 3 * 4, using: &random)
        defer { for i in bytes.indices { bytes[i] = 0 } }
        return try Mnemonic(entropy: bytes.span, language: language)
    }

    /// How many words.
    public var count: Int { entropy.count * 3 / 4 }

    /// Lends the secret bits, for keeping them encrypted only.
    public borrowing func withEntropy<R: ~Copyable, E: Error>(_ body: (Span<UInt8>) throws(E) -> R) throws(E) -> R {
        try entropy.withBytes(body)
    }

    /// The words, as they are written down: with spaces between them, in Japanese ideographic ones (U+3000).
    public borrowing func phrase() -> String {
        let list = WordList.of(language).words
        return numbers().map { list[$0] }.joined(separator: language == .japanese ? "\u{3000}" : " ")
    }

    /// The words' places in the list.
    private borrowing func numbers() -> [Int] {
        entropy.withBytes { bytes in
            var all = bytes.indices.map { bytes[$0] } + [Self.checksum(of: bytes)]
            defer { for i in all.indices { all[i] = 0 } }
            return (0..<bytes.count * 3 / 4).map { word in
                (0..<11).reduce(0) { number, bit in
                    let place = word * 11 + bit
                    return number << 1 | Int(all[place / 8] >> (7 - UInt8(place % 8))) & 1
                }
            }
        }
    }

    /// The first byte of the SHA-256; of it as many bits count as there are groups of four bytes.
    static func checksum(of entropy: Span<UInt8>) -> UInt8 {
        var hasher = SHA256()
        unsafe entropy.withUnsafeBytes { unsafe hasher.update(bufferPointer: $0) }
        return hasher.finalize().first { _ in true } ?? 0
    }

    /// The seed that keys are derived from.
    ///
    /// Shape: 64 secret bytes, wiped on release. Takes a few milliseconds.
    ///
    /// - Parameter passphrase: a further word only its owner knows; another one gives another seed, and none is wrong.
    ///
    /// Source: BIP-39, "From mnemonic to seed": PBKDF2-HMAC-SHA512, 2048 rounds.
    public borrowing func seed(passphrase: String = "") -> SecretBytes {
        var words = normalised(phrase())
        var salt = normalised("mnemonic" + passphrase)
        defer {
            for i in words.indices { words[i] = 0 }
            for i in salt.indices { salt[i] = 0 }
        }
        do {
            // swift-crypto calls fewer than 210 000 rounds unchecked; BIP-39 fixes 2048 for 128 bits and more.
            let derived = try KDF.Insecure.PBKDF2.deriveKey(
                from: words, salt: salt, using: .sha512, outputByteCount: 64, unsafeUncheckedRounds: 2048)
            return secretCopy(of: derived, count: 64)
        } catch {
            preconditionFailure("PBKDF2 of 64 bytes cannot fail: \(error)")
        }
    }

    /// The Nostr key of an account: BIP-32's path m/44'/1237'/account'/0/0.
    ///
    /// - Parameters:
    ///   - account: below 2^31; 0 is the first.
    ///   - passphrase: as for ``seed(passphrase:)``.
    /// - Throws: ``MnemonicError/noKey`` for an account out of range, and otherwise as likely as never.
    ///
    /// Source: NIP-06.
    public borrowing func secretKey(account: UInt32 = 0, passphrase: String = "") throws(MnemonicError) -> SecretKey {
        let seed = seed(passphrase: passphrase)
        do throws(SecretKeyError) {
            return try seed.withBytes { (bytes) throws(SecretKeyError) in
                try ExtendedKey(seed: bytes).descendant([
                    .hardened(44), .hardened(1237), .hardened(account), .normal(0), .normal(0),
                ])
            }
        } catch {
            throw .noKey
        }
    }
}

/// Why words or bytes are no mnemonic; never carries a word.
public enum MnemonicError: Error, Hashable, Sendable {
    /// Not 12, 15, 18, 21 or 24 words.
    case wrongCount(Int)
    /// Not 16, 20, 24, 28 or 32 bytes.
    case wrongEntropy(bytes: Int)
    /// The word at a place, counted from 1, is in no list, or not in the list of the other words.
    case unknownWord(at: Int, isNearMiss: Bool)
    /// All words are in the list, but they do not belong together.
    case wrongChecksum
    /// There is no key at that place of the tree.
    case noKey
}
