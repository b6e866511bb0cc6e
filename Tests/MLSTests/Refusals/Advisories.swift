import Testing

@testable import MLS

/// Weaknesses that were published of other MLS programs, by the numbers of the list this project keeps of them.
///
/// Some are about what a program does rather than what it refuses: then the test shows that it does right. Each number
/// stands in `table`, with the test that covers it or the reason why there can be none.
@Suite struct Advisories {
    enum Cover {
        /// A test of this suite.
        case here
        /// Tests of another suite, by its type.
        case suite(Any.Type)
        /// Nothing to test, and why.
        case reason(String)
    }

    static let table: [Int: Cover] = [
        1: .suite(TagRefusals.self),
        2: .suite(MLSNoiseTests.self),
        3: .here, 4: .here, 5: .here, 6: .here, 7: .here, 8: .suite(ReferenceRefusals.self), 9: .here,
        10: .suite(LeafNodeRefusals.self), 11: .here,
        12: .reason("the audit names no finding that is public; its seven fixes are in releases the others list"),
        13: .suite(TreeAdvisories.self), 14: .suite(TreeAdvisories.self), 15: .suite(TreeAdvisories.self),
        16: .suite(TreeAdvisories.self), 17: .suite(TagRefusals.self),
        18: .suite(LeafNodeRefusals.self), 19: .here, 20: .suite(TreeAdvisories.self),
        21: .reason("HPKE private keys are `Secret`s, which swift-crypto wipes; reading freed memory is no test"),
        22: .suite(TreeAdvisories.self), 23: .suite(TreeAdvisories.self), 24: .suite(WelcomeRefusals.self),
        25: .suite(ReferenceRefusals.self),
    ]

    @Test("every one of the 25 has its test or its reason")
    func complete() {
        #expect(Self.table.keys.sorted() == Array(1...25))
        // Number 21: a private key for HPKE cannot be a plain array of bytes.
        #expect(HPKEPrivateKey.self == Secret<Role.HPKEPrivate>.self)
    }

    @Test("3: a pre-shared key named twice is refused, in a commit and in a Welcome")
    func duplicatePSK() throws {
        var scene = try Scene.open()
        scene.bob.setPSK([1], id: [1])
        let twice = [ProposalListRefusals.psk(), ProposalListRefusals.psk()]
        expectRefusal(.invalidProposal, "a pre-shared key twice", "commit") {
            _ = try scene.bob.process(scene.alice.forgeCommit(twice))
        }
        var welcome = ForgedWelcome(from: scene.alice, adding: [scene.eve.keyPackage])
        let id = PreSharedKeyID(source: .external(id: [1]), nonce: [UInt8](repeating: 1, count: 32))
        welcome.psks = [(id, PreSharedKey([1])), (id, PreSharedKey([1]))]
        expectRefusal(.invalidWelcome, "a pre-shared key twice", "Welcome") {
            _ = try welcome.join(scene.eve, psks: [[1]: [1]])
        }
    }

    @Test("4 and 19: a late message is its sender's of then, not of who has the place now")
    func attribution() throws {
        var scene = try Scene.open()
        let late = try scene.dave.encrypt([1])
        let frank = try Scene.keyPackage("Frank").keyPackage
        let commit = try scene.alice.commit([.remove(LeafIndex(3)), .add(frank)])
        try scene.bob.follow(commit.message)
        #expect(scene.bob.tree.leaf(LeafIndex(3))?.credential == frank.leafNode.credential)
        guard case .application(let message) = try scene.bob.process(late) else { throw MLSError(.malformed) }
        #expect(message.sender == LeafIndex(3) && message.credential == .basic(identity: Array("Dave".utf8)))
        #expect(message.epoch == 1)
    }

    @Test("5: the key of a message is gone from the value before its plaintext is handed out")
    func consumed() throws {
        var scene = try Scene.open()
        let message = try scene.alice.encrypt([1])
        _ = try scene.bob.read(message)
        let saved = scene.bob
        var restored = saved
        expectRefusal(.keyConsumed, "generation 0", "again") { _ = try restored.read(message) }
        var (one, other) = (scene.alice, scene.alice)
        _ = try one.encrypt([2])
        // What is sent from a copy that was not saved uses the same key: the caller saves before it sends.
        #expect(try generation(other.encrypt([3]), scene.bob) == 1)
        #expect(try generation(one.encrypt([3]), scene.bob) == 2)
    }

