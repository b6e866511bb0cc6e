import Testing

@testable import MLS

/// Subgroups and groups that start again: RFC 9420 §11.2, §11.3.
@Suite struct SuccessionTests {
    /// Somebody's next key package, under a new signature key.
    private func next(_ name: String, _ suite: CipherSuite = .x25519AES128) throws -> OwnKeyPackage {
        try OwnKeyPackage(
            cipherSuite: suite, signer: SignaturePrivateKey(for: suite),
            credential: .basic(identity: Array(name.utf8)), capabilities: Scene.capabilities,
            lifetime: Lifetime(notBefore: 500, notAfter: 5_000))
    }

    /// A policy that tells people apart by their credential.
    private struct ByName: GroupPolicy {
        var groups: [[UInt8]: Group] = [:]
        func accepts(_ credential: Credential, of key: SignaturePublicKey) -> Bool { true }
        func group(_ groupID: [UInt8]) -> Group? { groups[groupID] }
    }

    /// Alice, Bob and Carol in a group whose members are told apart by name.
    private func circle() throws -> (alice: Group, bob: Group, carol: Group) {
        var alice = try Group(creating: [1], with: next("Alice"), policy: ByName())
        let packages = try ["Bob", "Carol"].map { try next($0) }
        let commit = try alice.commit(packages.map { .add($0.keyPackage) })
        try alice.merge(commit.staged)
        let welcome = try #require(commit.welcome)
        let joined = try packages.map { try Group(joining: welcome, with: $0, policy: ByName()) }
        return (alice, joined[0], joined[1])
    }

    @Test("some members branch off and talk")
    func branch() throws {
        let (alice, bob, _) = try circle()
        let package = try next("Bob")
        var (branch, welcome) = try alice.branch([2], with: next("Alice"), members: [package.keyPackage])
        var joined = try Group(joining: welcome, with: package, policy: ByName(groups: [bob.groupID: bob]))
        #expect(joined.epoch == 1 && joined.epochAuthenticator == branch.epochAuthenticator)
        let read = try joined.read(branch.encrypt([1]))
        #expect(read == [1])
        expectRefusal(.missingPSK, "", "a joiner who was not there") {
            _ = try Group(joining: welcome, with: package, policy: ByName())
        }
    }

    @Test("a subgroup can still be joined when the group has moved on, until the members of then are forgotten")
    func lateBranch() throws {
        var (alice, bob, _) = try circle()
        let package = try next("Bob")
        let (branch, welcome) = try alice.branch([2], with: next("Alice"), members: [package.keyPackage])
        bob.options.pastEpochs = 1
        for late in [false, true] {
            let commit = try alice.commit()
            try alice.merge(commit.staged)
            try bob.follow(commit.message)
            let policy = ByName(groups: [bob.groupID: bob])
            guard late else {
                let joined = try Group(joining: welcome, with: package, policy: policy)
                #expect(joined.epochAuthenticator == branch.epochAuthenticator)
                continue
            }
            expectRefusal(.missingPSK, "the group before is not known", "two epochs later") {
                _ = try Group(joining: welcome, with: package, policy: policy)
            }
        }
    }

    @Test("nobody makes a subgroup of strangers, of another suite, of nobody, or under the same id")
    func branchRefusals() throws {
        let (alice, _, _) = try circle()
        let bob = try next("Bob").keyPackage
        expectRefusal(.invalidKeyPackage, "of somebody who is no member", "a stranger") {
            _ = try alice.branch([2], with: next("Alice"), members: [next("Trudy").keyPackage])
        }
        expectRefusal(.invalidKeyPackage, "for another cipher suite", "another suite") {
            _ = try alice.branch([2], with: next("Alice", .x25519ChaCha20), members: [bob])
        }
        expectRefusal(.invalidCommit, "a group of nobody else", "alone") {
            _ = try alice.branch([2], with: next("Alice"), members: [])
        }
        expectRefusal(.wrongGroup, "the id is taken", "the same id") {
            _ = try alice.branch([1], with: next("Alice"), members: [bob])
        }
    }

    @Test("a group starts again under another suite, by whoever of its members", arguments: CipherSuite.supported)
    func startsAgain(suite: CipherSuite) throws {
        var (alice, bob, carol) = try circle()
        let parameters = ReInit(groupID: [3], cipherSuite: suite, extensions: [])
        let commit = try alice.commit([.reInit(parameters)])
        try alice.merge(commit.staged)
        try bob.follow(commit.message)
        try carol.follow(commit.message)
        let packages = try ["Alice", "Carol"].map { try next($0, suite) }
        let (again, welcome) = try bob.startAgain(with: next("Bob", suite), members: packages.map(\.keyPackage))
        for (old, package) in zip([alice, carol], packages) {
            let joined = try Group(joining: welcome, with: package, policy: ByName(groups: [old.groupID: old]))
            #expect(joined.epochAuthenticator == again.epochAuthenticator)
            #expect(joined.context.cipherSuite == suite && joined.groupID == [3])
        }
    }

