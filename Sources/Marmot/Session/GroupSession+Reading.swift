internal import Crypto
internal import MLS
internal import NostrCore
internal import NostrNIPs

/// Events of the group, read as far as they can be.
extension GroupSession {
    mutating func receive(_ event: Event, now: Timestamp, _ effects: inout [SessionEffect]) {
        if waiting[event.id] == nil { waiting[event.id] = event }
        let size = event.content.utf8.count + Self.frame
        run(.received(RivalCommit(event), size: size), now: now, &effects)
    }

    /// What an event has besides its content, roughly; unit: bytes.
    private static let frame = 400

    /// What an event turns out to be; a message and a proposal are taken into the group.
    mutating func facts(of event: Event, now: Timestamp) -> GroupEventFacts {
        do {
            let opened = try group.profile.open(event, with: group.keyring, now: now)
            guard let epoch = opened.message.epoch?.epoch, epoch <= group.mls.epoch else { return .refused }
            let digest = digest(opened.message)
            // Nobody can read what they sent themselves, whatever event it comes in.
            if opened.message.isCommit, convergence.state.own.contains(where: { $0.facts.message == digest }) {
                return .commit(epoch: epoch, message: digest, removesUs: false)
            }
            if opened.message.isApplication { return try message(event, epoch, digest, now: now) }
            guard epoch < group.mls.epoch else { return try handshake(event, on: group, digest, now: now) }
            if let snapshot = snapshot(of: epoch) { return try handshake(event, on: snapshot, digest, now: now) }
            return opened.message.isCommit ? .uncheckedCommit(epoch: epoch, message: digest) : .refused
        } catch {
            return switch error.code {
            case .undecryptable: .undecryptable
            case .fromFuture: .unripe
            default: .refused
            }
        }
    }

    private mutating func message(
        _ event: Event, _ epoch: UInt64, _ digest: Bytes32, now: Timestamp
    ) throws(MarmotError) -> GroupEventFacts {
        guard case .message(let message) = try group.read(event, now: now) else { return .refused }
        changed.insert(epoch == group.mls.epoch ? .mls(.messageKeys) : .mls(.past(epoch)))
        reading.messages[event.id] = message
        return .application(epoch: epoch, message: digest, rumor: message.rumor.id)
    }

    /// A proposal or commit, read by a copy: the key of a commit is spent only when it is merged.
    private mutating func handshake(
        _ event: Event, on group: MarmotGroup, _ digest: Bytes32, now: Timestamp
    ) throws(MarmotError) -> GroupEventFacts {
        var copy = group
        let epoch = copy.mls.epoch
        switch try copy.read(event, now: now) {
        case .message: return .refused
        case .unripe(.proposal): return .unripe
        case .unripe(.commit):
            // Room was made for what it needs; that is in memory only, and made again after a start.
            if epoch == self.group.mls.epoch { self.group = copy } else { snapshots[epoch] = .read(copy) }
            return .incompleteCommit
        case .commit(let commit):
            reading.commits[event.id] = commit
            return .commit(epoch: epoch, message: digest, removesUs: commit.removesUs)
        case .proposal(_, let sender, let handling):
            if epoch == self.group.mls.epoch {
                self.group = copy
                changed.formUnion([.mls(.messageKeys), .mls(.proposals)])
                if handling == .commit, !convergence.state.messages.contains(digest), case .member(let place) = sender {
                    reading.leaving = copy.roster.members[place]
                }
            } else {
                snapshots[epoch] = .read(copy)
                changed.insert(.snapshot(epoch))
            }
            return .proposal(epoch: epoch, message: digest, isOursToCommit: handling == .commit)
        }
    }

    /// What tells two messages apart, whatever events they came in.
    func digest(_ message: MLSMessage) -> Bytes32 { hash(message.encoded) }

    private func hash(_ bytes: [UInt8]) -> Bytes32 {
        // A digest always has 32 bytes.
        (try? Bytes32(Array(SHA256.hash(data: bytes)).span)) ?? Bytes32()
    }
}
