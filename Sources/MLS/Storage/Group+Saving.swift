/// A group as bytes, and back.
///
/// There is one encoding of a state. The caller encrypts it: it holds every secret of the group.
extension Group {
    /// The whole state, the policy and the options apart.
    public var saved: SavedGroup {
        var parts: [GroupPart: [UInt8]] = [:]
        for part in [.epoch, .messageKeys, .proposals] + past.map({ GroupPart.past($0.epoch) }) {
            parts[part] = encoded(part)
        }
        return SavedGroup(parts)
    }

    /// A group from its saved state.
    ///
    /// Everything is checked but the signatures of the members, which were checked when they came.
    ///
    /// - Throws: `unsupported` for another version of the encoding, `malformed`, `limitExceeded`, `trailingBytes`,
    ///   `invalidTree` or `invalidKey`.
    public init(
        _ saved: SavedGroup, policy: any GroupPolicy, options: GroupOptions = GroupOptions()
    ) throws(MLSError) {
        let codec = options.codec
        var reader = try saved.reader(.epoch, codec)
        let (context, tree) = try SavedEpoch.read(from: &reader)
        let epoch = try SavedEpoch(context, tree, from: &reader)
        (self.context, self.tree, algorithms) = (context, tree, tree.algorithms)
        (own, secrets, confirmationTag) = (epoch.own, epoch.secrets, epoch.confirmationTag)
        interimTranscriptHash = epoch.interimTranscriptHash
        signer = try SignaturePrivateKey(bytes: reader.opaque(), for: context.cipherSuite)
        guard signer.publicKey == tree.leaf(own.index)?.signatureKey else {
            throw MLSError(.invalidKey, "a saved key for signatures is not that of our leaf")
        }
        psks = try PSKs(from: &reader, tree.algorithms)
        successor = try reader.optional()
        try reader.requireEnd()
        (self.policy, self.options) = (policy, options)

        reader = try saved.reader(.messageKeys, codec)
        try reader.requireEpoch(context.epoch)
        keys = MessageKeys(
            senderData: secrets.senderData, tree: try SecretTree(from: &reader, size: tree.size, algorithms),
            limits: options.ratchetLimits)
        try reader.requireEnd()
        reader = try saved.reader(.proposals, codec)
        try reader.requireEpoch(context.epoch)
        try readProposals(from: &reader)
        try reader.requireEnd()
        for number in saved.pastEpochs {
            past.append(try PastEpoch(number, saved.reader(.past(number), codec), of: self))
        }
    }

    /// One part of the state; empty for a past epoch that is not kept.
    func encoded(_ part: GroupPart) -> [UInt8] {
        var writer = Writer()
        writer.integer(SavedGroup.version)
        switch part {
        case .epoch:
            SavedEpoch.write(context, tree, to: &writer)
            SavedEpoch(context: context, tree: tree, own: own, secrets: secrets, confirmationTag: confirmationTag)
                .write(to: &writer)
            writer.opaque(signer.bytes)
            psks.write(to: &writer)
            writer.optional(successor)
        case .messageKeys:
            writer.integer(epoch)
            keys.tree.write(to: &writer)
        case .proposals:
            writer.integer(epoch)
            writeProposals(to: &writer)
        case .past(let epoch): past.first { $0.epoch == epoch }?.write(to: &writer)
        }
        return writer.bytes
    }

    private func writeProposals(to writer: inout Writer) {
        writer.vector(proposals.inOrder) {
            $1.reference.write(to: &$0)
            $1.sent.write(to: &$0)
        }
        writer.dictionary(updateKeys, rising: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            $1.write(to: &$0)
            $2.write(to: &$0)
        }
        // They stand at the end, and only if there are any: a state without them reads as it did before they were known.
        guard !updateSigners.isEmpty else { return }
        writer.dictionary(updateSigners, rising: { $0.bytes.lexicographicallyPrecedes($1.bytes) }) {
            $1.write(to: &$0)
            $0.opaque($2.bytes)
        }
    }

    private mutating func readProposals(from reader: inout Reader) throws(MLSError) {
        let waiting = try reader.vector { (inner) throws(MLSError) in
            WaitingProposal(reference: try ProposalRef(from: &inner), sent: try SentProposal(from: &inner))
        }
        for one in waiting { proposals.insert(one.sent, one.reference) }
        guard proposals.inOrder.count == waiting.count else { throw MLSError(.malformed, "a saved proposal twice") }
        updateKeys = try reader.dictionary(
            { (inner) throws(MLSError) in (try HPKEPublicKey(from: &inner), try HPKEPrivateKey(from: &inner)) },
            rising: { $0.bytes.lexicographicallyPrecedes($1.bytes) })
        for (publicKey, key) in updateKeys where try algorithms.publicKey(of: key) != publicKey {
            throw MLSError(.invalidKey, "a saved private key of an Update")
        }
        guard waiting.allSatisfy({ $0.reference.bytes.count == algorithms.hashLength }) else {
            throw MLSError(.malformed, "a reference of another length")
        }
        if !reader.isAtEnd { try readUpdateSigners(from: &reader) }
    }

    private mutating func readUpdateSigners(from reader: inout Reader) throws(MLSError) {
        let suite = context.cipherSuite
        updateSigners = try reader.dictionary(
            { (inner) throws(MLSError) in
                let name = try SignaturePublicKey(from: &inner)
                return (name, try SignaturePrivateKey(bytes: inner.opaque(), for: suite))
            }, rising: { $0.bytes.lexicographicallyPrecedes($1.bytes) })
        guard !updateSigners.isEmpty, updateSigners[signer.publicKey] == nil,
            updateSigners.allSatisfy({ $0.value.publicKey == $0.key })
        else { throw MLSError(.invalidKey, "a saved key for signatures of an Update") }
    }
}

extension SavedGroup {
    /// The past epochs, in order.
    fileprivate var pastEpochs: [UInt64] {
        parts.keys.compactMap { if case .past(let epoch) = $0 { epoch } else { nil } }.sorted()
    }

    fileprivate func reader(_ part: GroupPart, _ options: CodecOptions) throws(MLSError) -> Reader {
        guard let bytes = parts[part] else { throw MLSError(.malformed, "a part of a saved group is missing") }
        // Many proposals may be longer together than any one message.
        var options = options
        options.maximumVectorLength = max(options.maximumVectorLength, bytes.count)
        var reader = Reader(bytes, options: options)
        try reader.savedVersion()
        return reader
    }
}

extension Reader {
    func requireEnd() throws(MLSError) {
        guard isAtEnd else { throw MLSError(.trailingBytes, "a saved group") }
    }

    mutating func requireEpoch(_ epoch: UInt64) throws(MLSError) {
        guard try integer(UInt64.self) == epoch else { throw MLSError(.malformed, "parts of two epochs") }
    }
}
