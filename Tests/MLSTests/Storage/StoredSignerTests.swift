import Testing

@testable import MLS

/// A new key for signatures rests with what brings it, and takes the old one's place in the step that merges it.
@Suite struct StoredSignerTests {
    private static let id: [UInt8] = [1, 2, 3]

    private static func store(_ storage: any MLSStorage) -> MLSStore { MLSStore(storage, policy: TrustEverybody()) }

    /// Alice, stored, and Bob.
    private static func pair() async throws -> (bob: Group, storage: MemoryStorage) {
        let storage = MemoryStorage()
        let alice = try await store(storage).create(id, with: Person("Alice").keyPackage())
        let package = try Person("Bob").keyPackage()
        let commit = try await alice.commit([.add(package.keyPackage)])
        try await alice.merge(commit.staged)
        return (try Group(joining: #require(commit.welcome), with: package, policy: TrustEverybody()), storage)
    }

    /// Alice as after a crash.
    private static func reopened(_ storage: MemoryStorage) async throws -> StoredGroup {
        try #require(try await store(storage).group(id))
    }

    /// Whether a private key is anywhere in what is kept of the group.
    private static func keeps(_ key: SignaturePrivateKey, _ storage: MemoryStorage) async throws -> Bool {
        let parts = try #require(try await storage.group(id)).saved.parts
        let secret = key.bytes
        return parts.values.contains { bytes in
            bytes.indices.contains { bytes[$0...].prefix(secret.count).elementsEqual(secret) }
        }
    }

    @Test("our own commit is merged with its key after a crash, and the old key is gone")
    func byCommit() async throws {
        var (bob, storage) = try await Self.pair()
        let new = try SignaturePrivateKey(for: .x25519AES128)
        let old = try await Self.reopened(storage).copy.signer
        _ = try await Self.reopened(storage).commit(signer: new)
        var alice = try await Self.reopened(storage)
        #expect(await alice.copy.signer.publicKey == old.publicKey, "It is staged only.")
        // Until the merge the old key signs.
        #expect(try await bob.read(alice.encrypt([1])) == [1])
        let kept = try #require(await alice.ownCommits.first)
        try bob.follow(kept.message)
        try await alice.merge(kept.staged)
        for _ in 0..<2 {
            #expect(await alice.copy.signer.publicKey == new.publicKey)
            #expect(try await bob.read(alice.encrypt([2])) == [2])
            alice = try await Self.reopened(storage)
        }
        let (hasOld, hasNew) = (try await Self.keeps(old, storage), try await Self.keeps(new, storage))
        #expect(!hasOld && hasNew)
    }

    @Test("a proposed key is there after a crash before the commit, and after one before its merge")
    func byProposal() async throws {
        var (bob, storage) = try await Self.pair()
        let new = try SignaturePrivateKey(for: .x25519AES128)
        let old = try await Self.reopened(storage).copy.signer
        _ = try await bob.process(Self.reopened(storage).proposeUpdate(signer: new))
        let commit = try bob.commit()
        _ = try await Self.reopened(storage).process(commit.message)
        let alice = try await Self.reopened(storage)
        #expect(await alice.copy.signer.publicKey == old.publicKey)
        guard case .commit(let staged) = await alice.unfinished.first else {
            Issue.record("no commit")
            return
        }
        try await alice.merge(staged)
        try bob.merge(commit.staged)
        #expect(try await bob.read(Self.reopened(storage).encrypt([1])) == [1])
        let (hasOld, hasNew) = (try await Self.keeps(old, storage), try await Self.keeps(new, storage))
        #expect(!hasOld && hasNew)
    }

    @Test("the key of a commit that came to nothing is gone with it")
    func dropped() async throws {
        var (bob, storage) = try await Self.pair()
        let new = try SignaturePrivateKey(for: .x25519AES128)
        let alice = try await Self.reopened(storage)
        _ = try await alice.commit(signer: new)
        _ = try await alice.proposeUpdate(signer: new)
        let theirs = try bob.commit()
        guard case .commit(let staged) = try await alice.process(theirs.message) else { return }
        try await alice.merge(staged)
        try bob.merge(theirs.staged)
        let hasNew = try await Self.keeps(new, storage)
        #expect(!hasNew)
        #expect(try await bob.read(Self.reopened(storage).encrypt([1])) == [1])
    }

    @Test("a saved key that is not that of the next leaf is refused, and so is one of nobody's Update")
    func refusesForeignKeys() async throws {
        let (_, storage) = try await Self.pair()
        let alice = try await Self.reopened(storage)
        let (new, other) = (try SignaturePrivateKey(for: .x25519AES128), try SignaturePrivateKey(for: .x25519AES128))
        _ = try await alice.commit(signer: new)
        _ = try await alice.commit()
        _ = try await alice.proposeUpdate(signer: new)
        let saved = try #require(try await storage.group(Self.id)).saved
        let group = try Group(saved, policy: TrustEverybody())
        #expect(group.saved.parts[.proposals] == saved.parts[.proposals])
        for (part, bytes) in saved.parts {
            guard case .outcome = part else { continue }
            let own = try Outcome(bytes, of: group)
            #expect(own.encoded == bytes)
            let renews = own.ownCommit?.staged.next.member?.renewedSigner != nil
            let bare = renews ? Array(bytes.dropLast(33)) : bytes
            for key in [other, group.signer] {
                #expect(throws: MLSError.self) { try Outcome(bare + [32] + key.bytes, of: group) }
            }
            if renews { #expect(throws: MLSError(.invalidKey)) { try Outcome(bare, of: group) } }
        }
        var changed = saved
        changed.parts[.proposals] = try #require(saved.parts[.proposals]).dropLast(32) + other.bytes
        #expect(throws: MLSError(.invalidKey)) { try Group(changed, policy: TrustEverybody()) }
    }
}