    private func generation(_ message: MLSMessage, _ reader: Group) throws -> UInt32 {
        guard case .privateMessage(let message) = message.body else { throw MLSError(.malformed) }
        let key = reader.algorithms.senderDataKey(reader.secrets.senderData, ciphertext: message.ciphertext)
        var header = Writer()
        header.opaque(message.groupID)
        header.integer(message.epoch)
        header.integer(message.contentType.rawValue)
        return try SenderData(
            bytes: reader.algorithms.open(
                message.encryptedSenderData, key: key.key, nonce: key.nonce, authenticating: header.bytes)
        ).generation
    }

    @Test("6: bytes behind the content of a known extension are refused", arguments: 0..<5)
    func trailingBytes(place: Int) throws {
        var scene = try Scene.open()
        let extensions = scene.alice.context.extensions
        switch place {
        case 0, 1:
            var longer = extensions
            longer[place] = Extension(type: longer[place].type, data: longer[place].data + [0])
            expectRefusal(.trailingBytes, place == 0 ? "RequiredCapabilities" : "ExternalSenders", "context") {
                _ = try scene.alice.commit([.groupContextExtensions(longer)])
            }
        case 2:
            let package = try scene.eve.forged {
                $0.with(extensions: [Extension(type: .applicationID, data: [1, 7, 0])])
            }
            expectRefusal(.trailingBytes, "ApplicationID", "leaf") { _ = try scene.alice.commit([.add(package)]) }
        case 3:
            let package = try scene.eve.forged(extensions: [Extension(type: .lastResort, data: [0])])
            expectRefusal(.malformed, "last_resort is empty", "key package") {
                _ = try scene.alice.commit([.add(package)])
            }
        default:
            var welcome = ForgedWelcome(from: scene.alice, adding: [scene.eve.keyPackage])
            welcome.carriesTree = false
            welcome.extensions = [Extension(type: .ratchetTree, data: welcome.tree.list.encoded + [0])]
            expectRefusal(.trailingBytes, "NodeList", "GroupInfo") { _ = try welcome.join(scene.eve) }
        }
    }

    static let edges: [(Int, [UInt8])] = [
        (0x3e, [0x3e]), (0x3f, [0x3f]), (0x40, [0x40, 0x40]), (0x3ffe, [0x7f, 0xfe]), (0x3fff, [0x7f, 0xff]),
        (0x4000, [0x80, 0, 0x40, 0]), (0x3fff_fffe, [0xbf, 0xff, 0xff, 0xfe]), (0x3fff_ffff, [0xbf, 0xff, 0xff, 0xff]),
    ]

    @Test("7: lengths are right at the edges of each form", arguments: edges)
    func lengths(length: Int, bytes: [UInt8]) throws {
        var writer = Writer()
        writer.length(length)
        #expect(writer.bytes == bytes)
        var reader = Reader(bytes)
        #expect(try reader.length() == length)
        var options = CodecOptions()
        options.maximumVectorLength = .max
        var short = Reader(bytes + [1], options: options)
        #expect(throws: MLSError(.malformed)) { try short.opaque() }
    }

    @Test("9: an extension list that no member could live with, or that rewrites what cannot stand there, is refused")
    func contextExtensions() throws {
        var scene = try Scene.open()
        for type in [ExtensionType.ratchetTree, .externalPub, .applicationID] {
            let list = scene.alice.context.extensions + [Extension(type: type, data: [])]
            expectRefusal(.invalidProposal, "an extension that belongs elsewhere", "\(type.rawValue)") {
                _ = try scene.bob.process(
                    scene.alice.forgeCommit([.groupContextExtensions(list)], path: scene.alice.forgedPath()))
            }
        }
    }

    @Test("11: each HPKE context seals once, so no nonce can come twice")
    func sealsOnce() throws {
        let algorithms = try Scene.open().alice.algorithms
        let pair = try algorithms.generateKeyPair()
        let sealed = try (0..<50).map { _ in
            try algorithms.encrypt([1, 2, 3], to: pair.publicKey, label: "test", context: [])
        }
        #expect(Set(sealed.map(\.kemOutput)).count == 50)
        #expect(Set(sealed.map(\.ciphertext)).count == 50)
    }
}
