/// A proposal in a commit: the whole of it, or the hash of one sent before.
///
/// Source: RFC 9420 §12.4.
enum ProposalOrRef: MLSCodable, Hashable, Sendable {
    case proposal(Proposal)
    case reference(ProposalRef)

    var reference: ProposalRef? { if case .reference(let reference) = self { reference } else { nil } }

    init(from reader: inout Reader) throws(MLSError) {
        switch try reader.integer(UInt8.self) {
        case 1: self = .proposal(try Proposal(from: &reader))
        case 2: self = .reference(try ProposalRef(from: &reader))
        default: throw MLSError(.malformed, "neither a proposal nor a reference")
        }
    }

    func write(to writer: inout Writer) {
        switch self {
        case .proposal(let proposal):
            writer.integer(UInt8(1))
            proposal.write(to: &writer)
        case .reference(let reference):
            writer.integer(UInt8(2))
            reference.write(to: &writer)
        }
    }
}

/// What moves a group to its next epoch.
///
/// Source: RFC 9420 §12.4.
struct Commit: MLSCodable, Hashable, Sendable {
    let proposals: [ProposalOrRef]
    let path: UpdatePath?

    init(proposals: [ProposalOrRef], path: UpdatePath?) {
        self.proposals = proposals
        self.path = path
    }

    init(from reader: inout Reader) throws(MLSError) {
        proposals = try reader.vector()
        path = try reader.optional()
    }

    func write(to writer: inout Writer) {
        writer.vector(proposals)
        writer.optional(path)
    }
}
