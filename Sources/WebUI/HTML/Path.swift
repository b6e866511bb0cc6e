internal import NostrCore

/// An address of this program: a path, perhaps with a query and a fragment.
///
/// Written as a string literal; what is put in is percent-encoded but for the unreserved characters of RFC 3986, so it
/// is right both as a segment and as a value of a query:
/// ```swift
/// let path: Path = "/tags/\(tag)?before=\(mark)"
/// ```
struct Path: Hashable, Sendable {
    /// As it stands in the first line of a request; printable ASCII.
    let text: String

    /// An address that a form or a query handed back; `nil` unless it is certainly one of this program.
    ///
    /// It begins with one slash, not two, and holds neither spaces, control characters nor backslashes, which browsers
    /// take for slashes.
    init?(ours text: String) {
        let isOurs =
            text.hasPrefix("/") && !text.hasPrefix("//")
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
        guard isOurs else { return nil }
        self.text = text
    }

    /// The same address with one more value in its query.
    func with(_ name: StaticString, _ value: some StringProtocol) -> Path {
        Path(encoded: text + (text.contains("?") ? "&" : "?") + name.description + "=" + encodePercent(String(value)))
    }

    private init(encoded text: String) { self.text = text }
}

extension Path: ExpressibleByStringInterpolation {
    init(stringLiteral literal: StaticString) { text = literal.description }

    init(stringInterpolation: StringInterpolation) { text = stringInterpolation.text }

    /// Gathers the pieces of a literal.
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 64)
        }

        mutating func appendLiteral(_ literal: StaticString) { text += literal.description }

        /// A segment of a path or a value of a query.
        mutating func appendInterpolation(_ value: some StringProtocol) { text += encodePercent(String(value)) }

        /// A whole number.
        mutating func appendInterpolation(_ number: some BinaryInteger) { text += String(number) }

        /// An event's id, in hex.
        mutating func appendInterpolation(_ id: EventID) { text += id.hex }

        /// A person's key, in hex.
        mutating func appendInterpolation(_ key: PublicKey) { text += key.hex }

        /// An address this one begins with.
        mutating func appendInterpolation(_ path: Path) { text += path.text }
    }
}
