/// Who sent a private message, and which of their keys it uses.
///
/// Source: RFC 9420 §6.3.2.
struct SenderData: MLSCodable, Hashable, Sendable {
    let leaf: LeafIndex
    let generation: UInt32
    /// Four random bytes.
    let reuseGuard: [UInt8]

    init(leaf: LeafIndex, generation: UInt32, reuseGuard: [UInt8]) {
        self.leaf = leaf
        self.generation = generation
        self.reuseGuard = reuseGuard
    }

    init(from reader: inout Reader) throws(MLSError) {
        leaf = try LeafIndex(from: &reader)
        generation = try reader.integer()
        reuseGuard = try reader.fixed(4)
    }

    func write(to writer: inout Writer) {
        leaf.write(to: &writer)
        writer.integer(generation)
        writer.fixed(reuseGuard)
    }
}

extension Algorithms {
    /// The key that hides the sender of one ciphertext.
    ///
    /// Source: RFC 9420 §6.3.2.
    func senderDataKey(_ secret: SenderDataSecret, ciphertext: [UInt8]) -> MessageKey {
        let sample = Array(ciphertext.prefix(hashLength))
        let nonce: Secret<Role.MessageKey> = expand(secret, label: "nonce", context: sample, count: nonceLength)
        return MessageKey(
            key: expand(secret, label: "key", context: sample, count: keyLength), nonce: nonce.exposedBytes)
    }
}
