internal import Foundation
internal import NostrCore

extension Mnemonic {
    /// The longest text that is looked at, in UTF-8 bytes; 24 Korean words are far below.
    private static let longestText = 4096

    /// Reads words as a person types them: in any case and normal form, with any white space.
    ///
    /// Some words stand in several lists. The language is the one whose list has all words; where two have, the one
    /// whose checksum fits. Keys come from the words themselves, so they are the same either way.
    ///
    /// - Parameters:
    ///   - text: the words; the caller protects them.
    ///   - language: the only language to try; `nil` for all.
    /// - Throws: ``MnemonicError``.
    public init(_ text: String, language: Language? = nil) throws(MnemonicError) {
        guard text.utf8.count <= Self.longestText else { throw .wrongCount(Self.longestText) }
        let words = text.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
        guard Self.wordCounts.contains(words.count) else { throw .wrongCount(words.count) }
        var fewestUnknown = (count: Int.max, problem: MnemonicError.wrongChecksum)
        for candidate in language.map({ [$0] }) ?? Language.allCases {
            let list = WordList.of(candidate)
            var numbers = words.map(list.number)
            defer { for i in numbers.indices { numbers[i] = nil } }
            let unknown = numbers.indices.filter { numbers[$0] == nil }
            if let first = unknown.first {
                guard unknown.count < fewestUnknown.count else { continue }
                let problem = MnemonicError.unknownWord(
                    at: first + 1, isNearMiss: unknown.count < words.count && list.hasNeighbour(of: words[first]))
                fewestUnknown = (unknown.count, problem)
            } else if let entropy = Self.entropy(of: numbers.compactMap { $0 }) {
                self = try entropy.withBytes { (bytes) throws(MnemonicError) in
                    try Mnemonic(entropy: bytes, language: candidate)
                }
                return
            } else {
                fewestUnknown = (0, .wrongChecksum)
            }
        }
        throw fewestUnknown.problem
    }

    /// The bits of numbers below 2048 without their checksum; `nil` when that is wrong.
    private static func entropy(of numbers: [Int]) -> SecretBytes? {
        let count = numbers.count / 3 * 4
        func byte(_ index: Int) -> UInt8 {
            (index * 8..<index * 8 + 8).reduce(0) { byte, place in
                let bit = place / 11 < numbers.count ? numbers[place / 11] >> (10 - place % 11) & 1 : 0
                return byte << 1 | UInt8(bit)
            }
        }
        let entropy = SecretBytes(count: count) { span in
            for i in span.indices { span[i] = byte(i) }
        }
        let unused = 8 - UInt8(numbers.count / 3)
        let expected = entropy.withBytes { checksum(of: $0) }
        guard expected >> unused == byte(count) >> unused else { return nil }
        return entropy
    }
}
