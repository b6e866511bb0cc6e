public import NostrCore

/// What a person says about themself: kind 0.
///
/// Fields this type does not know, their order and the white space between them stay byte for byte through an edit.
/// Source: NIP-01, "Kinds"; NIP-24.
public struct ProfileMetadata: Hashable, Sendable {
    /// The kind of a profile.
    public static let kind: Kind = 0

    /// The tags of the event, kept through an edit (custom emoji, identities).
    public let tags: [Tag]
    private var object: JSONObjectText
    private let baseMoment: Timestamp?

    /// The profile of a person who has none.
    public init() {
        tags = []
        object = JSONObjectText()
        baseMoment = nil
    }

    /// Reads an event; `nil` unless it is of kind 0 and its content a JSON object.
    public init?(_ event: Event) {
        guard event.kind == Self.kind, let object = JSONObjectText(event.content) else { return nil }
        tags = event.tags
        self.object = object
        baseMoment = event.createdAt
    }

    /// Reads the content of a profile that is not published yet; `nil` unless it is a JSON object.
    init?(json content: String) {
        guard let object = JSONObjectText(content) else { return nil }
        tags = []
        self.object = object
        baseMoment = nil
    }

    /// The text of a field by its name on the wire; `nil` when it is missing, empty or no text.
    ///
    /// Setting `nil` or an empty text takes the field out.
    public subscript(_ field: String) -> String? {
        get { object[field]?.string.flatMap { $0.isEmpty ? nil : $0 } }
        set { object.set(field, to: newValue.flatMap { $0.isEmpty ? nil : .string($0) }) }
    }

    /// All fields that hold text, by their names on the wire; empty ones are left out.
    public var fields: [String: String] {
        var fields: [String: String] = [:]
        for member in object.members {
            if let text = member.value.string { fields[member.name] = text.isEmpty ? nil : text }
        }
        return fields
    }

    /// The short name; the deprecated `username` where `name` is missing.
    public var name: String? { self["name"] ?? self["username"] }
    /// The long name; the deprecated `displayName` where `display_name` is missing.
    public var displayName: String? { self["display_name"] ?? self["displayName"] }
    /// What the person writes about themself.
    public var about: String? { self["about"] }
    /// The address of a picture.
    public var picture: String? { self["picture"] }
    /// The address of a wide picture.
    public var banner: String? { self["banner"] }
    /// The address of a web page.
    public var website: String? { self["website"] }
    /// The claimed internet identifier; not checked.
    public var nip05: InternetIdentifier? { self["nip05"].flatMap(InternetIdentifier.init) }
    /// The lightning address.
    public var lightningAddress: String? { self["lud16"] }
    /// Whether the account is a machine, as it says.
    public var isBot: Bool { object["bot"]?.bool ?? false }
    /// The day of birth, each part where given.
    public var birthday: Birthday? { object["birthday"].flatMap(Birthday.init) }

    /// A day of birth of which each part may be missing.
    public struct Birthday: Hashable, Sendable {
        /// The year.
        public let year: Int?
        /// The month, 1–12.
        public let month: Int?
        /// The day, 1–31.
        public let day: Int?

        init?(_ value: JSONValue) {
            year = value["year"]?.integer.map(Int.init)
            month = value["month"]?.integer.map(Int.init).flatMap { (1...12).contains($0) ? $0 : nil }
            day = value["day"]?.integer.map(Int.init).flatMap { (1...31).contains($0) ? $0 : nil }
            guard year != nil || month != nil || day != nil else { return nil }
        }
    }

    /// The JSON as it will be published.
    public var content: String { object.text }

    /// The profile as a draft, later than the event it replaces.
    public func draft(now: Timestamp) -> EventDraft {
        EventDraft(
            kind: Self.kind, tags: tags, content: content, createdAt: momentReplacing(baseMoment, now: now))
    }
}

extension [Tag] {
    /// The hashtags of `t` tags, lowercase as NIP-24 asks, each once, without empty ones.
    public var hashtags: [String] {
        named("t").compactMap { $0.text(at: 1)?.lowercased() }.withoutDuplicates()
    }
}
