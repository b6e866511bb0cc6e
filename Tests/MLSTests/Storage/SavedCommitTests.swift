import Testing

@testable import MLS

/// What rests of a group and of a commit that is not merged, across crashes; a new key for signatures rests with what
/// brings it, and takes the old one's place when that is merged.
@Suite struct SavedCommitTests {
    /// What is on the disk of one member: the group, and commits that are staged on it.
    private struct Disk {
        var group: SavedGroup
        var commits: [[UInt8]] = []

        init(_ group: Group) { self.group = group.saved }

        /// The group as after a crash.
        func opened() throws -> Group {
            try Group(SavedGroup(bytes: group.encoded), policy: TrustEverybody())
        }

        func commits(of group: Group) throws -> [StagedCommit] {
            try commits.map { try StagedCommit(saved: $0, of: group) }
        }

        /// Takes a step on what is on the disk, and saves it before anything of it leaves.
        @discardableResult
        mutating func step<Value>(_ body: (inout Group) throws -> Value) throws -> Value {
            var next = try opened()
            let value = try body(&next)
            if next.epoch != (try opened().epoch) { commits = [] }
            group = next.saved
            return value
        }

        mutating func commit(_ changes: [Proposal] = [], signer: SignaturePrivateKey? = nil) throws -> OwnCommit {
            let made = try step { try $0.commit(changes, signer: signer) }
            commits.append(made.staged.saved)
            return made
        }

        mutating func follow(_ message: MLSMessage) throws {
            let staged = try step { group in
                if case .commit(let staged) = try group.process(message) { staged } else { nil as StagedCommit? }
            }
            commits.append(try #require(staged).saved)
        }

        func holds(_ key: SignaturePrivateKey) -> Bool {
            let secret = key.bytes
            return (Array(group.parts.values) + commits).contains { bytes in
                bytes.indices.contains { bytes[$0...].prefix(secret.count).elementsEqual(secret) }
            }
        }
    }

    /// Alice, on her disk, and Bob.
    private static func pair() throws -> (bob: Group, alice: Disk) {
        var alice = try Person("Alice").create()
        let package = try Person("Bob").keyPackage()
        let commit = try alice.commit([.add(package.keyPackage)])
        try alice.merge(commit.staged)
        let bob = try Group(joining: #require(commit.welcome), with: package, policy: TrustEverybody())
        return (bob, Disk(alice))
    }

    @Test("whatever was handed out is spent in what is saved")
    func savesFirst() throws {
        var (bob, alice) = try Self.pair()
        var seen: Set<UInt32> = []
        for text in 0..<5 as Range<UInt8> {
            let message = try alice.step { try $0.encrypt([text]) }
            guard case .privateMessage(let body) = message.body else { return }
            #expect(seen.insert(try bob.keys.sender(of: body, bob.algorithms).generation).inserted)
            #expect(try bob.read(message) == [text])
        }
    }

    @Test("commits that were not merged before the end are there again, ours and another's")
    func keepsCommits() throws {
        var (bob, alice) = try Self.pair()
        let theirs = try bob.commit()
        try alice.follow(theirs.message)
        let ours = try alice.commit([.add(Person("Carol").keyPackage().keyPackage)])
        let kept = try alice.commits(of: alice.opened())
        #expect(kept.map(\.added) == [theirs.staged.added, ours.staged.added])
        try alice.step { try $0.merge(kept[0]) }
        try bob.merge(theirs.staged)
        #expect(try alice.opened().epochAuthenticator == bob.epochAuthenticator)
        #expect(alice.commits.isEmpty)
        // Ours was made on an epoch that is over.
        var group = try alice.opened()
        #expect(throws: MLSError(.wrongEpoch)) { try group.merge(ours.staged) }
    }

    @Test("a damaged commit is refused and never traps")
    func survivesNoise() throws {
        var (bob, alice) = try Self.pair()
        try alice.follow(bob.commit().message)
        _ = try alice.commit([.add(Person("Carol").keyPackage().keyPackage)])
        let group = try alice.opened()
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        for bytes in alice.commits {
            #expect(try StagedCommit(saved: bytes, of: group).saved == bytes)
            for _ in 0..<400 {
                var changed = bytes
                changed[Int.random(in: bytes.indices, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
                if let commit = try? StagedCommit(saved: changed, of: group) {
                    #expect(commit.saved == changed, "two encodings of one commit, seed \(seed)")
                }
                #expect(throws: MLSError.self, "seed \(seed)") {
                    try StagedCommit(
                        saved: Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))), of: group)
                }
            }
        }
    }

