/// How many proposals of an epoch are kept.
///
/// Each sender has room of their own, so that nobody's flood costs anybody else theirs; all new members together are one
/// sender. A proposal that finds none is refused with `tooManyProposals`, and neither it nor its key is spent.
public struct ProposalLimits: Sendable, Hashable {
    /// How many of one sender.
    public var count = 128
    /// How long those of one sender are together; a single one may be longer.
    ///
    /// Unit: bytes.
    public var bytes = 256 << 10
    /// How long those are together for which the commits of one member get room beyond that.
    ///
    /// Unit: bytes.
    public var named = 1 << 20

    /// How many proposals a commit may name that are not here.
    static let mostNamed = 1 << 14

    /// The limits most groups want.
    public init() {}
}

/// A proposal that came before, and how a commit names it.
struct WaitingProposal: Sendable {
    let reference: ProposalRef
    let sent: SentProposal
}

/// The proposals of one epoch, in the order they came.
struct WaitingProposals: Sendable {
    private(set) var inOrder: [WaitingProposal] = []
    private var places: [ProposalRef: Int] = [:]
    private var shares: [Sender: Share] = [:]
    private var rooms: [Sender: Room] = [:]

    /// What is kept of one sender.
    private struct Share {
        var count = 0
        var bytes = 0
        var leaves = false
    }

    /// What one member's commit names that was not here.
    private struct Room {
        var names: Set<ProposalRef> = []
        /// What was taken of the room of this member's commits.
        var bytes = 0
    }

    var isEmpty: Bool { inOrder.isEmpty }

    subscript(reference: ProposalRef) -> SentProposal? { places[reference].map { inOrder[$0].sent } }

    /// Whether a proposal may be kept: it is, or its sender has room, or a commit needs it.
    ///
    /// There is always room for a member to say that it leaves.
    func hasRoom(for sent: SentProposal, _ reference: ProposalRef, _ limits: ProposalLimits) -> Bool {
        guard places[reference] == nil, let share = shares[sent.sender] else { return true }
        if sent.proposal.type == .selfRemove, !share.leaves { return true }
        let size = sent.proposal.encoded.count
        if share.count < limits.count, share.bytes + size <= limits.bytes { return true }
        return room(for: reference, size, limits) != nil
    }

    /// Keeps a proposal for which there is room.
    mutating func insert(_ sent: SentProposal, _ reference: ProposalRef, _ limits: ProposalLimits = ProposalLimits()) {
        guard places[reference] == nil else { return }
        let size = sent.proposal.encoded.count
        if let member = room(for: reference, size, limits) {
            rooms[member]?.names.remove(reference)
            rooms[member]?.bytes += size
        } else {
            var share = shares[sent.sender] ?? Share()
            share.count += 1
            share.bytes += size
            if sent.proposal.type == .selfRemove { share.leaves = true }
            shares[sent.sender] = share
        }
        places[reference] = inOrder.count
        inOrder.append(WaitingProposal(reference: reference, sent: sent))
    }

    /// Keeps room for what a member's commit names, in place of what their last one named.
    mutating func keepRoom(for names: Set<ProposalRef>, namedBy member: Sender) {
        rooms[member, default: Room()].names = names
    }

    private func room(for reference: ProposalRef, _ size: Int, _ limits: ProposalLimits) -> Sender? {
        rooms.first { $0.value.names.contains(reference) && $0.value.bytes + size <= limits.named }?.key
    }
}
