extension SecretTree {
    /// Reads the message keys that are left of a tree of some size.
    ///
    /// - Throws: `malformed` for a secret of another length, or of a place that is not in the tree.
    init(from reader: inout Reader, size: TreeSize, _ algorithms: Algorithms) throws(MLSError) {
        self.size = size
        nodes = try reader.dictionary(
            { (inner) throws(MLSError) in
                (NodeIndex(Int(try inner.integer(UInt32.self))), try inner.secret(algorithms.hashLength))
            }, rising: { $0.value < $1.value })
        handshake = try Self.ratchets(from: &reader, algorithms)
        application = try Self.ratchets(from: &reader, algorithms)
        guard nodes.keys.allSatisfy({ $0.value < size.nodes }), handshake.keys.allSatisfy(size.contains),
            application.keys.allSatisfy(size.contains)
        else { throw MLSError(.malformed, "a saved secret of a place outside the tree") }
    }

    func write(to writer: inout Writer) {
        writer.dictionary(nodes, rising: { $0.value < $1.value }) {
            $0.integer(UInt32($1.value))
            $2.write(to: &$0)
        }
        for ratchets in [handshake, application] {
            writer.dictionary(ratchets, rising: <) {
                $1.write(to: &$0)
                $2.write(to: &$0)
            }
        }
    }

    private static func ratchets(
        from reader: inout Reader, _ algorithms: Algorithms
    ) throws(MLSError) -> [LeafIndex: HashRatchet] {
        try reader.dictionary(
            { (inner) throws(MLSError) in (try LeafIndex(from: &inner), try HashRatchet(from: &inner, algorithms)) },
            rising: <)
    }
}

extension HashRatchet {
    init(from reader: inout Reader, _ algorithms: Algorithms) throws(MLSError) {
        let secret: Secret<Role.Ratchet> = try reader.secret(algorithms.hashLength)
        let generation = try reader.integer(UInt32.self)
        let kept: [UInt32: MessageKey] = try reader.dictionary(
            { (inner) throws(MLSError) in
                let passed = try inner.integer(UInt32.self)
                let key: Secret<Role.MessageKey> = try inner.secret(algorithms.keyLength)
                return (passed, MessageKey(key: key, nonce: try inner.fixed(algorithms.nonceLength)))
            }, rising: <)
        guard kept.keys.allSatisfy({ $0 < generation }) else {
            throw MLSError(.malformed, "a saved key of a generation to come")
        }
        self.init(secret, generation: generation, kept: kept)
    }

    func write(to writer: inout Writer) {
        secret.write(to: &writer)
        writer.integer(generation)
        writer.dictionary(kept, rising: <) {
            $0.integer($1)
            $2.key.write(to: &$0)
            $0.fixed($2.nonce)
        }
    }
}
