public import MLS

/// Marmot as MDK 0.8 speaks it: the last of its MIP era.
///
/// Where the published text and MDK differ, this is MDK's way, since that is what members send each other.
public struct GenerationB: MarmotProfile {
    /// The one cipher suite.
    static let suite = CipherSuite.x25519AES128
    /// The longest key package, in bytes; one of MDK's has 317.
    static let longestKeyPackage = 16 * 1024
    /// The longest message of MLS for a group, in bytes.
    static let longestMessage = GroupMessage.longest + 1024
    /// How old an event may be.
    ///
    /// Source: MIP-03.
    static let oldest: Duration = .seconds(45 * 86_400)
    /// How far ahead of our clock an event may be.
    ///
    /// Source: MIP-03.
    public var skew: Duration { .seconds(300) }

    /// The generation.
    public init() {}

    /// Handshake is encrypted, nothing is padded, and nobody's proposal silences us.
    public var groupOptions: GroupOptions {
        var options = GroupOptions()
        options.pastEpochs = EpochKeyring.lookback
        options.sendsBeforeCommitting = true
        return options
    }

    /// The earlier event counts, and of two of one second that with the lower id.
    ///
    /// Source: MIP-03.
    public func prefers(_ one: RivalCommit, to other: RivalCommit) -> Bool {
        (one.createdAt, one.id) < (other.createdAt, other.id)
    }
}
