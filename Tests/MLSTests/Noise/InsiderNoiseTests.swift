import Testing

@testable import MLS

/// Damage done by a member, who signs and encrypts it as it should be: it goes deeper, and traps no more than the rest.
@Suite struct InsiderNoiseTests {
    private static let count = 600 * Mutation.rounds

    /// What members could say, by its type.
    private static func contents(_ scene: Scene) throws -> [(ContentType, [[UInt8]])] {
        let alice = scene.alice
        let path = try alice.forgedPath()
        let pair = try alice.algorithms.generateKeyPair()
        let proposals: [Proposal] = try [
            .add(scene.eve.keyPackage), .remove(LeafIndex(3)), ProposalListRefusals.psk(),
            .update(alice.ownLeaf(pair.publicKey, source: .update)), ProposalListRefusals.reInit(),
            .groupContextExtensions(alice.context.extensions), .custom(Scene.custom, body: [1, 2]),
            .custom(.selfRemove, body: nil), .externalInit(kemOutput: [UInt8](repeating: 9, count: 32)),
        ]
        let commits =
            proposals.map { Commit(proposals: [.proposal($0)], path: path) } + [
                Commit(proposals: [], path: path), Commit(proposals: proposals.map { .proposal($0) }, path: nil),
            ]
        return [(.proposal, proposals.map(\.encoded)), (.commit, commits.map(\.encoded))]
    }

    @Test("a damaged commit, signed and tagged for the members, is not followed", arguments: [false, true])
    func commits(encrypted: Bool) throws {
        var scene = try Scene(encrypted: encrypted)
        let samples = try Self.contents(scene)[1].1
        var mutation = Mutation(random: SeededRandom(seed: 11))
        var parsed = 0
        for round in 0..<Self.count {
            guard let commit = try? Commit(bytes: mutation.damaged(samples), options: scene.bob.options.codec)
            else { continue }
            parsed += 1
            let message = try scene.alice.forge(
                .commit(commit), as: encrypted ? .privateMessage : .publicMessage)
            #expect(throws: MLSError.self, "round \(round)") {
                var bob = scene.bob
                bob.options.ratchetLimits.forward = .max
                _ = try bob.process(message)
            }
            if encrypted { scene.alice.keys = scene.bob.keys }
        }
        #expect(parsed > Self.count / 20)
        print("noise: commits from inside: \(Self.count) damaged, \(parsed) parsed, 0 accepted")
    }

    @Test("a damaged proposal is refused or kept, and keeps nobody from committing")
    func proposals() throws {
        var scene = try Scene.open()
        let samples = try Self.contents(scene)[0].1
        var mutation = Mutation(random: SeededRandom(seed: 12))
        var (parsed, kept) = (0, 0)
        for round in 0..<Self.count {
            guard let proposal = try? Proposal(bytes: mutation.damaged(samples), options: scene.bob.options.codec)
            else { continue }
            parsed += 1
            let message = try scene.alice.forgeProposal(proposal)
            var bob = scene.bob
            do {
                _ = try bob.process(message)
                kept += 1
                if kept.isMultiple(of: 4) { _ = try bob.commit() }
            } catch {
                #expect(bob.proposals.isEmpty, "round \(round): \(error)")
            }
        }
        #expect(kept > 0)
        print("noise: proposals from inside: \(Self.count) damaged, \(parsed) parsed, \(kept) kept")
    }

    @Test("a damaged tree under its own right hash never traps")
    func trees() throws {
        let scene = try Scene.open()
        let samples = [scene.alice.tree.list.encoded]
        var mutation = Mutation(random: SeededRandom(seed: 13))
        var parsed = 0
        for _ in 0..<Self.count {
            guard
                var tree = try? RatchetTree(NodeList(bytes: mutation.damaged(samples)), scene.alice.algorithms)
            else { continue }
            parsed += 1
            var context = scene.alice.context
            context.treeHash = tree.rootHash()
            // Members of a blanked tree may be as valid as those of the whole one; it only must not trap.
            _ = try? tree.validate(context: context)
            _ = tree.filteredDirectPath(of: LeafIndex(1))
        }
        #expect(parsed > 0)
        print("noise: trees from inside: \(Self.count) damaged, \(parsed) parsed")
    }

    @Test("damage inside a Welcome that opens lets nobody in")
    func welcomes() throws {
        let scene = try Scene.open()
        let algorithms = scene.alice.algorithms
        let forged = ForgedWelcome(from: scene.alice, adding: [scene.eve.keyPackage])
        let joiner = JoinerStep(JoinerSecret(Algorithms.random(32)))
        let info = try [forged.groupInfo(joiner).encoded]
        let secrets = [GroupSecrets(joinerSecret: joiner.joiner, pathSecret: nil, psks: []).encoded]
        let key = algorithms.welcomeKey(joiner.welcome(psk: algorithms.pskSecret([]), algorithms))
        var mutation = Mutation(random: SeededRandom(seed: 14))
        for round in 0..<Self.count {
            let inInfo = round.isMultiple(of: 2)
            let sealed = try algorithms.seal(
                inInfo ? mutation.damaged(info) : info[0], key: key.key, nonce: key.nonce)
            let entry = EncryptedGroupSecrets(
                newMember: algorithms.reference(to: scene.eve.keyPackage),
                encryptedGroupSecrets: try algorithms.encrypt(
                    inInfo ? secrets[0] : mutation.damaged(secrets), to: scene.eve.keyPackage.initKey,
                    label: "Welcome", context: sealed))
            let welcome = Welcome(cipherSuite: algorithms.suite, secrets: [entry], encryptedGroupInfo: sealed)
            #expect(throws: MLSError.self, "round \(round)") {
                _ = try Group(joining: welcome, with: scene.eve, policy: ScenePolicy())
            }
        }
        print("noise: Welcomes from inside: \(Self.count) damaged, 0 accepted")
    }
}
