import Testing

@testable import MLS

/// What a joiner checks of a group that says it follows from another: RFC 9420 §11.2, §11.3, §12.4.3.1.
@Suite struct SuccessionRefusals {
    /// Eve, who was in the old group, and the Welcome into the new one that Alice makes for her.
    struct Invitation {
        var old: Group
        var welcome: ForgedWelcome
        let own: OwnKeyPackage

        init(_ usage: ResumptionUsage) throws {
            old = try Scene.open().bob
            old.successor = ReInit(groupID: [3], cipherSuite: .x25519AES128, extensions: [])
            own = try Scene.keyPackage("Eve")
            let alice = try Group(creating: [3], with: Scene.keyPackage("Alice"), policy: ScenePolicy())
            welcome = ForgedWelcome(from: alice, adding: [own.keyPackage])
            let id = PreSharedKeyID(
                source: .resumption(usage, groupID: old.groupID, epoch: old.epoch),
                nonce: [UInt8](repeating: 1, count: 32))
            welcome.psks = [(id, PreSharedKey(old.secrets.resumption.key))]
        }

        func join() throws -> Group {
            try welcome.join(own, policy: ScenePolicy(groups: [Scene.open().alice.groupID: old]))
        }

        mutating func addStranger() throws {
            let stranger = try Scene.keyPackage("Trudy").keyPackage
            welcome.change { _ = $0.add(stranger.leafNode) }
        }

        mutating func setContext(groupID: [UInt8]) {
            welcome.context = GroupContext(
                cipherSuite: .x25519AES128, groupID: groupID, epoch: 1, treeHash: welcome.context.treeHash,
                confirmedTranscriptHash: [], extensions: [])
        }
    }

    struct Rule: Sendable, CustomTestStringConvertible {
        let rule: String
        let usage: ResumptionUsage
        let reason: String
        let change: @Sendable (inout Invitation) throws -> Void

        init(
            _ rule: String, _ usage: ResumptionUsage, _ reason: String,
            _ change: @escaping @Sendable (inout Invitation) throws -> Void
        ) {
            (self.rule, self.usage, self.reason, self.change) = (rule, usage, reason, change)
        }

        var testDescription: String { rule }
    }

    private static let late = "not the first epoch after another group"
    private static let notEnded = "the group before has not ended"
    private static let notAsSaid = "not what the ReInit said"

    static let rules: [Rule] = [
        Rule("a subgroup starts at epoch 1", .branch, late) { $0.welcome.context.epoch = 2 },
        Rule("a subgroup has the group's suite", .branch, "a subgroup with another version or cipher suite") {
            $0.old.context = GroupContext(
                cipherSuite: .x25519ChaCha20, groupID: $0.old.groupID, epoch: $0.old.epoch, treeHash: [],
                confirmedTranscriptHash: [], extensions: [])
        },
        Rule("a subgroup has nobody new", .branch, "a subgroup with somebody new") { try $0.addStranger() },
        Rule("a group starts again at epoch 1", .reInit, late) { $0.welcome.context.epoch = 0 },
        Rule("a group starts again when it has ended", .reInit, notEnded) { $0.old.successor = nil },
        Rule("a group starts again from its last epoch", .reInit, notEnded) {
            let old = $0.old
            $0.old.past.append(
                PastEpoch(epoch: old.epoch, context: old.context.encoded, tree: old.tree, keys: old.keys))
            $0.old.context.epoch += 1
        },
        Rule("a group starts again under the id that was said", .reInit, notAsSaid) { $0.setContext(groupID: [4]) },
        Rule("a group starts again with the suite that was said", .reInit, notAsSaid) {
            $0.old.successor = ReInit(groupID: [3], cipherSuite: .x25519ChaCha20, extensions: [])
        },
        Rule("a group starts again with the extensions that were said", .reInit, notAsSaid) {
            $0.welcome.context.extensions = [Extension(type: Scene.required, data: [])]
        },
        Rule("a group follows from one group at most", .branch, "the group follows from two") {
            let other = PreSharedKeyID(
                source: .resumption(.reInit, groupID: [9], epoch: 1), nonce: [UInt8](repeating: 2, count: 32))
            $0.welcome.psks.append((other, PreSharedKey([1])))
        },
        Rule("a nonce has the right length", .branch, "the nonce of a pre-shared key has another length") {
            $0.welcome.psks[0].id = PreSharedKeyID(source: $0.welcome.psks[0].id.source, nonce: [1])
        },
        Rule("a key is named once", .branch, "a pre-shared key twice") {
            $0.welcome.psks.append($0.welcome.psks[0])
        },
    ]

    @Test("nobody joins unless", arguments: rules)
    func refused(rule: Rule) throws {
        var invitation = try Invitation(rule.usage)
        try rule.change(&invitation)
        expectRefusal(.invalidWelcome, rule.reason, rule.rule) { _ = try invitation.join() }
    }

    @Test("an honest invitation is taken", arguments: [ResumptionUsage.branch, .reInit])
    func taken(usage: ResumptionUsage) throws { #expect(try Invitation(usage).join().epoch == 1) }

    @Test("nobody joins a group that starts again without a member of before")
    func missing() throws {
        struct ByName: GroupPolicy {
            let old: Group
            func accepts(_ credential: Credential, of key: SignaturePublicKey) -> Bool { true }
            func group(_ groupID: [UInt8]) -> Group? { old }
        }
        // Told apart by name, none of Alice and Eve is Bob, Carol or Dave.
        var invitation = try Invitation(.reInit)
        let alice = try Group(creating: [1], with: Scene.keyPackage("Alice"), policy: ByName(old: invitation.old))
        invitation.old = alice
        invitation.old.successor = ReInit(groupID: [3], cipherSuite: .x25519AES128, extensions: [])
        _ = invitation.old.tree.add(try Scene.keyPackage("Dave").keyPackage.leafNode)
        invitation.welcome.psks = [
            (
                PreSharedKeyID(
                    source: .resumption(.reInit, groupID: [1], epoch: 0), nonce: [UInt8](repeating: 1, count: 32)),
                PreSharedKey(alice.secrets.resumption.key)
            )
        ]
        expectRefusal(.invalidWelcome, "a member of the group before is missing", "Dave is left out") {
            _ = try invitation.welcome.join(invitation.own, policy: ByName(old: invitation.old))
        }
    }
}
