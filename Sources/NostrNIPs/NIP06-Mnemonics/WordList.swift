internal import Foundation

/// The words of one language, by their numbers; each language has a file of its own.
///
/// Source: BIP-39, "Wordlist".
final class WordList: Sendable {
    /// The words, 2048 of them, as the standard has them.
    let words: [String]
    private let numbers: [[UInt8]: Int]

    private init(_ text: String) {
        words = text.split(whereSeparator: { $0 == " " || $0 == "\n" }).map(String.init)
        numbers = Dictionary(words.enumerated().map { (normalised($1), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The number of a word in any normal form, in lowercase.
    func number(of word: String) -> Int? {
        numbers[normalised(word)]
    }

    /// Whether some word of the list differs from this one by one letter: changed, missing, added, or two swapped.
    func hasNeighbour(of word: String) -> Bool {
        let letters = Array(decodedScalars(normalised(word)))
        guard letters.count < 32 else { return false }
        return numbers.keys.contains { isOneSlip(from: Array(decodedScalars($0)), to: letters) }
    }

    /// The list of a language, read when it is first asked for.
    static func of(_ language: Mnemonic.Language) -> WordList {
        switch language {
        case .english: english
        case .chineseSimplified: chineseSimplified
        case .chineseTraditional: chineseTraditional
        case .czech: czech
        case .french: french
        case .italian: italian
        case .japanese: japanese
        case .korean: korean
        case .portuguese: portuguese
        case .russian: russian
        case .spanish: spanish
        case .turkish: turkish
        }
    }

    private static let english = WordList(englishWords)
    private static let chineseSimplified = WordList(chineseSimplifiedWords)
    private static let chineseTraditional = WordList(chineseTraditionalWords)
    private static let czech = WordList(czechWords)
    private static let french = WordList(frenchWords)
    private static let italian = WordList(italianWords)
    private static let japanese = WordList(japaneseWords)
    private static let korean = WordList(koreanWords)
    private static let portuguese = WordList(portugueseWords)
    private static let russian = WordList(russianWords)
    private static let spanish = WordList(spanishWords)
    private static let turkish = WordList(turkishWords)
}

/// The UTF-8 bytes of a text in the normal form NFKD, which BIP-39 hashes.
func normalised(_ text: String) -> [UInt8] {
    Array(text.decomposedStringWithCompatibilityMapping.utf8)
}

private func decodedScalars(_ bytes: [UInt8]) -> String.UnicodeScalarView {
    String(decoding: bytes, as: UTF8.self).unicodeScalars
}

/// Whether one slip of the pen leads from one word to another that is not the same.
private func isOneSlip(from word: [Unicode.Scalar], to other: [Unicode.Scalar]) -> Bool {
    guard abs(word.count - other.count) <= 1, word != other else { return false }
    let start = zip(word, other).prefix { $0 == $1 }.count
    let (a, b) = (word.dropFirst(start), other.dropFirst(start))
    if a.dropFirst() == b.dropFirst() || a.dropFirst() == b || a == b.dropFirst() { return true }
    return a.count >= 2 && a.count == b.count && a.dropFirst(2) == b.dropFirst(2)
        && Array(a.prefix(2)) == Array(b.prefix(2).reversed())
}