    @Test("a group starts again only when it has ended, with the suite it should have, and with everybody")
    func startRefusals() throws {
        var (alice, _, _) = try circle()
        let (bob, carol) = (try next("Bob").keyPackage, try next("Carol").keyPackage)
        expectRefusal(.unexpectedMessage, "the group has not ended", "too early") {
            _ = try alice.startAgain(with: next("Alice"), members: [bob, carol])
        }
        try alice.merge(
            alice.commit([.reInit(ReInit(groupID: [3], cipherSuite: .x25519AES128, extensions: []))]).staged)
        expectRefusal(.invalidKeyPackage, "for another cipher suite", "another suite") {
            _ = try alice.startAgain(with: next("Alice", .x25519ChaCha20), members: [bob, carol])
        }
        expectRefusal(.invalidKeyPackage, "a member is missing", "without Carol") {
            _ = try alice.startAgain(with: next("Alice"), members: [bob])
        }
        expectRefusal(.invalidKeyPackage, "of somebody who is no member", "a stranger") {
            _ = try alice.startAgain(with: next("Alice"), members: [bob, carol, next("Trudy").keyPackage])
        }
    }

    @Test("a group that has ended sends nothing, takes no proposal and follows no commit, but reads what comes late")
    func ended() throws {
        var scene = try Scene.open()
        let late = try scene.carol.encrypt([5])
        let other = scene.carol
        let commit = try scene.alice.commit([.reInit(ReInit(groupID: [3], cipherSuite: .x25519AES128, extensions: []))])
        try scene.alice.merge(commit.staged)
        try scene.bob.follow(commit.message)
        let reason = "the group has ended by ReInit"
        let attempts: [(String, (inout Group) throws -> Void)] = [
            ("data", { _ = try $0.encrypt([1]) }),
            ("a proposal", { _ = try $0.propose(.remove(LeafIndex(2))) }),
            ("an Update", { _ = try $0.proposeUpdate() }),
            ("a commit", { _ = try $0.commit() }),
            ("a GroupInfo", { _ = try $0.groupInfo() }),
        ]
        for (what, attempt) in attempts {
            expectRefusal(.unexpectedMessage, reason, what) { try attempt(&scene.bob) }
        }
        expectRefusal(.unexpectedMessage, reason, "following a proposal") {
            _ = try scene.bob.process(scene.alice.forgeProposal(.remove(LeafIndex(2))))
        }
        expectRefusal(.unexpectedMessage, reason, "following a commit") {
            _ = try scene.bob.process(scene.alice.forgeCommit())
        }
        #expect(other.epoch + 1 == scene.bob.epoch)
        let read = try scene.bob.read(late)
        #expect(read == [5])
    }

    @Test("a resumption key of another group enters the key schedule, for who was in both")
    func otherGroup() throws {
        let (_, bob, carol) = try circle()
        var first = try Group(creating: [4], with: next("Bob"), policy: ByName(groups: [bob.groupID: bob]))
        let package = try next("Carol")
        let adding = try first.commit([.add(package.keyPackage)])
        try first.merge(adding.staged)
        let welcome = try #require(adding.welcome)
        var second = try Group(joining: welcome, with: package, policy: ByName(groups: [carol.groupID: carol]))
        var third = try Group(joining: welcome, with: package, policy: ByName())
        let key = PreSharedKeyID(
            source: .resumption(.application, groupID: [1], epoch: 1), nonce: [UInt8](repeating: 7, count: 32))
        let newcomer = try next("Dave")
        let commit = try first.commit([.preSharedKey(key), .add(newcomer.keyPackage)])
        try first.merge(commit.staged)
        try second.follow(commit.message)
        #expect(first.epochAuthenticator == second.epochAuthenticator)
        expectRefusal(.missingPSK, "", "who was in one only") { try third.follow(commit.message) }
        let invitation = try #require(commit.welcome)
        expectRefusal(.missingPSK, "", "a newcomer") {
            _ = try Group(joining: invitation, with: newcomer, policy: ByName())
        }
        let joined = try Group(joining: invitation, with: newcomer, policy: ByName(groups: [carol.groupID: carol]))
        #expect(joined.epochAuthenticator == first.epochAuthenticator)
    }
}
