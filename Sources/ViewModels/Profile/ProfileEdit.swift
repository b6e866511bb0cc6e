public import NostrClient

/// One's own profile under the pen.
public struct ProfileEdit: Screen {
    /// The fields Linnet shows, by their names on the wire, in the order shown.
    public static let fieldNames = ["display_name", "name", "about", "picture", "banner", "website", "nip05", "lud16"]

    /// How far it has come.
    public private(set) var phase: Phase = .loading
    /// What stands in each field.
    public private(set) var fields: [String: String] = [:]
    /// What is wrong, by field; `""` for the whole.
    public private(set) var problems: [String: String] = [:]
    /// Whether it was saved.
    public private(set) var isSaved = false
    private var known: [String: String] = [:]

    /// What can happen to it.
    public enum Input: Equatable, Sendable {
        /// Opened.
        case opened
        /// The profile as it stands.
        case read([String: String])
        /// Save what was filled in.
        case save([String: String])
        /// Saved and on its way.
        case saved
        /// Reading or saving failed.
        case failed(Trouble)
    }

    /// What it wants done.
    public enum Effect: Equatable, Sendable {
        /// Read the profile.
        case read
        /// Publish these fields.
        case publish([String: String])
    }

    /// A form not opened yet.
    public init() {}

    /// Takes in one input and says what to do next.
    public mutating func apply(_ input: Input) -> [Effect] {
        switch input {
        case .opened:
            return [.read]
        case .read(let fields):
            phase = .ready
            known = fields
            self.fields = fields.filter { Self.fieldNames.contains($0.key) }
            return []
        case .save(let filled):
            return save(filled)
        case .saved:
            isSaved = true
            return []
        case .failed(let trouble):
            if phase == .ready { problems[""] = trouble.sentence } else { phase = .failed(trouble) }
            return []
        }
    }

    private mutating func save(_ filled: [String: String]) -> [Effect] {
        problems = [:]
        for name in Self.fieldNames {
            guard let text = filled[name] else { continue }
            fields[name] = name == "about" ? text : oneLine(text, limit: 500)
        }
        for name in ["picture", "banner", "website"] {
            if let text = fields[name], !text.isEmpty, webAddress(text) == nil {
                problems[name] = "This is not a web address. It begins with https://."
            }
        }
        for name in ["nip05", "lud16"] {
            if let text = fields[name], !text.isEmpty, text.split(separator: "@").count != 2 {
                problems[name] = "This looks like name@example.org."
            }
        }
        guard problems.isEmpty else { return [] }
        // An empty field that never was one stays away.
        return [.publish(fields.filter { !$0.value.isEmpty || known[$0.key] != nil })]
    }
}

extension ScreenModel where S == ProfileEdit {
    /// One's own profile, changed through an account.
    public init(editing account: any Account) {
        self.init(ProfileEdit()) { effect in
            do {
                switch effect {
                case .read: return .read(try await account.people.person(account.publicKey).fields)
                case .publish(let fields):
                    _ = try await account.profile.update(fields)
                    return .saved
                }
            } catch {
                return .failed(Trouble(error))
            }
        }
    }
}
