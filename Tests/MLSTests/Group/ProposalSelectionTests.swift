import Synchronization
import Testing

@testable import MLS

/// Which of the proposals that wait are committed when not all of them can be: RFC 9420 §12.2, §12.4.
@Suite struct ProposalSelectionTests {
    /// Proposals that came to Bob, in this order, and those of them he commits.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let changes: @Sendable (Scene) throws -> [Proposal]
        let proposals: @Sendable (inout Scene) throws -> [MLSMessage]
        let kept: [Int]

        init(
            _ name: String, keeps kept: [Int],
            beside changes: @escaping @Sendable (Scene) throws -> [Proposal] = { _ in [] },
            _ proposals: @escaping @Sendable (inout Scene) throws -> [MLSMessage]
        ) {
            (testDescription, self.kept, self.changes, self.proposals) = (name, kept, changes, proposals)
        }
    }

    private static func bare(_ name: String) throws -> Proposal {
        .add(try Scene.keyPackage(name, capabilities: Capabilities()).keyPackage)
    }

    private static let same = Proposal.groupContextExtensions([])

    static let cases: [Case] = [
        Case("a Remove before an Update of the same leaf", keeps: [1]) { scene in
            [try scene.carol.proposeUpdate(), try scene.alice.forgeProposal(.remove(LeafIndex(2)))]
        },
        Case("the last Update of a member", keeps: [2, 3]) { scene in
            [
                try scene.carol.proposeUpdate(), try scene.carol.proposeUpdate(), try scene.dave.proposeUpdate(),
                try scene.carol.proposeUpdate(),
            ]
        },
        Case("a SelfRemove before a Remove of the same leaf", keeps: [1, 2]) { scene in
            [
                try scene.alice.forgeProposal(.remove(LeafIndex(2))),
                try scene.carol.propose(.custom(.selfRemove, body: nil)),
                try scene.dave.propose(.custom(.selfRemove, body: nil)),
            ]
        },
        Case("one Remove of a leaf", keeps: [0]) { scene in
            [try scene.alice.propose(.remove(LeafIndex(2))), try scene.dave.propose(.remove(LeafIndex(2)))]
        },
        Case("other extensions once", keeps: [0, 2]) { scene in
            [
                try scene.carol.propose(.groupContextExtensions(scene.alice.context.extensions)),
                try scene.carol.propose(same), try scene.dave.proposeUpdate(),
            ]
        },
        Case("no extensions that a member who stays does not meet", keeps: [1]) { scene in
            [
                try scene.carol.propose(ProposalListRefusals.requiring([ExtensionType(rawValue: 0x7b01)])),
                try scene.carol.proposeUpdate(),
            ]
        },
        Case("no Add that the other extensions do not allow", keeps: [1]) { scene in
            [
                try scene.carol.forgeProposal(bare("Frank")),
                try scene.carol.propose(ProposalListRefusals.requiring([Scene.required])),
            ]
        },
        Case(
            "no Add that our own extensions do not allow", keeps: [1],
            beside: { _ in [ProposalListRefusals.requiring([Scene.required])] }
        ) { scene in
            [try scene.carol.forgeProposal(bare("Frank")), try scene.carol.propose(.add(scene.eve.keyPackage))]
        },
        Case("one Add of a client", keeps: [0, 2]) { scene in
            let add = Proposal.add(scene.eve.keyPackage)
            return [try scene.carol.propose(add), try scene.dave.propose(add), try scene.dave.proposeUpdate()]
        },
        Case("no Add of a member, unless they are removed", keeps: [1, 2]) { scene in
            [
                try scene.carol.propose(.add(ProposalListRefusals.again(scene.alice))),
                try scene.carol.propose(.add(ProposalListRefusals.again(scene.dave))),
                try scene.carol.propose(.remove(LeafIndex(3))),
            ]
        },
        Case("no Add of whom we add ourselves", keeps: [1], beside: { [.add($0.eve.keyPackage)] }) { scene in
            [try scene.carol.propose(.add(scene.eve.keyPackage)), try scene.dave.proposeUpdate()]
        },
        Case("no Remove of whom we remove ourselves", keeps: [1], beside: { _ in [.remove(LeafIndex(3))] }) { scene in
            [try scene.carol.propose(.remove(LeafIndex(3))), try scene.carol.proposeUpdate()]
        },
        Case("a ReInit only alone", keeps: [1]) { scene in
            [try scene.carol.propose(ProposalListRefusals.reInit()), try scene.dave.proposeUpdate()]
        },
        Case("the first ReInit where there is nothing else", keeps: [1]) { scene in
            [
                try scene.carol.propose(.remove(LeafIndex(6))), try scene.carol.propose(ProposalListRefusals.reInit()),
                try scene.dave.propose(ProposalListRefusals.reInit()),
            ]
        },
        Case("no pre-shared key that is not here", keeps: [1]) { scene in
            [try scene.carol.propose(ProposalListRefusals.psk()), try scene.dave.proposeUpdate()]
        },
        Case("no custom type that a member does not know", keeps: [1]) { scene in
            [try scene.carol.propose(.custom(Scene.custom, body: [1])), try scene.dave.proposeUpdate()]
        },
        Case("no credential that others do not know, nor one that is not believed", keeps: [2]) { scene in
            [
                try scene.carol.proposeUpdate(credential: .x509(certificates: [[1]])),
                try scene.carol.proposeUpdate(credential: ScenePolicy.disbelieved), try scene.dave.proposeUpdate(),
            ]
        },
    ]

    @Test("chooses", arguments: cases)
    func chooses(one: Case) throws {
        var scene = try Scene.open()
        let changes = try one.changes(scene)
        let references = try one.proposals(&scene).map { try scene.bob.accept($0) }
        let proposals = references.compactMap { scene.bob.proposals[$0]?.proposal }
        let commit = try scene.bob.commit(changes)
        #expect(commit.staged.proposals.map(\.proposal) == one.kept.map { proposals[$0] } + changes)
    }

    @Test("new members take their places in the order they were proposed")
    func order() throws {
        var scene = try Scene.open()
        let packages = try (0..<5).map { try Scene.keyPackage("newcomer \($0)").keyPackage }
        for package in packages { _ = try scene.bob.accept(scene.carol.propose(.add(package))) }
        let staged = try scene.bob.commit().staged
        #expect(staged.added.compactMap { staged.next.tree.leaf($0) } == packages.map(\.leafNode))
    }

    @Test("our own commit is made whatever others propose")
    func neverWedges() throws {
        let seed = UInt64.random(in: .min ... .max)
        var random = SeededRandom(seed: seed)
        let start = try Scene.open()
        var pool: [Proposal] = try [
            .add(start.eve.keyPackage), .add(ProposalListRefusals.again(start.dave)), Self.bare("Frank"),
            .add(Scene.keyPackage("Grace").forged(initKey: start.eve.keyPackage.initKey)),
            ProposalListRefusals.psk(), ProposalListRefusals.psk(nonce: 3), ProposalListRefusals.reInit(), Self.same,
            .groupContextExtensions(start.alice.context.extensions), ProposalListRefusals.requiring([Scene.required]),
            ProposalListRefusals.requiring([], [Scene.custom]), .custom(Scene.custom, body: []),
        ]
        pool += [0, 2, 3, 6, 1].map { .remove(LeafIndex($0)) }
        for round in 0..<60 {
            var scene = start
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                let who = [\Scene.alice, \.carol, \.dave][Int.random(in: 0..<3, using: &random)]
                let message: MLSMessage
                switch Int.random(in: 0..<8, using: &random) {
                case 0: message = try scene[keyPath: who].proposeUpdate()
                case 1:
                    let signer = try SignaturePrivateKey(for: .x25519AES128)
                    message = try scene[keyPath: who].proposeUpdate(signer: signer)
                case 2: message = try scene[keyPath: who].propose(.custom(.selfRemove, body: nil))
                default:
                    let proposal = pool[Int.random(in: pool.indices, using: &random)]
                    message = try scene[keyPath: who].forgeProposal(proposal)
                }
                _ = try scene.bob.accept(message)
            }
            let waiting = scene.bob.committable
            let chosen = scene.bob.compatible(waiting, with: [])
            var bob = scene.bob
            // What is chosen is a valid list: there is no third attempt.
            let commit = try? bob.commit([], pending: chosen, Group.CommitOptions())
            #expect(commit != nil, "seed \(seed), round \(round): \(chosen.map(\.sent.proposal.type))")
        }
    }

    /// Counts how often it is asked, which is once for every look at a leaf.
    private final class Counting: GroupPolicy {
        let count = Mutex(0)

        func accepts(_ credential: Credential, of key: SignaturePublicKey) -> Bool {
            count.withLock { $0 += 1 }
            return true
        }
    }

    @Test("choosing among twice as many takes twice as many looks")
    func linear() throws {
        let packages = try (0..<80).map { try Scene.keyPackage("newcomer \($0)").keyPackage }
        func looks(_ number: Int) throws -> Int {
            var scene = try Scene.open()
            for package in packages.prefix(number) { _ = try scene.bob.accept(scene.carol.propose(.add(package))) }
            // Two that exclude each other, so that a choice has to be made.
            for _ in 0..<2 { _ = try scene.bob.accept(scene.carol.proposeUpdate()) }
            let policy = Counting()
            var bob = try Group(scene.bob.saved, policy: policy, options: scene.bob.options)
            #expect(try bob.commit().staged.added.count == number)
            return policy.count.withLock { $0 }
        }
        let (few, many) = (try looks(40), try looks(80))
        #expect(many <= 2 * few, "\(few) looks at 40, \(many) at 80")
        #expect(few <= 3 * 42, "Each is looked at by two attempts and one choice.")
    }
}
