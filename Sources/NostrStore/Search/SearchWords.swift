/// The words of a text as search compares them: folded, without duplicates, in the order they first appear.
///
/// Letters become lowercase, Latin letters lose their marks (`José` is found by `jose`). Scripts written without spaces
/// (Han, Hiragana, Katakana) give each character and each pair of neighbours, so that a part of a sentence is found.
/// Words longer than 64 bytes are left out: they are data, not words.
package func searchWords(in text: String) -> [String] {
    var collector = WordCollector(isForIndex: true)
    for scalar in text.unicodeScalars { collector.append(scalar) }
    collector.endWord()
    return collector.words
}

/// The words of a text one after the other, folded as for a search, each as often as it is there.
///
/// Characters of scripts written without spaces are words of their own.
package func foldedWords(in text: String) -> [String] {
    var collector = WordCollector(isForIndex: false)
    for scalar in text.unicodeScalars { collector.append(scalar) }
    collector.endWord()
    return collector.words
}

/// Splits a run of scalars into folded words.
private struct WordCollector {
    /// Whether each word counts once, and pairs of characters count as words.
    let isForIndex: Bool
    private(set) var words: [String] = []
    private var seen: Set<String> = []
    private var word: [UInt8] = []
    private var previous: Unicode.Scalar?

    init(isForIndex: Bool) {
        self.isForIndex = isForIndex
    }

    mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x30...0x39, 0x61...0x7A:
            word.append(UInt8(truncatingIfNeeded: scalar.value))
        case 0x41...0x5A:
            word.append(UInt8(truncatingIfNeeded: scalar.value) | 0x20)
        case ..<0x80:
            endWord()
        case 0x300...0x36F:
            break  // A combining mark: the letter before it stands without.
        default:
            appendBeyondASCII(scalar)
        }
        if scalar.value < 0x80 { previous = nil }
    }

    private mutating func appendBeyondASCII(_ scalar: Unicode.Scalar) {
        if scalar.isWrittenWithoutSpaces {
            endWord()
            add(String(scalar))
            if isForIndex, let previous { add(String(previous) + String(scalar)) }
            previous = scalar
            return
        }
        previous = nil
        guard scalar.isPartOfWord else { return endWord() }
        if let base = LatinFolding.base(of: scalar) {
            word.append(base)
        } else {
            word.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
        }
    }

    mutating func endWord() {
        guard !word.isEmpty else { return }
        if word.count <= 64 { add(String(decoding: word, as: UTF8.self)) }
        word.removeAll(keepingCapacity: true)
    }

    private mutating func add(_ found: String) {
        if !isForIndex || seen.insert(found).inserted { words.append(found) }
    }
}

extension Unicode.Scalar {
    /// Han, Hiragana and Katakana: no space marks where a word ends.
    fileprivate var isWrittenWithoutSpaces: Bool {
        (0x3041...0x30FF).contains(value) || (value >= 0x2E80 && properties.isIdeographic)
    }

    fileprivate var isPartOfWord: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .nonspacingMark, .spacingMark:
            true
        default:
            false
        }
    }
}

/// Latin letters with marks, and the plain letter each is found by.
private enum LatinFolding {
    private static let first: UInt32 = 0xC0
    private static let last: UInt32 = 0x1EFF

    /// The plain lowercase letter per scalar from `first` to `last`, 0 where there is none.
    ///
    /// Read off the Unicode names: `LATIN SMALL LETTER E WITH ACUTE` is an `e`.
    private static let bases: [UInt8] = (first...last).map { value in
        guard value <= 0x24F || value >= 0x1E00, let name = Unicode.Scalar(value)?.properties.name else { return 0 }
        let parts = name.split(separator: " ")
        guard parts.count > 4, parts[0] == "LATIN", parts[2] == "LETTER", parts[4] == "WITH", parts[3].utf8.count == 1,
            let letter = parts[3].utf8.first
        else { return 0 }
        return letter | 0x20
    }

    static func base(of scalar: Unicode.Scalar) -> UInt8? {
        guard (first...last).contains(scalar.value) else { return nil }
        let base = bases[Int(scalar.value - first)]
        return base == 0 ? nil : base
    }
}
