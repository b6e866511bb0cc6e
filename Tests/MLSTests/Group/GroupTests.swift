import Testing

@testable import MLS

@Suite struct GroupTests {
    /// A group of two.
    private func pair(_ suite: CipherSuite = .x25519AES128) throws -> (alice: Group, bob: Group) {
        var alice = try Person("Alice", suite).create()
        let package = try Person("Bob", suite).keyPackage()
        let commit = try alice.commit([.add(package.keyPackage)])
        try alice.merge(commit.staged)
        let bob = try Group(joining: #require(commit.welcome), with: package, policy: TrustEverybody())
        return (alice, bob)
    }

    @Test("two talk, a third joins, one leaves", arguments: CipherSuite.supported)
    func conversation(suite: CipherSuite) throws {
        var (alice, bob) = try pair(suite)
        #expect(alice.epochAuthenticator == bob.epochAuthenticator)
        let hello = try alice.encrypt([1, 2, 3])
        #expect(try MLSMessage(bytes: hello.encoded) == hello)
        let read = try bob.read(hello)
        #expect(read == [1, 2, 3])

        let package = try Person("Carol", suite).keyPackage()
        let adding = try bob.commit([.add(package.keyPackage)], treeInWelcome: false)
        try alice.follow(adding.message)
        try bob.merge(adding.staged)
        var carol = try Group(
            joining: #require(adding.welcome), with: package, tree: bob.tree.list.encoded, policy: TrustEverybody())
        #expect(carol.epochAuthenticator == alice.epochAuthenticator)
        let update = try alice.proposeUpdate()
        _ = try bob.process(update)
        _ = try carol.process(update)
        #expect(throws: MLSError(.unexpectedMessage)) { try bob.encrypt([1]) }
        let updating = try carol.commit()
        try alice.follow(updating.message)
        try bob.follow(updating.message)
        try carol.merge(updating.staged)
        #expect(Set([alice, bob, carol].map(\.epochAuthenticator)).count == 1)

        let removing = try carol.commit([.remove(bob.ownIndex)])
        guard case .commit(let staged) = try bob.process(removing.message) else { throw MLSError(.malformed) }
        #expect(staged.removesUs)
        #expect(throws: MLSError(.unexpectedMessage)) { try bob.merge(staged) }
        try alice.follow(removing.message)
        try carol.merge(removing.staged)
        let exported = try alice.export(label: "test", context: [1], count: 40)
        #expect(try carol.export(label: "test", context: [1], count: 40) == exported)
        let secret = try carol.encrypt([9])
        #expect(throws: MLSError(.wrongEpoch)) { try bob.read(secret) }
        let opened = try alice.read(secret)
        #expect(opened == [9])
    }

    @Test("opens late messages of past epochs, each once, and none that are too old")
    func lateMessages() throws {
        var (alice, bob) = try pair()
        bob.options.pastEpochs = 2
        let late = try (0..<3).map { try alice.encrypt([UInt8($0)]) }
        for _ in 0..<2 {
            let commit = try alice.commit()
            try bob.follow(commit.message)
            try alice.merge(commit.staged)
        }
        let second = try bob.read(late[2])
        #expect(second == [2])
        let first = try bob.read(late[0])
        #expect(first == [0])
        #expect(throws: MLSError(.keyConsumed)) { try bob.read(late[0]) }
        let commit = try alice.commit()
        try bob.follow(commit.message)
        #expect(throws: MLSError(.wrongEpoch)) { try bob.read(late[1]) }
    }

    @Test("a SelfRemove is committed by another member")
    func selfRemove() throws {
        var (alice, bob) = try pair()
        let leaving = try bob.propose(.custom(.selfRemove, body: nil))
        #expect(leaving.wireFormat == .publicMessage)
        _ = try alice.process(leaving)
        let commit = try alice.commit()
        try alice.merge(commit.staged)
        #expect(alice.members.count == 1)
        guard case .commit(let staged) = try bob.process(commit.message) else { throw MLSError(.malformed) }
        #expect(staged.removesUs)
    }

    @Test("refuses lists of proposals that RFC 9420 §12.2 does not allow")
    func refusesLists() throws {
        let (alice, bob) = try pair()
        let package = try Person("Carol").keyPackage().keyPackage
        let psk = PreSharedKeyID(source: .external(id: [1]), nonce: [UInt8](repeating: 0, count: 32))
        let reInit = Proposal.reInit(ReInit(groupID: [9], cipherSuite: .x25519AES128, extensions: []))
        let lists: [[Proposal]] = [
            [.remove(alice.ownIndex)],
            [.remove(bob.ownIndex), .remove(bob.ownIndex)],
            [.remove(LeafIndex(7))],
            [.add(package), .add(package)],
            [.preSharedKey(psk), .preSharedKey(psk)],
            [.preSharedKey(PreSharedKeyID(source: psk.source, nonce: [1]))],
            [.preSharedKey(PreSharedKeyID(source: .resumption(.branch, groupID: [], epoch: 0), nonce: psk.nonce))],
            [.groupContextExtensions([]), .groupContextExtensions([])],
            [reInit, .add(package)],
            [.externalInit(kemOutput: [1])],
            [.custom(ProposalType(rawValue: 0x7777), body: nil)],
        ]
        for list in lists {
            var alice = alice
            #expect(throws: MLSError(.invalidProposal)) {
                let own = try ProposalList(
                    list.map { SentProposal(proposal: $0, sender: .member(alice.ownIndex)) },
                    committer: .member(alice.ownIndex), registered: alice.options.codec.customProposals,
                    alice.algorithms)
                alice.setPSK([1], id: [1])
                _ = try EpochChange(own, to: alice, at: nil)
            }
        }
    }

    @Test("a group is unchanged by what it refuses")
    func refusalChangesNothing() throws {
        var (alice, bob) = try pair()
        let before = bob.context
        let commit = try alice.commit()
        guard case .privateMessage(let message) = commit.message.body else { throw MLSError(.malformed) }
        for place in stride(from: 0, to: message.ciphertext.count, by: 7) {
            var ciphertext = message.ciphertext
            ciphertext[place] ^= 1
            let forged = PrivateMessage(
                groupID: message.groupID, epoch: message.epoch, contentType: message.contentType,
                authenticatedData: message.authenticatedData, encryptedSenderData: message.encryptedSenderData,
                ciphertext: ciphertext)
            #expect(throws: MLSError(.decryptionFailed)) { try bob.process(MLSMessage(.privateMessage(forged))) }
        }
        #expect(bob.context == before)
        try bob.follow(commit.message)
        try alice.merge(commit.staged)
        #expect(alice.epochAuthenticator == bob.epochAuthenticator)
    }

    @Test("a commit staged on another state is not merged")
    func staleCommit() throws {
        var (alice, bob) = try pair()
        let mine = try alice.commit()
        let theirs = try bob.commit()
        try alice.follow(theirs.message)
        #expect(throws: MLSError(.wrongEpoch)) { try alice.merge(mine.staged) }
    }

    @Test("joins from outside, and again after losing its state", arguments: CipherSuite.supported)
    func external(suite: CipherSuite) throws {
        var (alice, bob) = try pair(suite)
        let (first, commit) = try Group.join(
            alice.groupInfo(), with: Person("Carol", suite).keyPackage(), policy: TrustEverybody())
        try alice.follow(commit)
        try bob.follow(commit)
        #expect(Set([alice, bob, first].map(\.epochAuthenticator)).count == 1)
        let (second, again) = try Group.join(
            MLSMessage(bytes: bob.groupInfo().encoded), with: Person("Carol", suite).keyPackage(),
            former: first.ownIndex, policy: TrustEverybody())
        try alice.follow(again)
        try bob.follow(again)
        #expect(Set([alice, bob, second].map(\.epochAuthenticator)).count == 1)
        #expect(alice.members.count == 3)
    }

    @Test("joins from outside with keys that all share, and not without them")
    func externalWithKeys() throws {
        var (alice, bob) = try pair()
        for id in [[1], [2]] as [[UInt8]] { alice.setPSK(id + [7], id: id) }
        let (carol, commit) = try Group.join(
            alice.groupInfo(), with: Person("Carol").keyPackage(), psks: [[1]: [1, 7], [2]: [2, 7]],
            policy: TrustEverybody())
        #expect(throws: MLSError(.missingPSK)) { try bob.follow(commit) }
        bob.setPSK([1, 7], id: [1])
        bob.setPSK([0], id: [2])
        #expect(throws: MLSError(.badTag)) { try bob.follow(commit) }
        bob.setPSK([2, 7], id: [2])
        try bob.follow(commit)
        try alice.follow(commit)
        #expect(Set([alice, bob, carol].map(\.epochAuthenticator)).count == 1)
    }

    @Test("a group that ended by ReInit sends nothing")
    func reInit() throws {
        var (alice, bob) = try pair()
        let commit = try alice.commit([
            .reInit(ReInit(groupID: [9], cipherSuite: .x25519AES128, extensions: []))
        ])
        try alice.merge(commit.staged)
        try bob.follow(commit.message)
        #expect(bob.successor?.groupID == [9])
        #expect(throws: MLSError(.unexpectedMessage)) { try alice.encrypt([1]) }
        #expect(throws: MLSError(.unexpectedMessage)) { try bob.commit() }
    }
}
