extension PastEpoch {
    /// Reads an epoch before that of the group.
    init(_ number: UInt64, _ reader: Reader, of group: Group) throws(MLSError) {
        var reader = reader
        context = try reader.opaque()
        let decoded = try GroupContext(bytes: context)
        guard decoded.epoch == number, number < group.epoch, decoded.groupID == group.groupID else {
            throw MLSError(.malformed, "a past epoch is not one of the group")
        }
        var left = group.options.codec.maximumTreeNodes / 2 + 1
        members = try reader.vector { (inner) throws(MLSError) in
            guard left > 0 else { throw MLSError(.limitExceeded, "a tree has too many nodes") }
            left -= 1
            return try inner.optional(Member.self)
        }
        let size = TreeSize(holding: members.count)
        guard members.count == size.leaves else { throw MLSError(.malformed, "a past tree of another size") }
        epoch = number
        keys = MessageKeys(
            senderData: try reader.secret(group.algorithms.hashLength),
            tree: try SecretTree(from: &reader, size: size, group.algorithms), limits: group.options.ratchetLimits)
        try reader.requireEnd()
    }

    func write(to writer: inout Writer) {
        writer.opaque(context)
        writer.vector(members) { $0.optional($1) }
        keys.senderData.write(to: &writer)
        keys.tree.write(to: &writer)
    }
}

extension PastEpoch.Member: MLSCodable {
    init(from reader: inout Reader) throws(MLSError) {
        signatureKey = try SignaturePublicKey(from: &reader)
        credential = try Credential(from: &reader)
    }

    func write(to writer: inout Writer) {
        signatureKey.write(to: &writer)
        credential.write(to: &writer)
    }
}

extension SentProposal: MLSCodable {
    init(from reader: inout Reader) throws(MLSError) {
        proposal = try Proposal(from: &reader)
        sender = try Sender(from: &reader)
    }

    func write(to writer: inout Writer) {
        proposal.write(to: &writer)
        sender.write(to: &writer)
    }
}

extension PSKs {
    init(from reader: inout Reader, _ algorithms: Algorithms) throws(MLSError) {
        external = try reader.dictionary(
            { (inner) throws(MLSError) in (try inner.opaque(), try PreSharedKey(from: &inner)) },
            rising: { $0.lexicographicallyPrecedes($1) })
        resumption = try reader.dictionary(
            { (inner) throws(MLSError) in (try inner.integer(), try inner.secret(algorithms.hashLength)) }, rising: <)
    }

    func write(to writer: inout Writer) {
        writer.dictionary(external, rising: { $0.lexicographicallyPrecedes($1) }) {
            $0.opaque($1)
            $2.write(to: &$0)
        }
        writer.dictionary(resumption, rising: <) {
            $0.integer($1)
            $2.write(to: &$0)
        }
    }
}
