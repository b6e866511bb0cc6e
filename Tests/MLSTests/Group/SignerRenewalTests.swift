import Testing

@testable import MLS

/// A member's key for signatures changes in place: RFC 9420 §6.1, §7.2, §7.3, §12.1.2, §12.4.
@Suite struct SignerRenewalTests {
    private static func signer(_ suite: CipherSuite = .x25519AES128) throws -> SignaturePrivateKey {
        try SignaturePrivateKey(for: suite)
    }

    @Test(
        "a commit brings a new key, all go on with it, and who joins by it believes it",
        arguments: CipherSuite.supported)
    func byCommit(suite: CipherSuite) throws {
        var alice = try Person("Alice", suite).create()
        let (second, third) = (try Person("Bob", suite).keyPackage(), try Person("Carol", suite).keyPackage())
        let adding = try alice.commit([.add(second.keyPackage)])
        try alice.merge(adding.staged)
        var bob = try Group(joining: #require(adding.welcome), with: second, policy: TrustEverybody())
        let (old, new) = (alice.signer.publicKey, try Self.signer(suite))
        let late = try alice.encrypt([1])
        let commit = try alice.commit([.add(third.keyPackage)], signer: new)
        #expect(alice.signer.publicKey == old, "It is staged only.")
        let early = try alice.encrypt([2])
        try bob.follow(commit.message)
        try alice.merge(commit.staged)
        var carol = try Group(joining: #require(commit.welcome), with: third, policy: TrustEverybody())
        for group in [alice, bob, carol] { #expect(group.tree.leaf(LeafIndex(0))?.signatureKey == new.publicKey) }
        #expect(alice.signer.publicKey == new.publicKey)
        let message = try alice.encrypt([3])
        #expect(try bob.read(message) == [3])
        #expect(try carol.read(message) == [3])
        // What was said before is still believed, by the key of then.
        #expect(try bob.read(late) == [1])
        #expect(try bob.read(early) == [2])
        // Whoever joins by a GroupInfo of the new epoch believes the new key too.
        let (dave, joining) = try Group.join(
            alice.groupInfo(), with: Person("Dave", suite).keyPackage(), policy: TrustEverybody())
        try alice.follow(joining)
        #expect(alice.epochAuthenticator == dave.epochAuthenticator)
    }

    @Test("a commit that needs no path has one if it brings a new key")
    func forcesPath() throws {
        var scene = try Scene.open()
        let new = try Self.signer()
        let commit = try scene.alice.commit([.add(scene.eve.keyPackage)], freshKeys: false, signer: new)
        try scene.bob.follow(commit.message)
        #expect(scene.bob.tree.leaf(LeafIndex(0))?.signatureKey == new.publicKey)
        // The key we have is no new one, and changes nothing.
        let same = try scene.bob.commit(signer: scene.bob.signer)
        #expect(same.staged.next.member?.renewedSigner == nil)
    }

    @Test("a key that is proposed is ours once somebody's commit of it is merged, and forgotten with the epoch")
    func byProposal() throws {
        var scene = try Scene.open()
        let (old, new, other) = (scene.carol.signer.publicKey, try Self.signer(), try Self.signer())
        var forgetful = scene
        let updates = try [
            scene.carol.proposeUpdate(signer: other), scene.carol.proposeUpdate(),
            scene.carol.proposeUpdate(signer: new),
        ]
        #expect(scene.carol.signer.publicKey == old && scene.carol.updateSigners.count == 2)
        for update in updates { _ = try scene.alice.process(update) }
        // The last of them is committed.
        let commit = try scene.alice.commit()
        guard case .commit(let staged) = try scene.carol.process(commit.message) else { throw MLSError(.malformed) }
        #expect(scene.carol.signer.publicKey == old, "It is staged only.")
        try scene.carol.merge(staged)
        try scene.alice.merge(commit.staged)
        #expect(scene.carol.signer.publicKey == new.publicKey && scene.carol.updateSigners.isEmpty)
        #expect(try scene.alice.read(scene.carol.encrypt([1])) == [1])

        _ = try forgetful.carol.proposeUpdate(signer: new)
        try forgetful.carol.follow(forgetful.alice.commit().message)
        #expect(forgetful.carol.signer.publicKey == old && forgetful.carol.updateSigners.isEmpty)
    }

    static let refused: [Refusal] = [
        Refusal("a commit signed by the new key", .badSignature, "of a message") { scene in
            let new = try signer()
            let path = try scene.alice.forgedPath {
                try $0.with(signatureKey: new.publicKey)
                    .signed(by: new, groupID: scene.alice.groupID, at: LeafIndex(0))
            }
            _ = try scene.bob.process(scene.alice.forge(.commit(Commit(proposals: [], path: path)), key: new))
        },
        Refusal("a new leaf signed by the old key", .badSignature, "of a leaf") { scene in
            let new = try signer()
            let path = try scene.alice.forgedPath { $0.with(signatureKey: new.publicKey) }
            _ = try scene.bob.process(scene.alice.forgeCommit(path: path))
        },
        Refusal("the key of another member", .invalidCommit, "two leaves have one signature key") { scene in
            let path = try scene.alice.forgedPath {
                try $0.with(signatureKey: scene.dave.signer.publicKey)
                    .signed(by: scene.dave.signer, groupID: scene.alice.groupID, at: LeafIndex(0))
            }
            _ = try scene.bob.process(scene.alice.forgeCommit(path: path))
        },
        Refusal("the key of somebody the commit adds", .invalidCommit, "two leaves have one signature key") { scene in
            let add = Proposal.add(scene.eve.keyPackage)
            let path = try scene.alice.forgedPath(after: [add]) {
                try $0.with(signatureKey: scene.eve.signer.publicKey)
                    .signed(by: scene.eve.signer, groupID: scene.alice.groupID, at: LeafIndex(0))
            }
            _ = try scene.bob.process(scene.alice.forgeCommit([add], path: path))
        },
        Refusal("our own choice of another member's", .invalidKey, "another member signs with this key") { scene in
            _ = try scene.alice.commit(signer: scene.dave.signer)
        },
        Refusal("our own choice of a new member's", .invalidKey, "another member signs with this key") { scene in
            _ = try scene.alice.commit([.add(scene.eve.keyPackage)], signer: scene.eve.signer)
        },
        Refusal("our own choice in a proposal", .invalidKey, "another member signs with this key") { scene in
            _ = try scene.alice.proposeUpdate(signer: scene.dave.signer)
        },
        Refusal("a key of another suite", .invalidKey, "for signatures, of another suite") { scene in
            _ = try scene.alice.commit(signer: signer(.p256AES128))
        },
        Refusal("a key of another suite in a proposal", .invalidKey, "for signatures, of another suite") { scene in
            _ = try scene.alice.proposeUpdate(signer: signer(.p384AES256))
        },
        Refusal("a credential that is not believed", .refusedByPolicy, "a credential") { scene in
            _ = try scene.alice.proposeUpdate(credential: ScenePolicy.disbelieved, signer: signer())
        },
        Refusal("a message by the new key before the merge", .badSignature, "of a message") { scene in
            let new = try signer()
            _ = try scene.bob.process(scene.alice.commit(signer: new).message)
            _ = try scene.bob.process(scene.alice.forge(.application([1]), as: .privateMessage, key: new))
        },
        Refusal("a message by the old key after the merge", .badSignature, "of a message") { scene in
            let (old, commit) = (scene.alice.signer, try scene.alice.commit(signer: signer()))
            try scene.bob.follow(commit.message)
            try scene.alice.merge(commit.staged)
            _ = try scene.bob.process(scene.alice.forge(.application([1]), as: .privateMessage, key: old))
        },
        Refusal("a late message by the new key", .badSignature, "of a message") { scene in
            let new = try signer()
            let late = try scene.alice.forge(.application([1]), as: .privateMessage, key: new)
            try scene.bob.follow(scene.alice.commit(signer: new).message)
            _ = try scene.bob.process(late)
        },
    ]

    @Test("is refused:", arguments: refused)
    func refuses(rule: Refusal) throws { try rule.check() }

    @Test("an Update to the key of another member is left out of our commits")
    func leavesOut() throws {
        var scene = try Scene.open()
        let key = try scene.carol.algorithms.generateKeyPair().publicKey
        let leaf = try scene.carol.ownLeaf(key, source: .update, signer: scene.dave.signer)
        _ = try scene.bob.accept(scene.carol.forgeProposal(.update(leaf)))
        _ = try scene.bob.accept(scene.dave.proposeUpdate())
        #expect(try scene.bob.commit().staged.updated == [LeafIndex(3)])
    }

    /// Believes a member only with keys it knows.
    private struct KnowsKeys: GroupPolicy {
        let keys: Set<SignaturePublicKey>

        func accepts(_ credential: Credential, of key: SignaturePublicKey) -> Bool { keys.contains(key) }
    }

    @Test("the policy is asked about the new key, by us and by who follows")
    func asksPolicy() throws {
        let scene = try Scene.open()
        let (known, unknown) = (try Self.signer(), try Self.signer())
        let all = Set(scene.alice.members.map(\.leaf.signatureKey)).union([known.publicKey])
        func with(_ group: Group) throws -> Group {
            try Group(group.saved, policy: KnowsKeys(keys: all), options: group.options)
        }
        var (alice, bob, careless) = (try with(scene.alice), try with(scene.bob), scene.alice)
        expectRefusal(.refusedByPolicy, "a credential", "ours") { _ = try alice.commit(signer: unknown) }
        expectRefusal(.refusedByPolicy, "a credential", "theirs") {
            _ = try bob.process(careless.commit(signer: unknown).message)
        }
        try bob.follow(alice.commit(signer: known).message)
    }
}
