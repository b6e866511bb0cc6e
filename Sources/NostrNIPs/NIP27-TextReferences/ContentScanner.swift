internal import NostrCore

/// Walks over a text once and cuts out what is more than words.
struct ContentScanner {
    private let scalars: [Unicode.Scalar]
    private let emoji: [String: CustomEmoji]
    private var position = 0
    private var textStart = 0
    private var found: [ContentToken] = []
    /// How many invoices may still be looked at: each is checked, which takes some ten thousandths of a second.
    private var invoicesLeft = 32

    init(_ text: String, emoji: [CustomEmoji]) {
        scalars = Array(text.unicodeScalars)
        self.emoji = Dictionary(emoji.map { ($0.shortcode, $0) }, uniquingKeysWith: { first, _ in first })
    }

    mutating func tokens() -> [ContentToken] {
        while position < scalars.count {
            if let (end, meaning) = tokenHere() {
                flushText()
                found.append(ContentToken(source: string(position..<end), meaning: meaning))
                position = end
                textStart = end
            } else {
                position += 1
            }
        }
        flushText()
        return found
    }

    /// The token that starts at the position: where it ends and what it means.
    private mutating func tokenHere() -> (end: Int, meaning: ContentToken.Meaning)? {
        switch scalars[position] {
        case "h", "H": return startsWord ? link() : nil
        case "n", "N": return startsWord ? mention(from: position) : nil
        case "l", "L": return startsWord ? invoice() : nil
        case "@":
            // Some apps write `@npub1…`; the sign belongs to the mention.
            return startsWord && has("n", at: position + 1) ? mention(from: position + 1) : nil
        case "#": return hashtag()
        case ":": return customEmoji()
        default: return nil
        }
    }

    private func link() -> (Int, ContentToken.Meaning)? {
        guard let body = ["https://", "http://"].lazy.compactMap({ after($0, at: position) }).first else { return nil }
        var end = body
        while end < scalars.count, Self.belongsToLink(scalars[end]) { end += 1 }
        end = trimmedEnd(of: body..<end)
        guard end > body, Self.isWordScalar(scalars[body]) || scalars[body] == "[" else { return nil }
        let url = string(position..<end)
        return (end, ContentToken.MediaType(url: url).map { .media($0) } ?? .link)
    }

    /// Leaves out punctuation that belongs to the sentence, and a closing bracket that was opened before the link.
    private func trimmedEnd(of body: Range<Int>) -> Int {
        var end = body.upperBound
        var depth: [Unicode.Scalar: Int] = [:]
        for scalar in scalars[body] { depth[scalar, default: 0] += 1 }
        while end > body.lowerBound {
            let last = scalars[end - 1]
            switch last {
            case ".", ",", ";", ":", "!", "?", "'", "*", "_", "~": break
            case ")" where (depth[")"] ?? 0) > (depth["("] ?? 0): break
            case "]" where (depth["]"] ?? 0) > (depth["["] ?? 0): break
            default: return end
            }
            depth[last, default: 0] -= 1
            end -= 1
        }
        return end
    }

    private func mention(from start: Int) -> (Int, ContentToken.Meaning)? {
        let code = after("nostr:", at: start) ?? start
        let isBare = code == start
        var end = code
        while end < scalars.count, end - code <= NostrEntity.maxLength, Self.isASCIIAlphanumeric(scalars[end]) {
            end += 1
        }
        guard end - code >= 50 else { return nil }
        // What does not decode stays words.
        guard let entity = try? NostrEntity(string(code..<end)) else { return nil }
        if isBare, case .nrelay = entity { return nil }
        return (end, .mention(entity))
    }

    private mutating func invoice() -> (Int, ContentToken.Meaning)? {
        let code = after("lightning:", at: position) ?? position
        guard invoicesLeft > 0, after("lnbc", at: code) != nil || after("lntb", at: code) != nil else { return nil }
        var end = code
        while end < scalars.count, end - code <= LightningInvoice.longest, Self.isASCIIAlphanumeric(scalars[end]) {
            end += 1
        }
        // Time, signature and checksum alone are longer.
        guard end - code > 120 else { return nil }
        invoicesLeft -= 1
        // What nobody could pay stays words.
        guard let invoice = try? LightningInvoice(string(code..<end)) else { return nil }
        return (end, .invoice(invoice))
    }

    private func hashtag() -> (Int, ContentToken.Meaning)? {
        if position > 0 {
            let before = scalars[position - 1]
            if Self.isWordScalar(before) || before == "#" || before == "&" || before == "/" { return nil }
        }
        var end = position + 1
        var hasLetter = false
        while end < scalars.count, end - position <= 100, Self.isWordScalar(scalars[end]) {
            hasLetter = hasLetter || scalars[end].properties.isAlphabetic
            end += 1
        }
        guard hasLetter else { return nil }
        return (end, .hashtag(string(position + 1..<end).lowercased()))
    }

    private func customEmoji() -> (Int, ContentToken.Meaning)? {
        guard !emoji.isEmpty else { return nil }
        var end = position + 1
        while end < scalars.count, end - position <= 100, let byte = UInt8(exactly: scalars[end].value),
            CustomEmoji.isShortcodeByte(byte)
        {
            end += 1
        }
        guard has(":", at: end), let known = emoji[string(position + 1..<end)] else { return nil }
        return (end + 1, .emoji(known))
    }
}

extension ContentScanner {
    /// Whether no letter or digit of ASCII stands right before the position.
    private var startsWord: Bool {
        position == 0 || !(Self.isASCIIAlphanumeric(scalars[position - 1]) || scalars[position - 1] == "_")
    }

    private mutating func flushText() {
        guard position > textStart else { return }
        found.append(ContentToken(source: string(textStart..<position), meaning: .text))
        textStart = position
    }

    private func has(_ scalar: Unicode.Scalar, at index: Int) -> Bool {
        index < scalars.count && scalars[index] == scalar
    }

    /// The place after a lowercase ASCII word that stands at an index in any case.
    private func after(_ word: String, at index: Int) -> Int? {
        var end = index
        for expected in word.unicodeScalars {
            guard end < scalars.count else { return nil }
            let value = scalars[end].value
            let lowered = (0x41...0x5A).contains(value) ? value + 0x20 : value
            guard lowered == expected.value else { return nil }
            end += 1
        }
        return end
    }

    private func string(_ range: Range<Int>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars[range])
        return String(view)
    }

    private static func isASCIIAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
        UInt8(exactly: scalar.value).map(isASCIILetterOrDigit) ?? false
    }

    /// Letters, digits, marks and `_` of every script: what a topic is made of.
    private static func isWordScalar(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return isASCIIAlphanumeric(scalar) || scalar == "_" }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber, .letterNumber, .otherNumber:
            return true
        default: return false
        }
    }

    private static func belongsToLink(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0...0x20, 0x7F...0xA0, 0x2000...0x206F, 0x3000...0x303F, 0xFF00...0xFF0F, 0xFF1A...0xFF20: return false
        case 0x22, 0x3C, 0x3E, 0x5C, 0x5E, 0x60, 0x7B, 0x7C, 0x7D: return false
        default: return !scalar.properties.isWhitespace
        }
    }
}
