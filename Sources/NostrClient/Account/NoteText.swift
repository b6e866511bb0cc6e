public import NostrCore
public import NostrNIPs

/// What is shown of a note's text, cut into tokens once for all who read it: for what it names, and to draw it.
public struct NoteText: Hashable, Sendable {
    /// The pieces of it; what follows so many links is read as words: nobody follows them, and each costs more than it
    /// says.
    public let tokens: [ContentToken]
    /// Whether the text goes on.
    public let isCut: Bool
    /// Whether it is no more than a card draws.
    private let isCard: Bool

    /// Reads the text of an event.
    ///
    /// - Parameter isCard: whether it stands in small under another note, where only its beginning is drawn.
    public init(_ event: Event, isCard: Bool = false) {
        let shown = Note.shown(of: event.content, most: isCard ? Note.longestCard : Note.longestText)
        tokens = ContentToken.split(shown.text, tags: event.tags, most: Note.mostReferences)
        isCut = shown.isCut
        self.isCard = isCard
    }

    /// The people, events and addresses it names (NIP-27).
    var references: [NostrEntity] {
        tokens.compactMap { token in
            if case .mention(let entity) = token.meaning { entity } else { nil }
        }
    }

    /// Whether it is what is drawn of an event's text: of a short one a card draws all there is.
    fileprivate func serves(_ event: Event, isCard: Bool) -> Bool {
        self.isCard == isCard || event.content.utf8.count <= Note.longestCard
    }
}

extension Note {
    /// Its text, as it was read with the note, or read now.
    ///
    /// - Parameter isCard: whether it stands in small under another note, where only its beginning is drawn.
    public func text(isCard: Bool = false) -> NoteText {
        if let readText, readText.serves(event, isCard: isCard) { return readText }
        return NoteText(event, isCard: isCard)
    }
}

extension Note {
    /// So much of a note's text is shown, in Unicode scalars: a book of 60 pages.
    ///
    /// What it names beyond is not looked for.
    public static let longestText = 120_000

    /// In a longer word, which no link is, it is cut between characters.
    private static let longestWord = 2_048
    /// So many scalars of one character are kept together.
    private static let mostJoined = 64

    /// So many links, names and pictures of one note are more than words; nobody follows more.
    public static let mostReferences = 500

    /// So much of the text of a note that stands in small under another is read, likewise: far more than is drawn of it.
    public static let longestCard = 12_000

    /// What is shown of a note's text, and whether that is less than all of it.
    ///
    /// - Parameter most: so many Unicode scalars at most.
    public static func shown(of text: String, most: Int = longestText) -> (text: String, isCut: Bool) {
        guard text.utf8.count > most else { return (text, false) }
        let end = endOfScalars(in: text, most: most)
        guard end < text.endIndex else { return (text, false) }
        return (String(text[..<wholeWords(in: text, before: end)]), true)
    }

    /// Where so many scalars of a text end that has more bytes; of one in ASCII without a look at it.
    private static func endOfScalars(in text: String, most: Int) -> String.Index {
        let characters = text.utf8Span
        let bytes = characters.span
        var end = 0
        if characters.isKnownASCII {
            end = most
        } else {
            var left = most
            while end < bytes.count {
                // The other bytes of a scalar begin with these two bits.
                if bytes[end] & 0xC0 != 0x80 {
                    guard left > 0 else { break }
                    left -= 1
                }
                end += 1
            }
        }
        return text.utf8.index(text.startIndex, offsetBy: end)
    }

    /// Where a text is cut at or before a place: what were left of a link would lead elsewhere, and of a character nowhere.
    private static func wholeWords(in text: String, before end: String.Index) -> String.Index {
        let scalars = text.unicodeScalars
        if isSpace(scalars[end]) { return end }
        var place = end
        var left = longestWord
        while left > 0, place > scalars.startIndex {
            let behind = place
            place = scalars.index(before: place)
            if isSpace(scalars[place]) { return behind }
            left -= 1
        }
        // Found in one go: of a character without end, each look at a place within reads all of it.
        let character = text.index(before: text.index(after: end))
        let least = scalars.index(end, offsetBy: -mostJoined, limitedBy: scalars.startIndex) ?? scalars.startIndex
        return character >= least ? character : end
    }

    /// Whether a scalar is white space; of ASCII, which most are, without a look into the tables of Unicode.
    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar.isASCII else { return scalar.properties.isWhitespace }
        return scalar == " " || (0x09...0x0D).contains(scalar.value)
    }
}
