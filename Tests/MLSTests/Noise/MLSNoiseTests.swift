import Testing

@testable import MLS

/// Hostile bytes: they never trap, and nothing damaged is accepted.
///
/// 50 000 a run; `LINNET_FUZZ_ROUNDS` makes it so many times more.
@Suite struct MLSNoiseTests {
    /// What is damaged, and what should refuse it.
    enum Target: String, CaseIterable, Sendable {
        case publicMessages, privateMessages, keyPackages, trees, treesApart, welcomes, groupInfos

        var count: Int {
            switch self {
            case .publicMessages, .privateMessages: 14_000
            case .keyPackages: 12_000
            case .trees: 6_000
            case .treesApart, .groupInfos: 1_000
            case .welcomes: 2_000
            }
        }
    }

    /// Samples, and what takes one in or throws.
    struct Attempt {
        let samples: [[UInt8]]
        let accept: ([UInt8]) throws -> Void
    }

    @Test("nothing damaged is accepted", arguments: Target.allCases)
    func damaged(target: Target) throws {
        let attempt = try Self.attempt(target)
        for sample in attempt.samples { try attempt.accept(sample) }
        let seed = UInt64(target.count + target.rawValue.utf8.count)
        var mutation = Mutation(random: SeededRandom(seed: seed))
        let count = target.count * Mutation.rounds
        var accepted = 0
        for round in 0..<count {
            let bytes = mutation.damaged(attempt.samples)
            do {
                try attempt.accept(bytes)
                accepted += 1
                Issue.record("accepted: \(target.rawValue), seed \(seed), round \(round): \(bytes)")
            } catch {
                if !(error is MLSError) { Issue.record(error, "seed \(seed), round \(round)") }
            }
        }
        print("noise: \(target.rawValue): \(count) damaged, \(accepted) accepted")
    }

    private static func attempt(_ target: Target) throws -> Attempt {
        let scene = try Scene(encrypted: target == .privateMessages)
        switch target {
        case .publicMessages, .privateMessages: return try messages(scene)
        case .keyPackages: return try keyPackages(scene)
        case .trees:
            let context = scene.alice.context
            return Attempt(samples: [scene.alice.tree.list.encoded]) { bytes in
                var tree = try RatchetTree(NodeList(bytes: bytes), scene.alice.algorithms)
                try tree.validate(context: context)
            }
        case .treesApart: return try treesApart(scene)
        case .welcomes: return try welcomes(scene)
        case .groupInfos:
            let samples = try [scene.alice.groupInfo(), scene.bob.groupInfo()].map(\.encoded)
            return Attempt(samples: samples) { bytes in
                _ = try Group.join(MLSMessage(bytes: bytes), with: scene.eve, policy: ScenePolicy())
            }
        }
    }

    private static func messages(_ scene: Scene) throws -> Attempt {
        var scene = scene
        let bob = scene.bob
        let commits = try [
            scene.alice.commit(), scene.alice.commit([.add(scene.eve.keyPackage), .remove(LeafIndex(3))]),
            scene.carol.commit([ProposalListRefusals.reInit()]),
        ].map(\.message)
        var sent =
            try commits + [
                scene.alice.proposeUpdate(), scene.carol.propose(.add(scene.eve.keyPackage)),
                scene.carol.propose(.groupContextExtensions(bob.context.extensions)),
            ]
        if scene.bob.options.encryptsHandshake {
            sent += try [scene.dave.encrypt([]), scene.dave.encrypt([UInt8](repeating: 7, count: 300))]
        } else {
            sent.append(try scene.dave.propose(.custom(.selfRemove, body: nil)))
            sent.append(try Group.join(scene.alice.groupInfo(), with: scene.eve, policy: ScenePolicy()).commit)
            sent.append(
                try scene.alice.forge(.proposal(.remove(LeafIndex(2))), sender: .external(0), key: scene.external))
        }
        return Attempt(samples: sent.map(\.encoded)) { bytes in
            var reader = bob
            _ = try reader.process(MLSMessage(bytes: bytes))
        }
    }

    private static func keyPackages(_ scene: Scene) throws -> Attempt {
        let suites = try [CipherSuite.x25519ChaCha20, .x25519AES128].map { try Person("Frank", $0).keyPackage() }
        let packages = try [
            scene.eve.keyPackage, scene.eve.forged(extensions: [Extension(type: .lastResort, data: [])]),
        ]
        return Attempt(samples: (packages + suites.map(\.keyPackage)).map(\.encoded)) { bytes in
            try KeyPackage(bytes: bytes).validate(at: 1_000)
        }
    }

    /// A Welcome without a tree, and the tree that comes by another way.
    private static func treesApart(_ scene: Scene) throws -> Attempt {
        var alice = scene.alice
        let commit = try alice.commit([.add(scene.eve.keyPackage)], treeInWelcome: false)
        try alice.merge(commit.staged)
        let welcome = try #require(commit.welcome)
        return Attempt(samples: [alice.tree.list.encoded]) { bytes in
            _ = try Group(joining: welcome, with: scene.eve, tree: bytes, policy: ScenePolicy())
        }
    }

    private static func welcomes(_ scene: Scene) throws -> Attempt {
        var alice = scene.alice
        let samples = try [true, false].map { freshKeys in
            try #require(alice.commit([.add(scene.eve.keyPackage)], freshKeys: freshKeys).welcome).encoded
        }
        return Attempt(samples: samples) { bytes in
            _ = try Group(joining: Welcome(bytes: bytes), with: scene.eve, policy: ScenePolicy())
        }
    }
}
