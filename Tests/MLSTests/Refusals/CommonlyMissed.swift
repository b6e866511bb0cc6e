import Testing

@testable import MLS

/// The checks of RFC 9420 that programs most often miss, apart from those the other suites of this folder hold.
///
/// - Keys used once across tree and Adds: ``LeafNodeRefusals``, init keys: ``ProposalListRefusals``.
/// - Lifetimes of key packages: ``LifetimeTests``, leaf_node_source by context: ``LeafNodeRefusals``.
/// - The last node of a tree: ``WelcomeRefusals``. The length of a path: ``PathRefusals``.
/// - When a path is required, epoch and group id: ``CommitRefusals``. Tags before the state: ``TagRefusals``.
/// - The committer's own Update, one GroupContextExtensions: ``ProposalListRefusals``.
/// - Adds after Removes: ``ReferenceRefusals``.
@Suite struct CommonlyMissed {
    @Test("no key opens two messages, whatever their order, in this epoch or the next")
    func generations() throws {
        var scene = try Scene.open()
        let messages = try (0..<4).map { try scene.alice.encrypt([UInt8($0)]) }
        for place in [2, 0, 3, 1] {
            let read = try scene.bob.read(messages[place])
            #expect(read == [UInt8(place)])
        }
        try scene.bob.merge(scene.bob.commit().staged)
        for place in 0..<4 {
            expectRefusal(.keyConsumed, "generation \(place)", "again") { _ = try scene.bob.read(messages[place]) }
        }
    }

    @Test("a proposal and a commit open once too, and our own messages never")
    func handshakeGenerations() throws {
        var scene = try Scene(encrypted: true)
        let proposal = try scene.alice.propose(.remove(LeafIndex(2)))
        _ = try scene.bob.accept(proposal)
        expectRefusal(.keyConsumed, "generation 0", "a proposal again") { _ = try scene.bob.process(proposal) }
        let message = try scene.carol.encrypt([1])
        expectRefusal(.keyConsumed, "generation 0", "our own") { _ = try scene.carol.read(message) }
    }

    @Test("a generation further ahead than the limit is refused, and costs nothing")
    func forward() throws {
        var scene = try Scene.open()
        var skipping = scene.alice
        for _ in 0..<1_001 { _ = try skipping.keys.tree.nextKey(of: LeafIndex(0), .application, skipping.algorithms) }
        let far = try skipping.encrypt([1])
        expectRefusal(.tooFarAhead, "generation 1001", "far") { _ = try scene.bob.read(far) }
        let near = try scene.bob.read(scene.alice.encrypt([2]))
        #expect(near == [2])
    }

    @Test("two states with the same key make different messages: the reuse guard is random")
    func reuseGuard() throws {
        let scene = try Scene.open()
        let messages = try (0..<20).map { _ in
            var alice = scene.alice
            guard case .privateMessage(let message) = try alice.encrypt([1, 2, 3]).body else {
                throw MLSError(.malformed)
            }
            return message.ciphertext
        }
        #expect(Set(messages).count == 20)
        let key = MessageKey(key: Secret([1]), nonce: [UInt8](repeating: 0, count: 12))
        #expect(key.nonce(guardedBy: [1, 2, 3, 4]) == [1, 2, 3, 4] + [UInt8](repeating: 0, count: 8))
    }

    @Test("no key of low order is encrypted to or decapsulated", arguments: Array(LowOrderPoints.encodings))
    func lowOrder(point: [UInt8]) throws {
        let algorithms = try Algorithms(.x25519AES128)
        for top in [0, 0x80] as [UInt8] {
            let bytes = Array(point.dropLast()) + [point[31] | top]
            expectRefusal(.invalidKey, "a point of low order", "encrypting") {
                _ = try algorithms.encrypt([1], to: HPKEPublicKey(bytes), label: "", context: [])
            }
            let pair = try algorithms.generateKeyPair()
            expectRefusal(.decryptionFailed, "a point of low order", "decrypting") {
                _ = try algorithms.decrypt(
                    HPKECiphertext(kemOutput: bytes, ciphertext: [UInt8](repeating: 0, count: 20)),
                    with: pair.privateKey, label: "", context: [])
            }
            #expect(!algorithms.isKey(HPKEPublicKey(bytes)))
        }
    }

    @Test("points that are not on their curve are no keys", arguments: CipherSuite.supported)
    func offCurve(suite: CipherSuite) throws {
        let algorithms = try Algorithms(suite)
        let honest = try algorithms.generateKeyPair().publicKey
        #expect(algorithms.isKey(honest))
        let wrong: [[UInt8]] = [[], honest.bytes.dropLast(), honest.bytes + [0]]
        for bytes in wrong { #expect(!algorithms.isKey(HPKEPublicKey(bytes))) }
        guard algorithms.curve != .x25519 else { return }
        var bytes = honest.bytes
        bytes[bytes.count - 1] ^= 1
        #expect(!algorithms.isKey(HPKEPublicKey(bytes)))
    }

    @Test("the last epoch can be read in, but not left")
    func lastEpoch() throws {
        let scene = try Scene.open()
        var welcome = ForgedWelcome(from: scene.alice, adding: [scene.eve.keyPackage])
        welcome.context.epoch = .max
        var eve = try welcome.join(scene.eve)
        expectRefusal(.limitExceeded, "the last epoch", "committing") { _ = try eve.commit() }
        _ = try eve.encrypt([1])
    }

    @Test("the root of an epoch's message keys is gone once they are made, a node once its children are")
    func deleted() throws {
        let scene = try Scene.open()
        #expect(scene.alice.secrets.encryption == nil)
        var secrets = scene.alice.secrets
        expectRefusal(.keyConsumed, "the encryption secret is gone", "root") {
            _ = try secrets.takeMessageKeys(size: TreeSize(holding: 4), limits: RatchetLimits())
        }
        let algorithms = scene.alice.algorithms
        var tree = SecretTree(EncryptionSecret([UInt8](repeating: 1, count: 32)), size: TreeSize(holding: 4))
        for leaf in 0..<4 {
            var ratchet = try tree.ratchet(of: LeafIndex(leaf), .application, algorithms)
            _ = try ratchet.key(of: 0, limits: RatchetLimits(), algorithms)
            tree.keep(ratchet, of: LeafIndex(leaf), .application)
            var again = try tree.ratchet(of: LeafIndex(leaf), .application, algorithms)
            expectRefusal(.keyConsumed, "generation 0", "leaf \(leaf)") {
                _ = try again.key(of: 0, limits: RatchetLimits(), algorithms)
            }
        }
    }
}
