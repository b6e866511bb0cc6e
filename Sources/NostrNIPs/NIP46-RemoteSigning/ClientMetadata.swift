/// What an app says of itself: a claim that nobody has checked, for display only.
///
/// The claims are one visible line each, so that none can dress up as more than a claim. Source: NIP-46, "Client
/// metadata".
public struct ClientMetadata: Hashable, Sendable {
    /// The longest name kept, in Unicode scalars; what is longer is cut.
    public static let longestName = 100
    /// The longest address kept, in Unicode scalars; a longer one counts as absent, since half of one leads elsewhere.
    public static let longestAddress = 1000

    /// Its name.
    public let name: String?
    /// Its page; any text, also one that is no address.
    public let url: String?
    /// A small image; any text, also one that is no address.
    public let image: String?

    /// Takes all; claims are cleared of what does not show or turns the line around, and empty ones count as absent.
    public init(name: String? = nil, url: String? = nil, image: String? = nil) {
        self.name = name.flatMap { Self.visible($0, limit: Self.longestName, cuts: true) }
        self.url = url.flatMap { Self.visible($0, limit: Self.longestAddress, cuts: false) }
        self.image = image.flatMap { Self.visible($0, limit: Self.longestAddress, cuts: false) }
    }

    /// Reads the JSON object of the fourth parameter of `connect`; anything else counts as no claims.
    public init(json: String) {
        // A claim that cannot be read is no reason to refuse an app: it is for display only.
        let value = try? JSONValue(Array(json.utf8), depth: 4)
        self.init(name: value?["name"]?.string, url: value?["url"]?.string, image: value?["image"]?.string)
    }

    /// Whether nothing is claimed.
    public var isEmpty: Bool { name == nil && url == nil && image == nil }

    /// As the fourth parameter of `connect`; empty when nothing is claimed.
    public var json: String {
        if isEmpty { return "" }
        let members = [("name", name), ("url", url), ("image", image)].compactMap { name, value in
            value.map { JSONMember(name, .string($0)) }
        }
        return JSONValue.object(members).text
    }

    private static func visible(_ text: String, limit: Int, cuts: Bool) -> String? {
        // Far more than is kept is not even looked at: one character may be a megabyte of accents.
        let read = text.unicodeScalars.prefix(limit * 4).filter(isVisible)
        guard cuts || (read.count <= limit && text.unicodeScalars.dropFirst(limit * 4).isEmpty) else { return nil }
        var scalars = read.prefix(limit).drop(while: \.properties.isWhitespace)
        while scalars.last?.properties.isWhitespace == true { scalars.removeLast() }
        return scalars.isEmpty ? nil : String(String.UnicodeScalarView(scalars))
    }

    /// Leaves out line ends, controls, and formats such as a reversed direction; the joiner that emoji need stays.
    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
        case .format: scalar == "\u{200D}"
        default: true
        }
    }
}
