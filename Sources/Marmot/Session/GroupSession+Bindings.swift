internal import MLS
public import NostrCore
internal import NostrNIPs

/// Whose leaves are whose.
extension GroupSession {
    /// The leaf a message came from; nil for one that is long gone.
    public func leaf(of message: GroupMessage) -> LeafID? {
        bindings[.init(message.rumor.pubkey, message.signatureKey)]
    }

    /// Whether a leaf is known to be its person's.
    public func isProven(_ leaf: LeafID) -> Bool { bindings.isProven(leaf) }

    /// Members of whom a leaf in the group is not known to be theirs.
    public var unprovenPeople: Set<PublicKey> {
        Set(claims(of: group.roster).values.filter { !(bindings[$0].map(bindings.isProven) ?? false) }.map(\.person))
    }

    /// Takes the event by which somebody published the key package of a leaf; gives whether that is news.
    ///
    /// How old it is does not matter: a leaf outlives the key package it came with.
    public mutating func prove(by event: Event) -> Bool {
        // Whatever else it may be, it proves nothing.
        guard let package = try? group.profile.keyPackage(in: event, now: event.createdAt) else { return false }
        let claim = LeafBindings.Claim(package.owner, package.keyPackage.leafNode.signatureKey)
        guard bindings[claim] != nil, bindings.prove(claim) else { return false }
        changed.insert(.bindings)
        return true
    }

    /// Takes the Welcome by which we came: the leaf that signed it is that of the person who sealed it.
    public mutating func prove(by invitation: Invitation) {
        let place = invitation.signer
        guard let key = group.roster.signatureKeys[place], group.roster.members[place] == invitation.rumor.inviter
        else { return }
        if bindings.prove(.init(invitation.rumor.inviter, key)) { changed.insert(.bindings) }
    }

    /// Keeps what is known from when we were in the same group before.
    public mutating func keepBindings(of former: GroupSession?) {
        guard let former, former.groupID == groupID else { return }
        bindings = former.bindings
        bindingsDidChange()
    }

    /// All leaves are known, and ours is ours.
    mutating func bindingsDidChange() {
        let claims = claims(of: group.roster)
        for claim in claims.values { bindings.meet(claim) }
        if let own = claims[group.mls.ownIndex] { bindings.prove(own) }
        bindings.forget(besides: Set(claims.values))
        changed.insert(.bindings)
    }

    /// A commit was merged: leaves that renewed their keys stay what they are.
    mutating func passBindings(_ commit: AllowedCommit) {
        let (before, after) = (claims(of: commit.before), claims(of: commit.after))
        let (added, updated) = (Set(commit.staged.added), Set(commit.staged.updated))
        for (place, claim) in after {
            let isRenewed = commit.staged.committer == .member(place) || updated.contains(place)
            if isRenewed, !added.contains(place), let old = before[place] {
                bindings.pass(from: old, to: claim)
            } else {
                bindings.meet(claim)
            }
        }
        bindingsDidChange()
    }

    private func claims(of roster: Roster) -> [LeafIndex: LeafBindings.Claim] {
        var claims: [LeafIndex: LeafBindings.Claim] = [:]
        for (place, person) in roster.members {
            claims[place] = roster.signatureKeys[place].map { LeafBindings.Claim(person, $0) }
        }
        return claims
    }
}
