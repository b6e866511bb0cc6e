/// What can be seen of a stored group.
extension StoredGroup {
    /// A copy to look at, for a policy that knows our groups, or to make a group that follows from this one.
    ///
    /// Nothing that a copy sends or opens is saved: what it sends would use keys that are used again.
    public var copy: Group { group }
    /// What all members agree on.
    public var context: GroupContext { group.context }
    /// The number of commits so far.
    public var epoch: UInt64 { group.epoch }
    /// The members and their places.
    public var members: [(index: LeafIndex, leaf: LeafNode)] { group.members }
    /// Our own place.
    public var ownIndex: LeafIndex { group.ownIndex }
    /// What members can compare to see that they are in the same epoch.
    public var epochAuthenticator: [UInt8] { group.epochAuthenticator }
    /// The parameters of the group that follows this one.
    public var successor: ReInit? { group.successor }

    /// A key for another purpose, the same for all members of the epoch.
    ///
    /// - Throws: `limitExceeded` for a count that is not 1 to 255 times the hash length.
    public func export(label: String, context: [UInt8], count: Int) throws(MLSError) -> [UInt8] {
        try group.export(label: label, context: context, count: count)
    }

    /// What somebody outside needs to join by their own commit.
    public func groupInfo(withTree: Bool = true) throws(MLSError) -> MLSMessage {
        try group.groupInfo(withTree: withTree)
    }

    /// What messages brought that the caller is not done with: to be asked for after a start.
    public var unfinished: [Received] { outcomes.values.filter { $0.ownCommit == nil }.map(\.received) }

    /// Our own commits of this epoch: to be sent once more after a start, for nobody knows whether they left.
    public var ownCommits: [OwnCommit] { outcomes.values.compactMap(\.ownCommit) }
}
