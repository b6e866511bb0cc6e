import NostrTesting
import Synchronization
import Testing

@testable import MLS

@Suite struct StoredGroupTests {
    @Test("memory storage", arguments: MLSStorageContract.rules)
    func keeps(rule: MLSStorageContract.Rule) async throws { try await rule.check { _ in MemoryStorage() } }

    @Test("whatever was handed out is spent in what is stored")
    func savesFirst() async throws {
        let (alice, bob, storage) = try await Self.pair()
        var seen: Set<UInt32> = []
        for text in 0..<5 as Range<UInt8> {
            // Each time as after a crash: from what is stored.
            let again = try #require(try await Self.store(storage).group(alice.context.groupID))
            let message = try await again.encrypt([text])
            #expect(seen.insert(try Self.generation(of: message, in: bob)).inserted)
        }
    }

    @Test("a step that cannot be saved has not happened")
    func failsWhole() async throws {
        let (_, bob, inner) = try await Self.pair()
        let storage = FailingStorage(inner)
        let alice = try #require(try await Self.store(storage).group([1, 2, 3]))
        for keeps in [true, false] {
            storage.fails(afterwards: keeps)
            await #expect(throws: FailingStorage.Failure.self) { try await alice.encrypt([1]) }
            storage.fails(afterwards: keeps)
            await #expect(throws: FailingStorage.Failure.self) { try await alice.commit() }
            #expect(await alice.epoch == 1)
        }
        let first = try await alice.encrypt([2])
        var reader = bob
        #expect(try reader.read(first) == [2])
        let staged = try await alice.commit().staged
        for keeps in [true, false] {
            storage.fails(afterwards: keeps)
            await #expect(throws: FailingStorage.Failure.self) { try await alice.merge(staged) }
            if keeps {
                // It is on the disk, which the next step finds out.
                await #expect(throws: MLSError(.wrongEpoch)) { try await alice.merge(staged) }
                #expect(await alice.epoch == 2)
                break
            }
        }
    }

    @Test("two views of one group never both take a step")
    func noticesConflicts() async throws {
        let (alice, bob, storage) = try await Self.pair()
        let other = try #require(try await Self.store(storage).group([1, 2, 3]))
        var reader = bob
        #expect(try await reader.read(alice.encrypt([1])) == [1])
        await #expect(throws: MLSError(.conflict)) { try await other.encrypt([2]) }
        #expect(try await reader.read(other.encrypt([3])) == [3])
        await #expect(throws: MLSError(.conflict)) { try await alice.encrypt([4]) }
        try await Self.store(storage).remove([1, 2, 3])
        await #expect(throws: MLSError(.conflict)) { try await alice.encrypt([5]) }
        await #expect(throws: MLSError(.conflict)) { try await alice.encrypt([5]) }
    }

    @Test("many at once never share a generation")
    func takesTurns() async throws {
        let (alice, bob, _) = try await Self.pair()
        let messages = try await withThrowingTaskGroup(of: MLSMessage.self) { group in
            for text in 0..<50 as Range<UInt8> { group.addTask { try await alice.encrypt([text]) } }
            var messages: [MLSMessage] = []
            for try await message in group { messages.append(message) }
            return messages
        }
        #expect(Set(try messages.map { try Self.generation(of: $0, in: bob) }).count == 50)
    }

    @Test("a plaintext is there again until the caller is done with it")
    func keepsPlaintexts() async throws {
        let (alice, start, storage) = try await Self.pair()
        var bob = start
        let message = try bob.encrypt([7])
        for isAgain in [false, true] {
            let group = isAgain ? try #require(try await Self.store(storage).group([1, 2, 3])) : alice
            guard case .application(let first) = try await group.process(message) else { return }
            #expect(first.data == [7])
        }
        let again = try #require(try await Self.store(storage).group([1, 2, 3]))
        #expect(await again.unfinished.count == 1)
        await again.finish(message)
        _ = try await again.process(bob.encrypt([8]))
        await #expect(throws: MLSError(.keyConsumed)) { try await again.process(message) }
        #expect(try await storage.group([1, 2, 3])?.saved.parts.keys.filter(\.isOutcome).count == 1)
    }

    @Test("one message brings the same to all who ask at once")
    func answersAlike() async throws {
        let (_, start, inner) = try await Self.pair()
        var bob = start
        let alice = try #require(try await Self.store(FailingStorage(inner)).group([1, 2, 3]))
        let message = try bob.encrypt([7])
        let found = try await withThrowingTaskGroup(of: Received.self) { group in
            for _ in 0..<20 { group.addTask { try await alice.process(message) } }
            var found: [Received] = []
            for try await one in group { found.append(one) }
            return found
        }
        #expect(found.count == 20 && found.allSatisfy { $0.data == [7] })
        #expect(await alice.unfinished.count == 1)
    }

