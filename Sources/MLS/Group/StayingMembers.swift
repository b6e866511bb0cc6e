/// What those have together who are members before and after a commit, and those it adds.
struct StayingMembers {
    private var encryptionKeys: Set<HPKEPublicKey> = []
    private var signatureKeys: Set<SignaturePublicKey> = []
    private var credentials: Set<CredentialType> = []
    /// What all support.
    private var common: Capabilities?
    /// What all support who process the commit.
    private var old: Capabilities?

    init(_ tree: RatchetTree, without removed: Set<LeafIndex>, and added: [KeyPackage]) {
        for place in 0..<tree.size.nodes {
            guard let node = tree[NodeIndex(place)] else { continue }
            guard case .leaf(let leaf) = node else {
                encryptionKeys.insert(node.encryptionKey)
                continue
            }
            if !removed.contains(LeafIndex(place / 2)) { enter(leaf) }
        }
        old = common
        for keyPackage in added {
            enter(keyPackage.leafNode)
            encryptionKeys.insert(keyPackage.initKey)
        }
    }

    private mutating func enter(_ leaf: LeafNode) {
        encryptionKeys.insert(leaf.encryptionKey)
        signatureKeys.insert(leaf.signatureKey)
        credentials.insert(leaf.credential.type)
        common = common?.shared(with: leaf.capabilities) ?? leaf.capabilities
    }

    func allSupport(_ type: ProposalType) -> Bool { old?.supports(type) ?? true }

    func meet(_ requirements: GroupRequirements) -> Bool {
        guard let common else { return true }
        do {
            try requirements.check(common)
            return true
        } catch {
            return false
        }
    }

    /// Takes a new leaf in, if its keys are new and all know each other's credentials.
    ///
    /// - Parameter former: the leaf it replaces, whose key for signatures it may keep.
    mutating func admit(_ leaf: LeafNode, after former: LeafNode?, initKey: HPKEPublicKey?) -> Bool {
        let keys = [leaf.encryptionKey] + (initKey.map { [$0] } ?? [])
        guard Set(keys).count == keys.count, encryptionKeys.isDisjoint(with: keys),
            leaf.signatureKey == former?.signatureKey || !signatureKeys.contains(leaf.signatureKey),
            common?.credentials.contains(leaf.credential.type) ?? true,
            credentials.isSubset(of: leaf.capabilities.credentials)
        else { return false }
        enter(leaf)
        encryptionKeys.formUnion(keys)
        return true
    }
}

extension Capabilities {
    /// What both support.
    fileprivate func shared(with other: Capabilities) -> Capabilities {
        func both<Value: Hashable>(_ one: [Value], _ two: [Value]) -> [Value] { one.filter(Set(two).contains) }
        return Capabilities(
            versions: both(versions, other.versions), cipherSuites: both(cipherSuites, other.cipherSuites),
            extensions: both(extensions, other.extensions), proposals: both(proposals, other.proposals),
            credentials: both(credentials, other.credentials))
    }
}
