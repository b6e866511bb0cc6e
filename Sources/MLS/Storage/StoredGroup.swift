/// A group whose every step is on the disk before what comes of it is handed out.
///
/// So no generation and no key is used twice, whenever the program ends: a ciphertext whose key is not known to be
/// spent never leaves. A step that cannot be saved has not happened. What a message brought is kept until
/// ``finish(_:)`` or ``merge(_:)``, and the same message brings it once more until then: nothing is lost between the
/// disk and the caller either. Two of these for one group, even in two programs, never both succeed: the later step
/// throws `conflict` and reads the group again.
public actor StoredGroup {
    private let storage: any MLSStorage
    private let policy: any GroupPolicy
    private let options: GroupOptions
    private let id: [UInt8]
    var group: Group
    private var revision: UInt64
    private(set) var outcomes: [[UInt8]: Outcome]
    /// What the caller is done with and the next step removes.
    private var finished: Set<GroupPart> = []
    /// Whether the last step failed on its way to the disk, so that what is there is not known.
    private var isUnknown = false
    private var isBusy = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ saved: SavedGroup, revision: UInt64, in store: MLSStore) throws(MLSError) {
        (storage, policy, options) = (store.storage, store.policy, store.options)
        group = try Group(saved, policy: store.policy, options: store.options)
        outcomes = try saved.outcomes(of: group)
        (id, self.revision) = (group.groupID, revision)
    }

    // MARK: - Sending

    /// Encrypts data of the application.
    ///
    /// - Throws: what ``Group/encrypt(_:authenticatedData:)`` throws, and what the storage throws.
    public func encrypt(_ data: [UInt8], authenticatedData: [UInt8] = []) async throws -> MLSMessage {
        try await step { (group) throws(MLSError) in
            (try group.encrypt(data, authenticatedData: authenticatedData), Step([.messageKeys]))
        }
    }

    /// Proposes a change.
    public func propose(_ proposal: Proposal, authenticatedData: [UInt8] = []) async throws -> MLSMessage {
        try await step { (group) throws(MLSError) in
            (try group.propose(proposal, authenticatedData: authenticatedData), Step([.messageKeys, .proposals]))
        }
    }

    /// Proposes new keys for our own leaf, `signer` among them if there is one; it is stored with the proposal.
    public func proposeUpdate(
        credential: Credential? = nil, signer: SignaturePrivateKey? = nil, authenticatedData: [UInt8] = []
    ) async throws -> MLSMessage {
        try await step { (group) throws(MLSError) in
            let message = try group.proposeUpdate(
                credential: credential, signer: signer, authenticatedData: authenticatedData)
            return (message, Step([.messageKeys, .proposals]))
        }
    }

    /// Commits proposals; the commit is among ``ownCommits`` until it is merged or finished.
    ///
    /// - Parameter signer: our key for signatures once it is merged. It is stored with the commit, and takes the place of
    ///   the one we have in the step that merges it.
    public func commit(
        _ changes: [Proposal] = [], withPending: Bool = true, freshKeys: Bool = true,
        signer: SignaturePrivateKey? = nil, treeInWelcome: Bool = true, authenticatedData: [UInt8] = []
    ) async throws -> OwnCommit {
        let keys = try await storage.preSharedKeys()
        return try await step { (group) throws(MLSError) in
            for (id, key) in keys { group.setPSK(key, id: id) }
            let commit = try group.commit(
                changes, withPending: withPending, freshKeys: freshKeys, signer: signer,
                treeInWelcome: treeInWelcome, authenticatedData: authenticatedData)
            let outcome = Outcome(.commit(commit.staged, own: (commit.message, commit.welcome)))
            return (commit, Step([.messageKeys], outcome: (group.digest(of: commit.message), outcome)))
        }
    }

    // MARK: - Receiving

    /// Opens a message for this group.
    ///
    /// A message whose outcome is still kept brings the same again; our own commit brings itself.
    ///
    /// - Throws: what ``Group/process(_:)`` throws, and what the storage throws.
    public func process(_ message: MLSMessage) async throws -> Received {
        do {
            return try await process(message, preSharedKeys: [:])
        } catch let error as MLSError where error.code == .missingPSK {
            return try await process(message, preSharedKeys: storage.preSharedKeys())
        }
    }

    /// Keeps room for the proposals that a commit names and that are not here.
    ///
    /// After a start the commit is read again and this called again: the room is not stored, what is in it is.
    ///
    /// - Throws: what ``Group/keepRoom(forProposalsOf:)`` throws.
    public func keepRoom(forProposalsOf message: MLSMessage) async throws {
        await begin()
        defer { end() }
        if isUnknown { try await readAgain() }
        try group.keepRoom(forProposalsOf: message)
    }

    /// What is kept is looked for inside the step: only then is it known what the steps before it left.
    private func process(
        _ message: MLSMessage, preSharedKeys keys: [[UInt8]: [UInt8]]
    ) async throws -> Received {
        try await step { (group) throws(MLSError) in
            let digest = group.digest(of: message)
            if let known = outcomes[digest] { return (known.received, nil) }
            for (id, key) in keys { group.setPSK(key, id: id) }
            let received = try group.process(message)
            switch received {
            case .proposal: return (received, Step([.messageKeys, .proposals]))
            case .commit(let staged):
                return (received, Step([.messageKeys], outcome: (digest, Outcome(.commit(staged, own: nil)))))
            case .application(let data):
                let part = data.epoch == group.epoch ? GroupPart.messageKeys : .past(data.epoch)
                return (received, Step([part], outcome: (digest, Outcome(.application(data)))))
            }
        }
    }

    /// Enters the next epoch; all commits that were staged on this one are gone, and so are the secrets of this one.
    ///
    /// - Throws: what ``Group/merge(_:)`` throws, and what the storage throws.
    public func merge(_ staged: StagedCommit) async throws {
        try await step { (group) throws(MLSError) in
            let past = Set(group.past.map { GroupPart.past($0.epoch) })
            try group.merge(staged)
            let kept = Set(group.past.map { GroupPart.past($0.epoch) })
            var step = Step([.epoch, .messageKeys, .proposals] + kept.subtracting(past))
            step.removed = past.subtracting(kept)
            step.endsCommits = true
            return ((), step)
        }
    }

    /// Says that what a message brought is in good hands, or that a commit is not wanted.
    ///
    /// What was kept of it is removed with the next step; if the program ends before, it is there once more.
    public func finish(_ message: MLSMessage) {
        let digest = group.digest(of: message)
        guard outcomes.removeValue(forKey: digest) != nil else { return }
        finished.insert(.outcome(digest))
    }

    // MARK: - Steps

    /// What a step changed.
    private struct Step {
        let parts: [GroupPart]
        var removed: Set<GroupPart> = []
        var outcome: (digest: [UInt8], Outcome)?
        var endsCommits = false

        init(_ parts: [GroupPart], outcome: (digest: [UInt8], Outcome)? = nil) {
            (self.parts, self.outcome) = (parts, outcome)
        }
    }

    /// Takes a step on a copy, saves it, and only then takes the copy for the group.
    ///
    /// - Parameter work: gives no step if nothing changed.
    private func step<Value>(
        _ work: (inout Group) throws(MLSError) -> (Value, Step?)
    ) async throws -> Value {
        await begin()
        defer { end() }
        if isUnknown { try await readAgain() }
        var next = group
        let (value, change) = try work(&next)
        guard let step = change else { return value }
        // Those rest by themselves, so that one that is removed is in no group either.
        next.psks.external = [:]
        var remove = finished.union(step.removed)
        if step.endsCommits { for (digest, one) in outcomes where one.isCommit { remove.insert(.outcome(digest)) } }
        var put: [GroupPart: [UInt8]] = [:]
        for part in step.parts { put[part] = next.encoded(part) }
        if let (digest, outcome) = step.outcome { put[.outcome(digest)] = outcome.encoded }
        remove.subtract(put.keys)
        isUnknown = true
        try await storage.apply([.updateGroup(id, from: revision, put: put, remove: remove)])
        isUnknown = false
        (group, revision) = (next, revision + 1)
        if step.endsCommits { outcomes = outcomes.filter { !$0.value.isCommit } }
        if let (digest, outcome) = step.outcome { outcomes[digest] = outcome }
        finished.subtract(remove)
        return value
    }

    private func readAgain() async throws {
        guard let (saved, revision) = try await storage.group(id) else {
            throw MLSError(.conflict, "the group is not there any more")
        }
        group = try Group(saved, policy: policy, options: options)
        outcomes = try saved.outcomes(of: group)
        (self.revision, isUnknown, finished) = (revision, false, [])
    }

    /// Steps are taken one after the other, in the order they were asked for.
    private func begin() async {
        guard isBusy else {
            isBusy = true
            return
        }
        await withCheckedContinuation { waiting.append($0) }
    }

    private func end() {
        if waiting.isEmpty { isBusy = false } else { waiting.removeFirst().resume() }
    }
}