    @Test("a message opens at the next call if its step was saved, though the storage said that it failed")
    func findsWhatWasSaved() async throws {
        let (_, start, inner) = try await Self.pair()
        var bob = start
        let storage = FailingStorage(inner)
        let alice = try #require(try await Self.store(storage).group([1, 2, 3]))
        for isSaved in [false, true] {
            let message = try bob.encrypt([7])
            storage.fails(afterwards: isSaved)
            await #expect(throws: FailingStorage.Failure.self) { try await alice.process(message) }
            for _ in 0..<2 { #expect(try await alice.process(message).data == [7]) }
        }
        let commit = try bob.commit()
        storage.fails(afterwards: true)
        await #expect(throws: FailingStorage.Failure.self) { try await alice.process(commit.message) }
        let staged = try #require(try await alice.process(commit.message).staged)
        storage.fails(afterwards: true)
        await #expect(throws: FailingStorage.Failure.self) { try await alice.merge(staged) }
        // The merge is on the disk, so the commit is done with.
        await #expect(throws: MLSError(.wrongEpoch)) { try await alice.process(commit.message) }
    }

    @Test("a commit that was not merged before the end is there again, our own with its message")
    func keepsCommits() async throws {
        let (alice, start, storage) = try await Self.pair()
        var bob = start
        let theirs = try bob.commit()
        _ = try await alice.process(theirs.message)
        let ours = try await alice.commit([.add(Person("Carol").keyPackage().keyPackage)])
        let again = try #require(try await Self.store(storage).group([1, 2, 3]))
        #expect(await again.unfinished.count == 1)
        let kept = try #require(await again.ownCommits.first)
        #expect(kept.message == ours.message && kept.welcome == ours.welcome)
        // Our own commit comes back from whoever orders commits.
        guard case .commit(let staged) = try await again.process(ours.message) else { return }
        #expect(staged.added == ours.staged.added)
        guard case .commit(let followed) = try await again.process(theirs.message) else { return }
        try await again.merge(followed)
        try bob.merge(theirs.staged)
        #expect(await again.epochAuthenticator == bob.epochAuthenticator)
        #expect(await again.ownCommits.isEmpty)
        #expect(try await storage.group([1, 2, 3])?.saved.parts.keys.contains(where: \.isOutcome) == false)
        #expect(try await again.process(bob.encrypt([1])).isApplication)
    }

    @Test("a damaged outcome is refused and never traps")
    func survivesNoise() async throws {
        let (alice, start, storage) = try await Self.pair()
        var bob = start
        _ = try await alice.process(bob.commit().message)
        _ = try await alice.commit([.add(Person("Carol").keyPackage().keyPackage)])
        _ = try await alice.process(bob.encrypt([1]))
        let saved = try #require(try await storage.group([1, 2, 3])).saved
        let group = try Group(saved, policy: TrustEverybody())
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        for (part, bytes) in saved.parts where part.isOutcome {
            #expect(try Outcome(bytes, of: group).encoded == bytes)
            for _ in 0..<400 {
                var changed = bytes
                changed[Int.random(in: bytes.indices, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
                if let outcome = try? Outcome(changed, of: group) {
                    #expect(outcome.encoded == changed, "two encodings of one outcome, seed \(seed)")
                }
                #expect(throws: MLSError.self, "seed \(seed)") {
                    try Outcome(Array(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random))), of: group)
                }
            }
        }
    }

