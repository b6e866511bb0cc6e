/// All groups, key packages and pre-shared keys of one person, kept in some storage.
public struct MLSStore: Sendable {
    let storage: any MLSStorage
    let policy: any GroupPolicy
    let options: GroupOptions

    /// A store.
    ///
    /// - Parameters:
    ///   - policy: for all groups of it.
    ///   - options: for all groups of it.
    public init(_ storage: any MLSStorage, policy: any GroupPolicy, options: GroupOptions = GroupOptions()) {
        (self.storage, self.policy, self.options) = (storage, policy, options)
    }

    // MARK: - Key packages

    /// Keeps a key package; publish it afterwards.
    public func keep(_ keyPackage: OwnKeyPackage) async throws {
        try await storage.apply([.putKeyPackage(keyPackage.keyPackage.reference(), keyPackage.encoded)])
    }

    /// A key package that is kept.
    public func keyPackage(_ reference: KeyPackageRef) async throws -> OwnKeyPackage? {
        try await storage.keyPackage(reference).map { try OwnKeyPackage(bytes: $0) }
    }

    /// The key packages that are kept.
    public func keyPackages() async throws -> [KeyPackageRef] { try await storage.keyPackages() }

    /// Forgets a key package, for instance one that is over.
    public func removeKeyPackage(_ reference: KeyPackageRef) async throws {
        try await storage.apply([.removeKeyPackage(reference)])
    }

    // MARK: - Pre-shared keys

    /// Keeps an external pre-shared key for all groups.
    public func setPSK(_ key: [UInt8], id: [UInt8]) async throws {
        try await storage.apply([.putPreSharedKey(id: id, key)])
    }

    /// Forgets an external pre-shared key.
    public func removePSK(id: [UInt8]) async throws { try await storage.apply([.removePreSharedKey(id: id)]) }

    // MARK: - Groups

    /// The ids of all groups.
    public func groups() async throws -> [[UInt8]] { try await storage.groups() }

    /// A group that is kept.
    ///
    /// - Throws: what ``Group/init(_:policy:options:)`` throws for a damaged one, and what the storage throws.
    public func group(_ id: [UInt8]) async throws -> StoredGroup? {
        guard let (saved, revision) = try await storage.group(id) else { return nil }
        return try StoredGroup(saved, revision: revision, in: self)
    }

    /// Makes a group of one member.
    ///
    /// - Throws: `conflict` if there is a group of this id.
    public func create(
        _ id: [UInt8], with own: OwnKeyPackage, extensions: [Extension] = []
    ) async throws -> StoredGroup {
        try await add(Group(creating: id, with: own, extensions: extensions, policy: policy, options: options))
    }

    /// Joins by a Welcome, with the key package of ours that it names.
    ///
    /// The key package goes in the same step, unless it says that it is the last resort.
    ///
    /// - Throws: `missingKey` if no key package of ours is named, `conflict` if we are in a group of this id, or what
    ///   joining throws.
    public func join(_ welcome: Welcome, tree: [UInt8]? = nil) async throws -> StoredGroup {
        for reference in welcome.newMembers {
            guard let own = try await keyPackage(reference) else { continue }
            var group = try Group(
                joining: welcome, with: own, tree: tree, psks: await storage.preSharedKeys(), policy: policy,
                options: options)
            group.psks.external = [:]
            let isLastResort = own.keyPackage.extensions.contains { $0.type == .lastResort }
            return try await add(group, besides: isLastResort ? [] : [.removeKeyPackage(reference)])
        }
        throw MLSError(.missingKey, "the Welcome is for none of our key packages")
    }

    /// Joins by a commit of our own, which is to be sent.
    ///
    /// The commit is not kept: if the program ends before it is sent, or another is accepted first, join again and
    /// replace what was joined.
    ///
    /// - Parameters:
    ///   - former: our own place, if we were a member and come back.
    ///   - replacing: whether what is kept of the group gives way, in the same step. Messages that it opened stay until
    ///     ``StoredGroup/finish(_:)``; its keys go, and with them what could open late messages of the former state.
    ///   - psks: stored pre-shared keys by id that we bring in.
    ///   - leaving: the SelfRemove proposals of members in the epoch of the GroupInfo.
    /// - Throws: `missingPSK`; `conflict` if there is a group of this id and it is not replaced, or changes meanwhile; what joining
    ///   throws, and what the storage throws.
    public func join(
        _ groupInfo: MLSMessage, with own: OwnKeyPackage, tree: [UInt8]? = nil, former: LeafIndex? = nil,
        replacing: Bool = false, psks: Set<[UInt8]> = [], leaving: [MLSMessage] = []
    ) async throws -> (group: StoredGroup, commit: MLSMessage) {
        let known = try await storage.preSharedKeys()
        guard psks.isSubset(of: known.keys) else { throw MLSError(.missingPSK) }
        var (group, commit) = try Group.join(
            groupInfo, with: own, tree: tree, former: former, psks: known.filter { psks.contains($0.key) },
            leaving: leaving, policy: policy, options: options)
        group.psks.external = [:]
        return (try await replacing ? replace(group) : add(group), commit)
    }

    /// Keeps a group that was made in another way, such as one that follows from another.
    ///
    /// - Throws: `conflict` if there is a group of this id.
    public func add(_ group: Group) async throws -> StoredGroup { try await add(group, besides: []) }

    /// Forgets a group with all its secrets.
    public func remove(_ id: [UInt8]) async throws { try await storage.apply([.removeGroup(id)]) }

    private func add(_ group: Group, besides changes: [StorageChange]) async throws -> StoredGroup {
        let saved = group.saved
        try await storage.apply(changes + [.createGroup(group.groupID, saved)])
        return try StoredGroup(saved, revision: 1, in: self)
    }

    /// Keeps a group instead of the one of its id; whoever has that one open finds out at their next step.
    private func replace(_ group: Group) async throws -> StoredGroup {
        guard let (former, revision) = try await storage.group(group.groupID) else { return try await add(group) }
        let saved = group.saved
        // What does not read as a message that was opened leads nowhere from here.
        let opened = former.parts.filter { part, bytes in
            guard case .outcome = part, let outcome = try? Outcome(bytes, of: group) else { return false }
            return !outcome.isCommit
        }
        let gone = Set(former.parts.keys).subtracting(saved.parts.keys).subtracting(opened.keys)
        try await storage.apply([.updateGroup(group.groupID, from: revision, put: saved.parts, remove: gone)])
        let all = SavedGroup(saved.parts.merging(opened) { new, _ in new })
        return try StoredGroup(all, revision: revision + 1, in: self)
    }
}
