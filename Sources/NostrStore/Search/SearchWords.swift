/// The words of a text as search compares them: folded, without duplicates, in the order they first appear.
///
/// Letters become lowercase, Latin letters lose their marks (`José` is found by `jose`). Scripts written without spaces
/// (Han, Hiragana, Katakana) give each character and each pair of neighbours, so that a part of a sentence is found.
/// Words longer than 64 bytes are left out: they are data, not words.
package func searchWords(in text: String) -> [String] {
    folded(text, isForIndex: true).words
}

/// The words of ``searchWords(in:)`` in one text, with a space between.
package func joinedSearchWords(in text: String) -> String {
    folded(text, isForIndex: true).joined
}

/// The words of a text one after the other, folded as for a search, each as often as it is there.
///
/// Characters of scripts written without spaces are words of their own.
package func foldedWords(in text: String) -> [String] {
    folded(text, isForIndex: false).words
}

private func folded(_ text: String, isForIndex: Bool) -> WordCollector {
    var collector = WordCollector(isForIndex: isForIndex, byteCount: text.utf8.count)
    for scalar in text.unicodeScalars { collector.append(scalar) }
    collector.endWord()
    return collector
}

/// Splits a run of scalars into folded words.
///
/// The words lie one after the other in one array, as every event that is kept comes through here.
private struct WordCollector {
    /// Whether each word counts once, and pairs of characters count as words.
    private let isForIndex: Bool
    /// The words, each with a space after it, and behind them what there is of the next.
    private var bytes: [UInt8] = []
    /// Where the next word begins.
    private var start = 0
    /// Where words begin, each at the first free place from the one its hash points to; -1 is free.
    private var places: [Int]
    private var count = 0
    private var previous: Unicode.Scalar?

    private static let space = UInt8(ascii: " ")

    init(isForIndex: Bool, byteCount: Int) {
        self.isForIndex = isForIndex
        places = isForIndex ? Array(repeating: -1, count: 64) : []
        bytes.reserveCapacity(byteCount + 16)
    }

    /// The words with a space between.
    var joined: String { String(decoding: bytes.dropLast(), as: UTF8.self) }

    var words: [String] {
        bytes.split(separator: Self.space).map { String(decoding: $0, as: UTF8.self) }
    }

    @inline(__always)
    mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar.value {
        case 0x30...0x39, 0x61...0x7A:
            bytes.append(UInt8(truncatingIfNeeded: scalar.value))
        case 0x41...0x5A:
            bytes.append(UInt8(truncatingIfNeeded: scalar.value) | 0x20)
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
            bytes.append(contentsOf: String(scalar).utf8)
            endWord()
            if isForIndex, let previous {
                bytes.append(contentsOf: String(previous).utf8)
                bytes.append(contentsOf: String(scalar).utf8)
                endWord()
            }
            previous = scalar
            return
        }
        previous = nil
        guard scalar.isPartOfWord else { return endWord() }
        if let base = LatinFolding.base(of: scalar) {
            bytes.append(base)
        } else {
            bytes.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
        }
    }

    @inline(__always)
    mutating func endWord() {
        guard bytes.count > start else { return }
        keepWord()
    }

    private mutating func keepWord() {
        guard bytes.count - start <= 64, !isForIndex || isNew() else {
            bytes.removeLast(bytes.count - start)
            return
        }
        bytes.append(Self.space)
        start = bytes.count
    }

    /// Whether the word at the end is not among those before it; it is afterwards.
    private mutating func isNew() -> Bool {
        if (count + 1) * 2 > places.count { widen() }
        let word = start..<bytes.count
        var place = firstPlace(of: word)
        while places[place] >= 0 {
            if isSame(word, at: places[place]) { return false }
            place = next(place)
        }
        places[place] = start
        count += 1
        return true
    }

    private func firstPlace(of word: Range<Int>) -> Int {
        // The hasher's seed is this process's own: nobody can write words that all want one place.
        var hasher = Hasher()
        unsafe bytes.withUnsafeBytes { all in
            unsafe hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: all[word]))
        }
        return hasher.finalize() & (places.count - 1)
    }

    private func next(_ place: Int) -> Int { (place + 1) & (places.count - 1) }

    private func isSame(_ word: Range<Int>, at other: Int) -> Bool {
        // The space after it is compared, too: one word may begin another.
        guard bytes[other + word.count] == Self.space else { return false }
        for offset in 0..<word.count where bytes[other + offset] != bytes[word.lowerBound + offset] { return false }
        return true
    }

    private mutating func widen() {
        let old = places
        places = Array(repeating: -1, count: old.count * 4)
        for begin in old where begin >= 0 {
            var place = firstPlace(of: begin..<(bytes[begin...].firstIndex(of: Self.space) ?? begin))
            while places[place] >= 0 { place = next(place) }
            places[place] = begin
        }
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
