internal import NostrCore

/// Walks over a text once and cuts out what is more than words.
///
/// It walks over bytes: all that a token begins with is ASCII, and only where a letter of another script may belong to
/// one is that letter looked at.
struct ContentScanner {
    private let bytes: [UInt8]
    private let emoji: [String: CustomEmoji]
    private var position = 0
    private var textStart = 0
    private var found: [ContentToken] = []
    /// How many tokens may still be cut out; what follows is words.
    private var tokensLeft: Int
    /// How many invoices may still be looked at: each is checked, which takes some ten thousandths of a second.
    private var invoicesLeft = 32

    init(_ text: String, emoji: [CustomEmoji], most: Int) {
        bytes = Array(text.utf8)
        self.emoji = Dictionary(emoji.map { ($0.shortcode, $0) }, uniquingKeysWith: { first, _ in first })
        tokensLeft = most
    }

    mutating func tokens() -> [ContentToken] {
        while position < bytes.count, tokensLeft > 0 {
            guard mayBeginHere, let (end, meaning) = tokenHere() else {
                position += 1
                continue
            }
            flushText()
            found.append(ContentToken(source: string(position..<end), meaning: meaning))
            tokensLeft -= 1
            position = end
            textStart = end
        }
        position = bytes.count
        flushText()
        return found
    }

    /// Whether a token may start at the position.
    ///
    /// Nearly everywhere none does, and even an answer that says so is large.
    private var mayBeginHere: Bool {
        switch bytes[position] {
        case UInt8(ascii: "#"), UInt8(ascii: ":"): true
        case UInt8(ascii: "h"), UInt8(ascii: "H"), UInt8(ascii: "n"), UInt8(ascii: "N"), UInt8(ascii: "l"),
            UInt8(ascii: "L"), UInt8(ascii: "b"), UInt8(ascii: "B"), UInt8(ascii: "@"):
            startsWord
        default: false
        }
    }

    /// The token that starts at the position, where one may: where it ends and what it means.
    private mutating func tokenHere() -> (end: Int, meaning: ContentToken.Meaning)? {
        switch bytes[position] {
        case UInt8(ascii: "h"), UInt8(ascii: "H"): return link()
        case UInt8(ascii: "n"), UInt8(ascii: "N"): return mention(from: position)
        case UInt8(ascii: "l"), UInt8(ascii: "L"): return invoice()
        case UInt8(ascii: "b"), UInt8(ascii: "B"): return blob() ?? bitcoinAddress()
        case UInt8(ascii: "@"):
            // Some apps write `@npub1…`; the sign belongs to the mention.
            return has("n", at: position + 1) ? mention(from: position + 1) : nil
        case UInt8(ascii: "#"): return hashtag()
        case UInt8(ascii: ":"): return customEmoji()
        default: return nil
        }
    }

    private func link() -> (Int, ContentToken.Meaning)? {
        guard let body = after("https://", at: position) ?? after("http://", at: position) else { return nil }
        // Before its end is looked for: a text may hold thousands of beginnings that lead nowhere.
        guard body < bytes.count, Self.isWordScalar(scalar(at: body).scalar) || has("[", at: body) else { return nil }
        let end = trimmedEnd(of: body..<endOfLink(from: body))
        guard end > body else { return nil }
        return (end, ContentToken.MediaType(bytes[position..<end]).map { .media($0) } ?? .link)
    }