    @Test("joining spends the key package, unless it is the last resort", arguments: [false, true])
    func spendsKeyPackages(isLastResort: Bool) async throws {
        let storage = MemoryStorage()
        let store = Self.store(storage)
        let signer = try SignaturePrivateKey(for: .x25519AES128)
        let own = try OwnKeyPackage(
            cipherSuite: .x25519AES128, signer: signer, credential: .basic(identity: [1]),
            capabilities: Capabilities(extensions: [.lastResort]), lifetime: Lifetime(notBefore: 0, notAfter: .max),
            extensions: isLastResort ? [Extension(type: .lastResort, data: [])] : [])
        try await store.keep(own)
        try await store.setPSK([5], id: [6])
        var alice = try Person("Alice").create()
        alice.setPSK([5], id: [6])
        let psk = PreSharedKeyID(source: .external(id: [6]), nonce: [UInt8](repeating: 1, count: 32))
        let commit = try alice.commit([.add(own.keyPackage), .preSharedKey(psk)])
        try alice.merge(commit.staged)
        let group = try await store.join(#require(commit.welcome))
        #expect(await group.epochAuthenticator == alice.epochAuthenticator)
        #expect(try await store.keyPackages().count == (isLastResort ? 1 : 0))
        #expect(try await store.groups() == [[1, 2, 3]])
        await #expect(throws: MLSError(isLastResort ? .conflict : .missingKey)) {
            try await store.join(#require(commit.welcome))
        }
        // A pre-shared key is in the state of no group, and yet found when a commit names it.
        let next = try alice.commit([
            .preSharedKey(PreSharedKeyID(source: .external(id: [6]), nonce: [UInt8](repeating: 2, count: 32)))
        ])
        guard case .commit(let staged) = try await group.process(next.message) else { return }
        try await group.merge(staged)
        try alice.merge(next.staged)
        #expect(await group.epochAuthenticator == alice.epochAuthenticator)
        #expect(await group.copy.psks.external.isEmpty)
    }

    @Test("a group that cannot be replaced stays as it was, and one that is not there need not be")
    func replacesWhole() async throws {
        let (_, bob, inner) = try await Self.pair()
        let storage = FailingStorage(inner)
        let store = Self.store(storage)
        let alice = try #require(try await store.group([1, 2, 3]))
        let (info, package) = (try bob.groupInfo(), try Person("Alice").keyPackage())
        let before = try await storage.group([1, 2, 3])?.saved
        storage.fails(afterwards: false)
        await #expect(throws: FailingStorage.Failure.self) {
            try await store.join(info, with: package, former: LeafIndex(0), replacing: true)
        }
        #expect(try await storage.group([1, 2, 3])?.saved == before)
        var reader = bob
        #expect(try await reader.read(alice.encrypt([1])) == [1])
        // It is on the disk, which whoever has the former state finds out.
        storage.fails(afterwards: true)
        await #expect(throws: FailingStorage.Failure.self) {
            try await store.join(info, with: package, former: LeafIndex(0), replacing: true)
        }
        await #expect(throws: MLSError(.conflict)) { try await alice.encrypt([2]) }
        // That commit was never sent, so it is joined once more.
        let (again, commit) = try await store.join(info, with: package, former: LeafIndex(0), replacing: true)
        try reader.follow(commit)
        #expect(try await reader.read(again.encrypt([3])) == [3])
        #expect(try await again.process(reader.encrypt([4])).data == [4])
        let elsewhere = Self.store(MemoryStorage())
        _ = try await elsewhere.join(info, with: package, former: LeafIndex(0), replacing: true)
        #expect(try await elsewhere.groups() == [[1, 2, 3]])
    }

    private static func store(_ storage: any MLSStorage) -> MLSStore { MLSStore(storage, policy: TrustEverybody()) }

    /// Alice, stored, and Bob.
    private static func pair() async throws -> (alice: StoredGroup, bob: Group, storage: MemoryStorage) {
        let storage = MemoryStorage()
        let alice = try await store(storage).create([1, 2, 3], with: Person("Alice").keyPackage())
        let package = try Person("Bob").keyPackage()
        let commit = try await alice.commit([.add(package.keyPackage)])
        try await alice.merge(commit.staged)
        let bob = try Group(joining: #require(commit.welcome), with: package, policy: TrustEverybody())
        return (alice, bob, storage)
    }

    /// Read from the encrypted sender data.
    private static func generation(of message: MLSMessage, in group: Group) throws -> UInt32 {
        guard case .privateMessage(let message) = message.body else { throw MLSError(.unexpectedMessage) }
        return try group.keys.sender(of: message, group.algorithms).generation
    }
}

extension GroupPart {
    fileprivate var isOutcome: Bool { if case .outcome = self { true } else { false } }
}

extension Received {
    fileprivate var isApplication: Bool { data != nil }
    fileprivate var staged: StagedCommit? { if case .commit(let staged) = self { staged } else { nil } }
    fileprivate var data: [UInt8]? { if case .application(let message) = self { message.data } else { nil } }
}

/// Storage that takes its time, and fails when it is told to, before or after it has made the changes.
private final class FailingStorage: MLSStorage {
    struct Failure: Error {}

    private let inner: MemoryStorage
    private let next = Mutex<Bool?>(nil)

    init(_ inner: MemoryStorage) { self.inner = inner }

    func fails(afterwards: Bool) { next.withLock { $0 = afterwards } }
    func groups() async throws -> [[UInt8]] { try await inner.groups() }
    func group(_ id: [UInt8]) async throws -> (saved: SavedGroup, revision: UInt64)? { try await inner.group(id) }
    func keyPackages() async throws -> [KeyPackageRef] { try await inner.keyPackages() }
    func keyPackage(_ reference: KeyPackageRef) async throws -> [UInt8]? { try await inner.keyPackage(reference) }
    func preSharedKeys() async throws -> [[UInt8]: [UInt8]] { try await inner.preSharedKeys() }

    func apply(_ changes: [StorageChange]) async throws {
        let fails = next.withLock { next in
            defer { next = nil }
            return next
        }
        for _ in 0..<100 { await Task.yield() }
        if fails != false { try await inner.apply(changes) }
        if fails != nil { throw Failure() }
    }
}
