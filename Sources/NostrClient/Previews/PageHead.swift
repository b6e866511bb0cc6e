internal import NostrNIPs

extension LinkPreview {
    /// Reads what a page says of itself in its head: Open Graph, then Twitter's cards, then its title and description.
    ///
    /// - Returns: `nil` for a page that says neither what it is called nor what it is about, or in an encoding that is
    ///   not known here.
    init?(page: FetchedPage) {
        guard let address = PreviewAddress(page.address), let text = PageEncoding.text(of: page.bytes, type: page.type)
        else { return nil }
        let head = PageHead(text)
        let title = head.first(["og:title", "twitter:title", "title"], longest: 300)
        let summary = head.first(["og:description", "twitter:description", "description"], longest: 600)
        guard !title.isEmpty || !summary.isEmpty else { return nil }
        let site = head.first(["og:site_name", "application-name"], longest: 100)
        let pictures = ["og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src"]
        let picture = address.resolve(head.first(pictures, longest: PreviewAddress.longest))
        self.init(title: title, summary: summary, site: site, picture: picture)
    }

    /// Reads what the site of a film says of it.
    ///
    /// Source: oEmbed 1.0, "Response parameters".
    init?(film json: [UInt8]) {
        // What is no JSON says nothing.
        guard let document = try? JSONValue(json), let title = document["title"]?.string, !title.isEmpty else {
            return nil
        }
        let text = { (name: String, longest: Int) in shortened(document[name]?.string ?? "", to: longest) }
        let picture = text("thumbnail_url", PreviewAddress.longest)
        self.init(
            title: shortened(title, to: 300), summary: text("author_name", 100), site: text("provider_name", 100),
            picture: picture.hasPrefix("https://") ? picture : nil)
    }
}

/// What stands in the head of a page.
struct PageHead {
    private static let raw: Set = ["script", "style", "template", "textarea", "iframe", "xmp", "noembed", "noframes"]
    private static let read: Set = [
        "og:title", "twitter:title", "og:description", "twitter:description", "description", "og:site_name",
        "application-name", "og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src",
    ]
    private var texts: [String: String] = [:]

    /// Reads a page up to its body.
    init(_ page: String) {
        var scanner = MarkupScanner(page)
        while let tag = scanner.next() {
            if tag.name == "title" {
                let title = scanner.text(until: "title", longest: 4096)
                keep(title, as: "title")
            } else if Self.raw.contains(tag.name) {
                _ = scanner.text(until: tag.name, longest: 0)
            } else if tag.name == "meta", let content = tag.attributes["content"] {
                let name = (tag.attributes["property"] ?? tag.attributes["name"] ?? "").lowercased()
                if Self.read.contains(name) { keep(content, as: name) }
            }
        }
    }

    /// The first of these that says something, in so many characters.
    func first(_ names: [String], longest: Int) -> String {
        for name in names {
            if let text = texts[name] { return shortened(text, to: longest) }
        }
        return ""
    }

    private mutating func keep(_ text: String, as name: String) {
        guard texts[name] == nil else { return }
        let plain = withoutEntities(text)
        if plain.contains(where: { !$0.isWhitespace }) { texts[name] = plain }
    }
}

/// The beginning of a text, without the white space around it; a character may hold any number of marks, so these count.
private func shortened(_ text: String, to count: Int) -> String {
    var scalars = String.UnicodeScalarView()
    scalars.append(contentsOf: text.unicodeScalars.drop { $0.properties.isWhitespace }.prefix(count))
    let cut = String(scalars)
    guard let last = cut.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(cut[...last])
}

/// A text with its entities read; what is none stays as it is.
///
/// Source: WHATWG HTML, "Character references", of which it knows the numbers and the names that titles hold.
func withoutEntities(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var plain = ""
    var rest = text[...]
    while let mark = rest.firstIndex(of: "&") {
        plain += rest[..<mark]
        let behind = rest[rest.index(after: mark)...]
        let name = behind.prefix(10).prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "#") }
        if let character = entity(name) {
            plain.unicodeScalars.append(character)
            rest = behind[name.endIndex...]
            if rest.first == ";" { rest = rest.dropFirst() }
        } else {
            plain.append("&")
            rest = behind
        }
    }
    return plain + rest
}

private func entity(_ name: Substring) -> Unicode.Scalar? {
    guard name.first == "#" else { return namedEntities[String(name)] }
    let digits = name.dropFirst()
    let isHex = digits.first == "x" || digits.first == "X"
    guard let number = isHex ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits), number > 0 else { return nil }
    return (0x80...0x9F).contains(number) ? PageEncoding.western(UInt8(number)) : Unicode.Scalar(number)
}

private let namedEntities: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "ndash": "–", "mdash": "—",
    "hellip": "…", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "sbquo": "‚", "bdquo": "„", "laquo": "«",
    "raquo": "»", "middot": "·", "bull": "•", "copy": "©", "reg": "®", "trade": "™", "deg": "°", "euro": "€",
    "pound": "£", "auml": "ä", "ouml": "ö", "uuml": "ü", "Auml": "Ä", "Ouml": "Ö", "Uuml": "Ü", "szlig": "ß",
    "eacute": "é", "egrave": "è", "ecirc": "ê", "agrave": "à", "aacute": "á", "acirc": "â", "ccedil": "ç",
    "oacute": "ó",
    "iacute": "í", "uacute": "ú", "ntilde": "ñ", "atilde": "ã", "otilde": "õ", "aring": "å", "oslash": "ø",
    "aelig": "æ",
]
