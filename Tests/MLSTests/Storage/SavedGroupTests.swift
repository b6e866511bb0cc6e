import Testing

@testable import MLS

@Suite struct SavedGroupTests {
    @Test("a group is the same after it was saved and read", arguments: CipherSuite.supported)
    func comesBack(suite: CipherSuite) throws {
        var (alice, bob) = try Self.busyGroup(suite)
        let bytes = alice.saved.encoded
        var again = try Group(SavedGroup(bytes: bytes), policy: TrustEverybody(), options: alice.options)
        #expect(again.saved.encoded == bytes)
        #expect(again.epochAuthenticator == alice.epochAuthenticator)
        // It reads what came late, in the epoch and from one before, and others read what it says.
        let late = try bob.old.encrypt([1])
        #expect(try again.read(late) == [1])
        #expect(try bob.now.read(again.encrypt([2])) == [2])
        #expect(try again.read(bob.now.encrypt([3])) == [3])
        let commit = try again.commit()
        try bob.now.follow(commit.message)
        try again.merge(commit.staged)
        #expect(again.epochAuthenticator == bob.now.epochAuthenticator)
        // And what was spent stays spent.
        _ = try alice.read(late)
        var spent = try Group(alice.saved, policy: TrustEverybody())
        #expect(throws: MLSError(.keyConsumed)) { try spent.process(late) }
    }

    @Test("a group whose bytes were changed is refused or is another sound group, and never traps")
    func survivesNoise() throws {
        let saved = try Self.busyGroup(.x25519AES128).alice.saved
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        var accepted = 0
        for round in 0..<600 {
            guard let part = saved.parts.keys.randomElement(using: &random), var bytes = saved.parts[part] else {
                return
            }
            switch round % 3 {
            case 0: bytes[Int.random(in: bytes.indices, using: &random)] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: bytes.removeLast(Int.random(in: 1...bytes.count, using: &random))
            default:
                bytes.insert(
                    UInt8.random(in: 0...255, using: &random), at: Int.random(in: 0...bytes.count, using: &random))
            }
            var changed = saved
            changed.parts[part] = bytes
            guard var group = try? Group(changed, policy: TrustEverybody()) else { continue }
            accepted += 1
            #expect(group.saved == changed, "two encodings of one state, seed \(seed)")
            _ = try? group.commit()
        }
        // Message keys, names and pre-shared keys are any bytes; everything else is tied together.
        #expect(accepted < 200, "seed \(seed)")
    }

    @Test("every prefix of a saved group is refused")
    func refusesPrefixes() throws {
        let bytes = try Person("Alice").create().saved.encoded
        for count in bytes.indices {
            #expect(throws: MLSError.self) {
                try Group(SavedGroup(bytes: Array(bytes.prefix(count))), policy: TrustEverybody())
            }
        }
        #expect(throws: MLSError(.trailingBytes)) { try SavedGroup(bytes: bytes + [0]) }
    }

    @Test("another version, a missing part and parts of two epochs are refused")
    func refusesMixtures() throws {
        var group = try Person("Alice").create()
        let old = group.saved
        #expect(throws: MLSError(.unsupported)) { try SavedGroup(bytes: [0, 2] + old.encoded.dropFirst(2)) }
        try group.merge(group.commit().staged)
        for part in [GroupPart.epoch, .messageKeys, .proposals] {
            var mixed = group.saved
            mixed.parts[part] = old.parts[part]
            #expect(throws: MLSError.self) { try Group(mixed, policy: TrustEverybody()) }
            mixed.parts[part] = nil
            #expect(throws: MLSError(.malformed)) { try Group(mixed, policy: TrustEverybody()) }
            mixed.parts[part] = [0, 2]
            #expect(throws: MLSError(.unsupported)) { try Group(mixed, policy: TrustEverybody()) }
        }
    }

    @Test("the private keys of another member do not fit a saved group")
    func refusesForeignKeys() throws {
        let (alice, bob) = try Self.busyGroup(.x25519AES128)
        // Bob's own keys at Alice's place, and Alice's own with Bob's key for signatures.
        let foreign = PrivateTree(index: alice.ownIndex, leafKey: bob.now.own.leafKey)
        for (own, signer) in [(foreign, alice.signer), (alice.own, bob.now.signer)] {
            var writer = Writer()
            writer.integer(SavedGroup.version)
            SavedEpoch.write(alice.context, alice.tree, to: &writer)
            SavedEpoch(
                context: alice.context, tree: alice.tree, own: own, secrets: alice.secrets,
                confirmationTag: alice.confirmationTag
            ).write(to: &writer)
            writer.opaque(signer.bytes)
            alice.psks.write(to: &writer)
            writer.optional(alice.successor)
            var saved = alice.saved
            saved.parts[.epoch] = writer.bytes
            #expect(throws: MLSError(.invalidKey)) { try Group(saved, policy: TrustEverybody()) }
        }
    }

    @Test("an own key package is the same after it was saved and read", arguments: CipherSuite.supported)
    func keyPackageComesBack(suite: CipherSuite) throws {
        let own = try Person("Alice", suite).keyPackage()
        let again = try OwnKeyPackage(bytes: own.encoded)
        #expect(again.keyPackage == own.keyPackage)
        #expect(again.encoded == own.encoded)
        #expect(throws: MLSError(.trailingBytes)) { try OwnKeyPackage(bytes: own.encoded + [0]) }
    }

    /// Two members with everything a state can hold: past epochs, proposals, an Update, keys of messages that are late,
    /// and pre-shared keys.
    static func busyGroup(_ suite: CipherSuite) throws -> (alice: Group, bob: (now: Group, old: Group)) {
        var alice = try Person("Alice", suite).create()
        let package = try Person("Bob", suite).keyPackage()
        let first = try alice.commit([.add(package.keyPackage)])
        try alice.merge(first.staged)
        let welcome = try #require(first.welcome)
        var bob = try Group(joining: welcome, with: package, policy: TrustEverybody())
        let old = bob
        for _ in 0..<2 {
            let commit = try bob.commit()
            try alice.follow(commit.message)
            try bob.merge(commit.staged)
        }
        _ = try bob.encrypt([0])
        _ = try alice.read(bob.encrypt([0]))
        alice.setPSK([1, 2, 3], id: [4])
        _ = try bob.process(alice.propose(.add(Person("Carol", suite).keyPackage().keyPackage)))
        _ = try bob.process(alice.proposeUpdate())
        alice.options.sendsBeforeCommitting = true
        bob.options.sendsBeforeCommitting = true
        return (alice, (bob, old))
    }
}
