public import MLS
internal import NostrCore
internal import NostrNIPs

/// A session as bytes, in parts, and back; they hold every secret of the group.
extension GroupSession {
    /// What is to be stored of this step, all at once: bytes, or nothing for what is to be removed.
    public mutating func takeChanges() -> [SessionPart: [UInt8]?] {
        var changes: [SessionPart: [UInt8]?] = [:]
        if changed.contains(.convergence) { rememberStretches(&changes) }
        let parts = changed.contains { if case .mls = $0 { true } else { false } } ? group.mls.saved.parts : [:]
        for part in changed { changes.updateValue(bytes(of: part, mls: parts), forKey: part) }
        changed = []
        return changes
    }

    private func bytes(of part: SessionPart, mls parts: [GroupPart: [UInt8]]) -> [UInt8]? {
        switch part {
        case .mls(let part): parts[part]
        case .keyring: group.keyring.encoded
        case .convergence: convergence.state.core
        case .memory: nil
        case .snapshot(let epoch): snapshots[epoch].map(\.saved)
        case .ownCommit(let id): own[id].map(\.saved)
        case .waiting(let id):
            convergence.state.waiting[id]?.isKept == true ? waiting[id].map(\.json) : nil
        case .wanted: savedWishes
        case .bindings: bindings.encoded
        }
    }

    private var savedWishes: [UInt8] {
        var writer = Writer()
        writer.vector(wanted) { $1.write(to: &$0) }
        writer.maybe(askedToLeaveIn) { $0.opaque($1) }
        return writer.bytes
    }

    private mutating func rememberStretches(_ changes: inout [SessionPart: [UInt8]?]) {
        let memories: [WritableKeyPath<ConvergenceState, Recent>] = [\.events, \.messages, \.rumors]
        for (sort, path) in memories.enumerated() {
            let memory = convergence.state[keyPath: path]
            for stretch in memory.changed {
                let (first, ids) = memory[stretch: stretch]
                var writer = Writer()
                writer.integer(first)
                writer.vector(ids) { $0.fixed($1.array) }
                changes[.memory(UInt8(sort), slot: memory.slot(of: stretch))] = writer.bytes
            }
            convergence.state[keyPath: path].wereSaved()
        }
    }

    /// A session from its saved parts; then give it ``SessionInput/restarted``.
    ///
    /// - Throws: `refusedByMLS` or `malformed` for parts that are damaged or do not belong together.
    public init(
        _ parts: [SessionPart: [UInt8]], profile: any MarmotProfile, policy: any GroupPolicy,
        limits: SessionLimits = SessionLimits()
    ) throws(MarmotError) {
        var mls: [GroupPart: [UInt8]] = [:]
        for (part, bytes) in parts { if case .mls(let name) = part { mls[name] = bytes } }
        let keyring = parts[.keyring] ?? []
        group = try MarmotGroup(SavedGroup(mls), keyring: keyring, profile: profile, policy: policy)
        var state = try throughMLS("What a session knows cannot be read.", .malformed) { () throws(MLSError) in
            try ConvergenceState(bytes: parts[.convergence] ?? [])
        }
        try state.remember(parts, limit: limits.remembered)
        convergence = Convergence(state, profile: profile, limits: limits.inTurn(at: group.mls.ownIndex))
        for (part, bytes) in parts {
            guard case .snapshot(let epoch) = part else { continue }
            snapshots[epoch] = .saved(bytes, policy: policy)
        }
        try throughMLS("A part of a session cannot be read.", .malformed) { () throws(MLSError) in
            try readRest(parts)
        }
        // One that was stored before leaves were told apart has none.
        if parts[.bindings] == nil { bindingsDidChange() }
    }

    private mutating func readRest(_ parts: [SessionPart: [UInt8]]) throws(MLSError) {
        for (part, bytes) in parts {
            var reader = Reader(bytes)
            switch part {
            case .ownCommit(let id):
                own[id] = try OwnCommitRecord(from: &reader)
            case .waiting(let id):
                let event = try reader.rest()
                do { waiting[id] = try Event(verifying: UnverifiedEvent(json: event)) } catch {
                    throw MLSError.malformed("an event that is none")
                }
            case .wanted:
                wanted = try reader.vector { (one) throws(MLSError) in try GroupChange(from: &one) }
                askedToLeaveIn = try reader.maybe { (one) throws(MLSError) in try one.opaque() }
            case .bindings: bindings = try LeafBindings(from: &reader)
            case .mls, .keyring, .convergence, .memory, .snapshot: break
            }
        }
    }
}

extension ConvergenceState {
    /// All but what is remembered, which rests apart.
    fileprivate var core: [UInt8] {
        var writer = Writer()
        write(to: &writer, withMemory: false)
        return writer.bytes
    }

    fileprivate mutating func remember(_ parts: [SessionPart: [UInt8]], limit: Int) throws(MarmotError) {
        var stretches: [UInt8: [(first: UInt64, ids: [Bytes32])]] = [:]
        for (part, bytes) in parts {
            guard case .memory(let sort, _) = part else { continue }
            let stretch = try throughMLS("What is remembered cannot be read.", .malformed) { () throws(MLSError) in
                var reader = Reader(bytes)
                let first = try reader.integer(UInt64.self)
                return (first, try reader.vector { (one) throws(MLSError) in try one.bytes32() })
            }
            stretches[sort, default: []].append(stretch)
        }
        events = Recent(limit: limit, stretches: stretches[0] ?? [])
        messages = Recent(limit: limit, stretches: stretches[1] ?? [])
        rumors = Recent(limit: limit, stretches: stretches[2] ?? [])
    }
}

extension OwnCommitRecord {
    var saved: [UInt8] {
        var writer = Writer()
        writer.event(event)
        change.write(to: &writer)
        writer.integer(epoch)
        writer.vector(welcomes) {
            $0.fixed($1.person.bytes.array)
            $0.text($1.rumor.json)
        }
        writer.opaque(commit?.bytes ?? [])
        return writer.bytes
    }

    init(from reader: inout Reader) throws(MLSError) {
        event = try reader.event()
        change = try GroupChange(from: &reader)
        epoch = try reader.integer()
        welcomes = try reader.vector { (one) throws(MLSError) in
            let person = PublicKey(try one.bytes32())
            let text = try one.text()
            do { return Welcoming(person: person, rumor: try Rumor(json: text)) } catch {
                throw MLSError.malformed("a rumor that is none")
            }
        }
        let staged = try reader.opaque()
        if !staged.isEmpty { commit = .saved(staged) }
    }
}
