public import NostrClient
internal import NostrNIPs

/// Whom a name at a domain leads to, as the domain says now (NIP-05).
public enum NamedPerson: Hashable, Sendable {
    /// This person.
    case found(PersonItem)
    /// Nobody, and why.
    case nobody(String)

    /// Asks the domain; `nil` for what is no name.
    public static func load(_ text: String, of account: any Account) async -> NamedPerson? {
        guard let identifier = SearchRequest(text).identifier, text.contains("@") else { return nil }
        do {
            return .found(PersonItem(try await account.people.named(identifier)))
        } catch {
            // Any other failure than the name's own counts as no answer.
            let domain = oneLine(identifier.domain, limit: 60)
            return (error as? NameFailure) == .nobody
                ? .nobody(ProfileWords.nobody(identifier.local, at: domain)) : .nobody(ProfileWords.noAnswer(domain))
        }
    }
}
