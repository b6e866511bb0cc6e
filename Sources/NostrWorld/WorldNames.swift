internal import NostrCore
internal import NostrNIPs

/// What the domains of a world say of their names (NIP-05): most of what people claim is so, some is not, and one domain
/// never answers.
public struct WorldNames: Sendable {
    private static let silentDomain = "people.example"

    private let keys: [String: PublicKey]

    /// Keeps the names that domains confirm; those they forgot are left out.
    public init(_ world: World) {
        keys = Dictionary(
            uniqueKeysWithValues: world.people.filter { !$0.isForgottenByDomain }.map { ($0.handle, $0.publicKey) })
    }

    /// The document a domain serves about a name; `nil` where nobody answers.
    public func document(of local: String, at domain: String) -> String? {
        guard domain.hasSuffix(".example"), domain != Self.silentDomain else { return nil }
        let names = keys[local].map { "\(quotedJSON(local)):\(quotedJSON($0.hex))" } ?? ""
        return "{\"names\":{\(names)}}"
    }
}

extension WorldPerson {
    /// Whether the domain this person claims a name at knows nothing of it: one in eight.
    var isForgottenByDomain: Bool { (publicKey.bytes.array.first ?? 0).isMultiple(of: 8) }
}
