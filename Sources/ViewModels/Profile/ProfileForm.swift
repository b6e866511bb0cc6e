public import NostrClient

/// The account's own profile as a form: what stands in each field, and what is wrong with it.
public struct ProfileForm: Equatable, Sendable {
    /// The fields Linnet shows, by their names on the wire, in the order shown.
    public static let fieldNames = ["display_name", "name", "about", "picture", "banner", "website", "nip05", "lud16"]

    /// What stands in each field.
    public private(set) var fields: [String: String]
    /// What is wrong, by field; `""` for the whole.
    public private(set) var problems: [String: String] = [:]
    /// Whether it was saved.
    public private(set) var isSaved = false
    private let known: [String: String]

    init(_ known: [String: String]) {
        self.known = known
        fields = known.filter { Self.fieldNames.contains($0.key) }
    }

    /// The profile as it stands.
    public static func load(of account: any Account) async throws(Trouble) -> ProfileForm {
        ProfileForm(try await troubled { try await account.people.person(account.publicKey).fields })
    }

    /// Fills in fields that are empty.
    public mutating func suggest(_ values: [String: String]) {
        for (name, value) in values where (fields[name] ?? "").isEmpty { fields[name] = value }
    }

    /// Publishes what was filled in, when nothing is wrong with it.
    ///
    /// Afterwards ``isSaved`` is true, or ``problems`` says why not.
    public mutating func save(_ filled: [String: String], in profile: any ProfileEditing) async {
        guard let fields = fill(filled) else { return }
        do {
            _ = try await profile.update(fields)
            isSaved = true
        } catch {
            problems[""] = Trouble(error).sentence
        }
    }

    /// Keeps what was filled in on the page, and says why it is not saved.
    public mutating func refuse(_ filled: [String: String], because sentence: String) {
        _ = fill(filled)
        problems[""] = sentence
    }

    /// Fills the fields in.
    ///
    /// - Returns: what is to be published; `nil` when something is wrong.
    mutating func fill(_ filled: [String: String]) -> [String: String]? {
        problems = [:]
        for name in Self.fieldNames {
            guard let text = filled[name] else { continue }
            fields[name] = name == "about" ? text : oneLine(text, limit: 500)
        }
        for name in ["picture", "banner", "website"] {
            if let text = fields[name], !text.isEmpty, webAddress(text) == nil {
                problems[name] = ProfileWords.noWebAddress
            }
        }
        for name in ["nip05", "lud16"] {
            if let text = fields[name], !text.isEmpty, text.split(separator: "@").count != 2 {
                problems[name] = ProfileWords.noAddress
            }
        }
        guard problems.isEmpty else { return nil }
        // An empty field that never was one stays away.
        return fields.filter { !$0.value.isEmpty || known[$0.key] != nil }
    }
}