    /// Leaves out punctuation that belongs to the sentence, and a closing bracket that was opened before the link.
    private func trimmedEnd(of body: Range<Int>) -> Int {
        var end = body.upperBound
        var (rounds, squares) = (0, 0)
        for byte in bytes[body] {
            switch byte {
            case UInt8(ascii: ")"): rounds += 1
            case UInt8(ascii: "("): rounds -= 1
            case UInt8(ascii: "]"): squares += 1
            case UInt8(ascii: "["): squares -= 1
            default: break
            }
        }
        while end > body.lowerBound {
            switch bytes[end - 1] {
            case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"), UInt8(ascii: "!"),
                UInt8(ascii: "?"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"):
                break
            case UInt8(ascii: ")") where rounds > 0: rounds -= 1
            case UInt8(ascii: "]") where squares > 0: squares -= 1
            default: return end
            }
            end -= 1
        }
        return end
    }

    private func mention(from start: Int) -> (Int, ContentToken.Meaning)? {
        let code = after("nostr:", at: start) ?? start
        let isBare = code == start
        let end = endOfCode(from: code, atMost: NostrEntity.maxLength)
        guard end - code >= 50 else { return nil }
        // What does not decode stays words.
        guard let entity = try? NostrEntity(string(code..<end)) else { return nil }
        if isBare, case .nrelay = entity { return nil }
        return (end, .mention(entity))
    }

    private mutating func invoice() -> (Int, ContentToken.Meaning)? {
        let code = after("lightning:", at: position) ?? position
        guard invoicesLeft > 0, after("lnbc", at: code) != nil || after("lntb", at: code) != nil else { return nil }
        let end = endOfCode(from: code, atMost: LightningInvoice.longest)
        // Time, signature and checksum alone are longer.
        guard end - code > 120 else { return nil }
        invoicesLeft -= 1
        // What nobody could pay stays words.
        guard let invoice = try? LightningInvoice(string(code..<end)) else { return nil }
        return (end, .invoice(invoice))
    }

    private func blob() -> (Int, ContentToken.Meaning)? {
        guard let body = after("blossom:", at: position) ?? after("blob:", at: position) else { return nil }
        let end = trimmedEnd(of: body..<endOfLink(from: body, before: position + BlobAddress.longest + 1))
        // What names no file stays words.
        return BlobAddress(string(position..<end)).map { (end, .blob($0)) }
    }

    /// An address of Bitcoin that has an invoice, too, for those who pay over Lightning (BIP-21).
    private mutating func bitcoinAddress() -> (Int, ContentToken.Meaning)? {
        guard invoicesLeft > 0, let body = after("bitcoin:", at: position) else { return nil }
        invoicesLeft -= 1
        let end = trimmedEnd(of: body..<endOfLink(from: body, before: body + LightningInvoice.longest + 201))
        // One without an invoice stays words.
        guard let invoice = try? LightningInvoice(lightningCode(in: string(position..<end))) else { return nil }
        return (end, .invoice(invoice))
    }

    private func hashtag() -> (Int, ContentToken.Meaning)? {
        if let before = scalarBefore(position) {
            if Self.isWordScalar(before) || before == "#" || before == "&" || before == "/" { return nil }
        }
        var end = position + 1
        var length = 0
        var hasLetter = false
        while end < bytes.count, length < 100 {
            let (letter, width) = scalar(at: end)
            guard Self.isWordScalar(letter) else { break }
            hasLetter = hasLetter || letter.properties.isAlphabetic
            end += width
            length += 1
        }
        guard hasLetter else { return nil }
        return (end, .hashtag(string(position + 1..<end).lowercased()))
    }

    private func customEmoji() -> (Int, ContentToken.Meaning)? {
        guard !emoji.isEmpty else { return nil }
        var end = position + 1
        while end < bytes.count, end - position <= 100, CustomEmoji.isShortcodeByte(bytes[end]) { end += 1 }
        guard has(":", at: end), let known = emoji[string(position + 1..<end)] else { return nil }
        return (end + 1, .emoji(known))
    }
}

extension ContentScanner {
    /// Whether no letter or digit of ASCII stands right before the position.
    private var startsWord: Bool {
        guard position > 0 else { return true }
        let before = bytes[position - 1]
        return !(isASCIILetterOrDigit(before) || before == UInt8(ascii: "_"))
    }

    private mutating func flushText() {
        guard position > textStart else { return }
        found.append(ContentToken(source: string(textStart..<position), meaning: .text))
        textStart = position
    }

    private func has(_ character: Unicode.Scalar, at index: Int) -> Bool {
        index < bytes.count && bytes[index] == UInt8(ascii: character)
    }

    /// The place after a lowercase ASCII word that stands at an index in any case.
    private func after(_ word: String, at index: Int) -> Int? {
        var end = index
        for expected in word.utf8 {
            guard end < bytes.count else { return nil }
            let byte = bytes[end]
            guard ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == expected else { return nil }
            end += 1
        }
        return end
    }

    /// Where letters and digits of ASCII end, of which so many and one more are looked at.
    private func endOfCode(from start: Int, atMost longest: Int) -> Int {
        var end = start
        while end < bytes.count, end - start <= longest, isASCIILetterOrDigit(bytes[end]) { end += 1 }
        return end
    }

    /// Where what may belong to a link ends, at or behind a bound, never within a letter.
    private func endOfLink(from start: Int, before bound: Int = .max) -> Int {
        var end = start
        while end < bytes.count, end < bound {
            if bytes[end] < 0x80 {
                guard Self.belongsToLink(bytes[end]) else { return end }
                end += 1
            } else {
                let (letter, width) = scalar(at: end)
                guard Self.belongsToLink(letter) else { return end }
                end += width
            }
        }
        return end
    }

    private func string(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    /// The scalar that begins at an index, and how many bytes it takes.
    ///
    /// The bytes are those of a `String`, so they are well formed.
    private func scalar(at index: Int) -> (scalar: Unicode.Scalar, width: Int) {
        let first = bytes[index]
        guard first >= 0x80 else { return (Unicode.Scalar(first), 1) }
        let width = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        var value = UInt32(first) & (0x7F >> UInt32(width))
        for byte in bytes[(index + 1)...].prefix(width - 1) { value = value << 6 | UInt32(byte & 0x3F) }
        return (Unicode.Scalar(value) ?? "\u{FFFD}", width)
    }

    private func scalarBefore(_ index: Int) -> Unicode.Scalar? {
        guard index > 0 else { return nil }
        var start = index - 1
        while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
        return scalar(at: start).scalar
    }

    /// Letters, digits, marks and `_` of every script: what a topic is made of.
    private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return isASCIILetterOrDigit(UInt8(ascii: scalar)) || scalar == "_" }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
            return true
        default: return false
        }
    }

    /// The same question for a byte of ASCII.
    private static func belongsToLink(_ byte: UInt8) -> Bool {
        switch byte {
        case 0...0x20, 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B...0x7D, 0x7F...: false
        default: true
        }
    }

    private static func belongsToLink(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x80...0xA0, 0x2000...0x206F, 0x3000...0x303F, 0xFF00...0xFF0F, 0xFF1A...0xFF20: false
        default: !scalar.properties.isWhitespace
        }
    }
}
