internal import NostrCore
internal import NostrNIPs

/// What the places of payment of a world say of themselves (LUD-16): all its people have a wallet at one.
public struct WorldPayees: Sendable {
    private static let domain = "sats.example"

    private let handles: Set<String>
    private let issuer: PublicKey

    /// Keeps the handles of a world's people, not the world.
    public init(_ world: World) {
        handles = Set(world.people.map(\.handle))
        issuer = world.wallet
    }

    /// The document of somebody's place; `nil` where nobody answers.
    public func document(of local: String, at domain: String) -> String? {
        guard domain == Self.domain else { return nil }
        guard handles.contains(local) else { return #"{"status":"ERROR","reason":"nobody of that name"}"# }
        let callback = "https://\(domain)/pay/\(local)"
        return """
            {"tag":"payRequest","callback":\(quotedJSON(callback)),"minSendable":1000,"maxSendable":100000000,\
            "metadata":"[]","allowsNostr":true,"nostrPubkey":"\(issuer.hex)"}
            """
    }
}