    @Test("our own commit is merged with its key after a crash, and the old key is gone")
    func byCommit() throws {
        var (bob, alice) = try Self.pair()
        let new = try SignaturePrivateKey(for: .x25519AES128)
        let old = try alice.opened().signer
        let commit = try alice.commit(signer: new)
        #expect(try alice.opened().signer.publicKey == old.publicKey, "It is staged only.")
        // Until the merge the old key signs.
        #expect(try bob.read(alice.step { try $0.encrypt([1]) }) == [1])
        try bob.follow(commit.message)
        let kept = try #require(try alice.commits(of: alice.opened()).first)
        try alice.step { try $0.merge(kept) }
        for _ in 0..<2 {
            #expect(try alice.opened().signer.publicKey == new.publicKey)
            #expect(try bob.read(alice.step { try $0.encrypt([2]) }) == [2])
        }
        #expect(!alice.holds(old) && alice.holds(new))
    }

    @Test("a proposed key is there after a crash before the commit, and after one before its merge")
    func byProposal() throws {
        var (bob, alice) = try Self.pair()
        let new = try SignaturePrivateKey(for: .x25519AES128)
        let old = try alice.opened().signer
        _ = try bob.process(alice.step { try $0.proposeUpdate(signer: new) })
        let commit = try bob.commit()
        try alice.follow(commit.message)
        #expect(try alice.opened().signer.publicKey == old.publicKey)
        let kept = try #require(try alice.commits(of: alice.opened()).first)
        try alice.step { try $0.merge(kept) }
        try bob.merge(commit.staged)
        #expect(try bob.read(alice.step { try $0.encrypt([1]) }) == [1])
        #expect(!alice.holds(old) && alice.holds(new))
    }

    @Test("the key of a commit that came to nothing is gone with it")
    func dropped() throws {
        var (bob, alice) = try Self.pair()
        let new = try SignaturePrivateKey(for: .x25519AES128)
        _ = try alice.commit(signer: new)
        try alice.step { _ = try $0.proposeUpdate(signer: new) }
        let theirs = try bob.commit()
        try alice.follow(theirs.message)
        let kept = try #require(try alice.commits(of: alice.opened()).last)
        try alice.step { try $0.merge(kept) }
        try bob.merge(theirs.staged)
        #expect(!alice.holds(new))
        #expect(try bob.read(alice.step { try $0.encrypt([1]) }) == [1])
    }

    @Test("a saved key that is not that of the next leaf is refused, and so is one of nobody's Update")
    func refusesForeignKeys() throws {
        var (_, alice) = try Self.pair()
        let (new, other) = (try SignaturePrivateKey(for: .x25519AES128), try SignaturePrivateKey(for: .x25519AES128))
        _ = try alice.commit(signer: new)
        _ = try alice.commit()
        try alice.step { _ = try $0.proposeUpdate(signer: new) }
        let group = try alice.opened()
        for bytes in alice.commits {
            let commit = try StagedCommit(saved: bytes, of: group)
            let renews = commit.next.member?.renewedSigner != nil
            let bare = renews ? Array(bytes.dropLast(33)) : bytes
            for key in [other, group.signer] {
                #expect(throws: MLSError.self) { try StagedCommit(saved: bare + [32] + key.bytes, of: group) }
            }
            if renews { #expect(throws: MLSError(.invalidKey)) { try StagedCommit(saved: bare, of: group) } }
        }
        var changed = alice.group
        changed.parts[.proposals] = try #require(changed.parts[.proposals]).dropLast(32) + other.bytes
        #expect(throws: MLSError(.invalidKey)) { try Group(changed, policy: TrustEverybody()) }
    }
}
