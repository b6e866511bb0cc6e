public import NostrCore

extension EventID {
    /// How many leading zero bits the id has: the work that went into it.
    ///
    /// Unit: bits, 0–256. Source: NIP-13.
    public var difficulty: Int {
        var bits = 0
        for offset in 0..<32 {
            bits += bytes[offset].leadingZeroBitCount
            if bytes[offset] != 0 { break }
        }
        return bits
    }
}

/// The work an event commits to, and whether it is enough.
///
/// Source: NIP-13.
public struct ProofOfWork: Hashable, Sendable {
    /// Leading zero bits of the id.
    public let difficulty: Int
    /// The target the author committed to in the `nonce` tag, if any.
    public let committedTarget: Int?

    /// Reads an event.
    public init(_ event: Event) {
        difficulty = event.id.difficulty
        committedTarget = event.tags.first { $0.name == "nonce" }?[2].flatMap { Int(decimal: $0) }
    }

    init(difficulty: Int, committedTarget: Int?) {
        self.difficulty = difficulty
        self.committedTarget = committedTarget
    }

    /// Whether the work meets a demand.
    ///
    /// A commitment below the demand does not count, however lucky the id is; a missing one does, as NIP-13 leaves to
    /// the reader, unless `commitmentRequired`.
    public func meets(_ demand: Int, commitmentRequired: Bool = false) -> Bool {
        guard difficulty >= demand else { return false }
        guard let committedTarget else { return !commitmentRequired || demand <= 0 }
        return committedTarget >= demand
    }
}
