public import MLS
public import NostrCore

extension Credential {
    /// The credential of a person of Nostr: the 32 bytes of their key, not its hex.
    ///
    /// Source: MIP-00.
    public init(_ key: PublicKey) { self = .basic(identity: key.bytes.array) }

    /// The person of Nostr, if the credential is that of one.
    ///
    /// Source: MIP-00.
    public var nostrKey: PublicKey? {
        guard case .basic(let identity) = self else { return nil }
        // An identity of another length belongs to nobody on Nostr.
        return (try? Bytes32(identity.span)).map(PublicKey.init)
    }
}

extension ExtensionType {
    /// What a group says of itself.
    ///
    /// Source: MIP-01.
    public static let marmotGroupData = ExtensionType(rawValue: 0xf2ee)
}
