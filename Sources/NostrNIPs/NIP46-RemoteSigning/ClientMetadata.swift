/// What an app says of itself: a claim that nobody has checked, for display only.
///
/// Source: NIP-46, "Client metadata".
public struct ClientMetadata: Hashable, Sendable {
    /// The longest claim kept, in characters.
    public static let longest = 200

    /// Its name.
    public var name: String?
    /// Its page.
    public var url: String?
    /// A small image.
    public var image: String?

    /// Takes all; claims are cut to ``longest`` and cleared of control characters, empty ones count as absent.
    public init(name: String? = nil, url: String? = nil, image: String? = nil) {
        self.name = Self.tidy(name)
        self.url = Self.tidy(url)
        self.image = Self.tidy(image)
    }

    /// Reads the JSON object of the fourth parameter of `connect`; anything else counts as no claims.
    public init(json: String) {
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

    private static func tidy(_ text: String?) -> String? {
        guard let text else { return nil }
        let visible = String(text.prefix(longest).filter { !$0.unicodeScalars.contains { $0.properties.generalCategory == .control } })
        return visible.isEmpty ? nil : visible
    }
}
