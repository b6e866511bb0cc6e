internal import NostrNIPs

/// Markup that is safe to send: literals of this program, and everything else escaped according to its type.
///
/// Written as a string literal. What an interpolation does follows from the type of its value:
/// ```swift
/// let row: HTML = """
///     <li\(flag: "hidden", if: isHidden)><a href="\(path)">\(person.name)</a>\(if: isOwn, "<b>you</b>")</li>
///     """
/// ```
/// Text is escaped for element content and for quoted attributes alike; ``HTML`` goes in as it is; addresses have types
/// of their own, ``Path`` and ``ForeignURL``. Attributes are always written in double quotes.
/// Literals are `StaticString`, so a text that came from outside can not become markup: it does not compile.
struct HTML: Hashable, Sendable {
    private(set) var bytes: [UInt8] = []

    /// Nothing.
    init() {}

    /// JSON for a script element of data, in which nothing ends the element.
    init(json value: JSONValue) { bytes = Array(value.text.replacing("<", with: "\\u003c").utf8) }

    /// Whether there is nothing to show.
    var isEmpty: Bool { bytes.isEmpty }

    /// The markup, to be sent.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Appends other markup.
    mutating func append(_ other: HTML) {
        // What is framed is mostly larger than its frame, whose end finds room, too: else all of it were copied again.
        let count = other.bytes.count
        if count > bytes.count { bytes.reserveCapacity(bytes.count + count + count / 8 + 64) }
        bytes += other.bytes
    }

    /// Appends a literal of this program.
    mutating func append(literal: StaticString) {
        literal.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    /// Appends text from anywhere, escaped for element content and quoted attributes.
    ///
    /// `& < > " '` become entities, and U+0000, which HTML forbids, becomes U+FFFD.
    mutating func append(escaping foreign: some StringProtocol) {
        let isWritten: Void? = foreign.utf8.withContiguousStorageIfAvailable { unsafe append(escaping: $0) }
        if isWritten == nil { unsafe Array(foreign.utf8).withUnsafeBufferPointer { unsafe append(escaping: $0) } }
    }

    /// Copies in one go what stands between two bytes to escape, which of most texts is all.
    private mutating func append(escaping foreign: UnsafeBufferPointer<UInt8>) {
        var start = 0
        for place in foreign.indices {
            // The last of them in the order of bytes: letters are let through at one glance.
            let byte = unsafe foreign[place]
            guard byte <= UInt8(ascii: ">"), let entity = Self.entity(for: byte) else { continue }
            unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: foreign[start..<place]))
            append(literal: entity)
            start = place + 1
        }
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(rebasing: foreign[start...]))
    }

    @inline(__always)
    private static func entity(for byte: UInt8) -> StaticString? {
        switch byte {
        case UInt8(ascii: "&"): "&amp;"
        case UInt8(ascii: "<"): "&lt;"
        case UInt8(ascii: ">"): "&gt;"
        case UInt8(ascii: "\""): "&quot;"
        case UInt8(ascii: "'"): "&#39;"
        case 0: "\u{FFFD}"
        default: nil
        }
    }

    fileprivate mutating func reserve(_ count: Int) { bytes.reserveCapacity(count) }
}

extension HTML: ExpressibleByStringInterpolation {
    init(stringLiteral literal: StaticString) { append(literal: literal) }

    init(stringInterpolation: StringInterpolation) { self = stringInterpolation.html }

    /// Gathers the pieces of a literal.
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate(set) var html = HTML()

        init(literalCapacity: Int, interpolationCount: Int) {
            html.reserve(literalCapacity + interpolationCount * 24)
        }

        mutating func appendLiteral(_ literal: StaticString) { html.append(literal: literal) }

        /// Text, escaped.
        ///
        /// In an address it is a mistake of this program, which every test that draws the page finds: a text from
        /// outside could bring a scheme of its own. See ``HTML/takesText(_:)``.
        mutating func appendInterpolation(_ text: some StringProtocol) {
            assert(html.takesText(text), "an address is written as a Path or a ForeignURL")
            html.append(escaping: text)
        }

        /// A whole number.
        mutating func appendInterpolation(_ number: some BinaryInteger) { html.append(escaping: String(number)) }

        /// A number, for drawings.
        mutating func appendInterpolation(_ number: Double) { html.append(escaping: String(number)) }

        /// Markup as it is.
        mutating func appendInterpolation(_ other: HTML) { html.append(other) }

        /// Markup as it is; nothing for `nil`.
        mutating func appendInterpolation(_ other: HTML?) {
            if let other { html.append(other) }
        }

        /// Pieces of markup, one after the other.
        mutating func appendInterpolation(_ others: [HTML]) {
            for other in others { html.append(other) }
        }

        /// An address of this program.
        mutating func appendInterpolation(_ path: Path) { html.append(escaping: path.text) }

        /// An address outside this program.
        mutating func appendInterpolation(url: ForeignURL) { html.append(escaping: url.text) }

        /// An attribute without a value, with a space before it, when a condition holds.
        mutating func appendInterpolation(flag name: StaticString, if isSet: Bool) {
            guard isSet else { return }
            html.append(literal: " ")
            html.append(literal: name)
        }

        /// An attribute with a space before it; nothing for `nil`.
        mutating func appendInterpolation(attribute name: StaticString, _ value: String?) {
            guard let value else { return }
            html.append(literal: " ")
            html.append(literal: name)
            html.append(literal: "=\"")
            html.append(escaping: value)
            html.append(literal: "\"")
        }

        /// Markup when a condition holds.
        mutating func appendInterpolation(if condition: Bool, _ then: @autoclosure () -> HTML) {
            if condition { html.append(then()) }
        }

        /// One of two pieces of markup.
        mutating func appendInterpolation(
            if condition: Bool, _ then: @autoclosure () -> HTML, else other: @autoclosure () -> HTML
        ) {
            html.append(condition ? then() : other())
        }

        /// Markup drawn from a value; nothing for `nil`.
        mutating func appendInterpolation<Value>(some value: Value?, _ draw: (Value) -> HTML) {
            if let value { html.append(draw(value)) }
        }

        /// Markup drawn from every element, one after the other.
        mutating func appendInterpolation<Values: Sequence>(each values: Values, _ draw: (Values.Element) -> HTML) {
            for value in values { html.append(draw(value)) }
        }
    }
}
