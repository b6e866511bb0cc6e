public import NostrCore

extension MediaAttachment {
    private static let mostOfAKind = 8
    private static let mostPeople = 20
    private static let longest: Double = 10_000_000

    /// Reads an `imeta` tag; `nil` for another tag, or one without an address.
    ///
    /// Each element is a key, white space and a value. Of a key that can be there once the first value stands; a value that
    /// makes no sense is as good as none.
    public init?(_ tag: Tag) {
        guard let url = Self.address(in: tag) else { return nil }
        self.init(url: url)
        for element in Self.elements(of: tag) {
            let field = Self.field(element)
            if field.key != "url", !field.value.isEmpty { read(field) }
        }
    }

    /// The address in an `imeta` tag, read without the rest; `nil` for another tag, or one without an address.
    static func address(in tag: Tag) -> String? {
        guard tag.name == tagName else { return nil }
        for element in elements(of: tag) where (element.utf8.first ?? 0) | 0x20 == UInt8(ascii: "u") {
            let read = field(element)
            if read.key == "url", !read.value.isEmpty { return read.value }
        }
        return nil
    }

    private static func elements(of tag: Tag) -> ArraySlice<String> { tag.elements.dropFirst().prefix(256) }

    /// One element of the tag.
    private struct Field {
        let key: String
        let value: String
        let source: String
    }

    private static func field(_ element: String) -> Field {
        let key = element.prefix { !$0.isWhitespace }
        let value = element[key.endIndex...].drop(while: \.isWhitespace)
        let end = value.lastIndex { !$0.isWhitespace }.map(value.index(after:)) ?? value.startIndex
        return Field(key: key.lowercased(), value: String(value[..<end]), source: element)
    }

    private mutating func read(_ field: Field) {
        let value = field.value
        switch field.key {
        case "m": type = type ?? value.lowercased()
        case "dim": dimensions = dimensions ?? PixelSize(value)
        case "blurhash": blurhash = blurhash ?? value
        case "thumbhash": thumbhash = thumbhash ?? value
        case "alt": description = description ?? value
        case "x": hash = hash ?? Self.digest(value)
        case "ox": originalHash = originalHash ?? Self.digest(value)
        case "size": byteCount = byteCount ?? Int64(decimal: value)
        case "image": Self.add(value, to: &previews)
        case "thumb": Self.add(String(value.prefix { !$0.isWhitespace }), to: &thumbnails)
        case "fallback": Self.add(value, to: &fallbacks)
        case "duration": duration = duration ?? Self.seconds(value)
        case "bitrate": bitrate = bitrate ?? Int64(decimal: value)
        case "waveform" where waveform.isEmpty: waveform = Self.amplitudes(value)
        case "l" where language == nil: readLanguage(value)
        case "annotate-user": readPerson(value)
        default: if otherFields.count < Self.mostOfAKind { otherFields.append(field.source) }
        }
    }

    private static func add(_ value: String, to list: inout [String]) {
        if list.count < mostOfAKind, !list.contains(value) { list.append(value) }
    }

    private static func digest(_ text: String) -> String? {
        let lower = text.lowercased()
        // Only its form is looked at: it is compared, never computed with.
        return lower.utf8.count == 64 && (try? EventID(hex: lower)) != nil ? lower : nil
    }

    /// Reads seconds, also with decimals; `nil` for what nothing lasts.
    static func seconds(_ text: String) -> Duration? {
        let digits = text.hasSuffix("s") ? String(text.dropLast()) : text
        guard digits.utf8.count <= 24, let seconds = Double(digits), seconds.isFinite, seconds > 0, seconds < longest
        else { return nil }
        return .milliseconds(Int64((seconds * 1000).rounded()))
    }

    private static func amplitudes(_ text: String) -> [Int] {
        text.split(separator: " ").prefix(200).compactMap { Int(decimal: $0) }.map { min(100, $0) }
    }

    private mutating func readLanguage(_ text: String) {
        let words = text.split(separator: " ")
        language = words.first.map { $0.lowercased() }
        isOriginalLanguage = words.dropFirst().contains("ov")
    }

    /// Whole dots; some programs write parts of them.
    private static func dots(_ text: Substring) -> Int? { Int(decimal: text.prefix { $0 != "." }) }

    private mutating func readPerson(_ text: String) {
        let parts = text.split(separator: ":")
        // A person who has no key is nobody.
        guard people.count < Self.mostPeople, parts.count == 3, let person = try? PublicKey(hex: String(parts[0])),
            let x = Self.dots(parts[1]), let y = Self.dots(parts[2])
        else { return }
        people.append(PersonInPicture(person: person, x: x, y: y))
    }
}
