/// The key and nonce of one message.
struct MessageKey: Sendable, Equatable {
    let key: Secret<Role.MessageKey>
    let nonce: [UInt8]

    /// The nonce with the sender's four random bytes mixed in.
    ///
    /// Source: RFC 9420 §6.3.1.
    func nonce(guardedBy reuseGuard: [UInt8]) -> [UInt8] {
        var mixed = nonce
        for (place, byte) in reuseGuard.prefix(mixed.count).enumerated() { mixed[place] ^= byte }
        return mixed
    }
}

/// How far messages of one sender may be out of order.
public struct RatchetLimits: Sendable, Hashable {
    /// How many generations back a key is kept for a late message.
    public var outOfOrder: UInt32 = 100
    /// How many generations one message may skip.
    public var forward: UInt32 = 1000

    /// The limits most groups want.
    public init() {}
}

/// One chain of message keys; each key can be taken once.
///
/// Source: RFC 9420 §9.1.
struct HashRatchet: Sendable {
    private(set) var secret: Secret<Role.Ratchet>
    /// The next generation.
    private(set) var generation: UInt32 = 0
    /// Keys of generations that were passed and not used.
    private(set) var kept: [UInt32: MessageKey] = [:]

    init(_ secret: Secret<Role.Ratchet>, generation: UInt32 = 0, kept: [UInt32: MessageKey] = [:]) {
        (self.secret, self.generation, self.kept) = (secret, generation, kept)
    }

    /// Takes the next key.
    mutating func next(_ algorithms: Algorithms) throws(MLSError) -> (generation: UInt32, key: MessageKey) {
        guard generation < UInt32.max else { throw MLSError(.limitExceeded, "a ratchet has no generation left") }
        return (generation, step(algorithms))
    }

    /// Takes the key of a generation.
    ///
    /// - Throws: `keyConsumed` for one that was taken or is too old, `tooFarAhead` for one beyond the limit.
    mutating func key(
        of wanted: UInt32, limits: RatchetLimits, _ algorithms: Algorithms
    ) throws(MLSError) -> MessageKey {
        guard wanted >= generation else {
            guard let key = kept.removeValue(forKey: wanted) else {
                throw MLSError(.keyConsumed, "generation \(wanted)")
            }
            return key
        }
        guard wanted - generation <= limits.forward, wanted < UInt32.max else {
            throw MLSError(.tooFarAhead, "generation \(wanted)")
        }
        while generation < wanted {
            let passed = generation
            kept[passed] = step(algorithms)
        }
        let key = step(algorithms)
        forgetOld(limits)
        return key
    }

    private mutating func forgetOld(_ limits: RatchetLimits) {
        guard !kept.isEmpty, generation > limits.outOfOrder else { return }
        let oldest = generation - limits.outOfOrder
        kept = kept.filter { $0.key >= oldest }
    }

    private mutating func step(_ algorithms: Algorithms) -> MessageKey {
        let nonce: Secret<Role.MessageKey> = algorithms.deriveTreeSecret(
            secret, label: "nonce", generation: generation, count: algorithms.nonceLength)
        let key = MessageKey(
            key: algorithms.deriveTreeSecret(
                secret, label: "key", generation: generation, count: algorithms.keyLength),
            nonce: nonce.exposedBytes)
        secret = algorithms.deriveTreeSecret(
            secret, label: "secret", generation: generation, count: algorithms.hashLength)
        generation += 1
        return key
    }
}
