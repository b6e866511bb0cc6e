import Testing

@testable import MLS

/// Who may propose from outside, and that the policy is asked for them: RFC 9420 §5.3.1, §12.1.8.1.
@Suite struct ExternalSendersTests {
    private static let key = SignaturePublicKey([UInt8](repeating: 7, count: 32))
    private static let good = ExternalSender(signatureKey: key, credential: .basic(identity: [1, 2]))
    private static let bad = ExternalSender(signatureKey: key, credential: ScenePolicy.disbelieved)

    /// The context of the scene with another list.
    private static func context(_ senders: [ExternalSender]) -> [Extension] {
        Scene.context(senders: []).map { $0.type == .externalSenders ? ExternalSenders(senders).asExtension : $0 }
    }

    /// Changes of a group that bring these senders.
    private static func changes(_ senders: [ExternalSender]) -> [Proposal] {
        let list = context(senders)
        let next = ReInit(groupID: [9], cipherSuite: .x25519AES128, extensions: list)
        return [.groupContextExtensions(list), .reInit(next)]
    }

    @Test("the list is written as the RFC lays it out, and read back from a context")
    func codes() throws {
        let list = ExternalSenders([Self.good, Self.good])
        let one: [UInt8] = [32] + [UInt8](repeating: 7, count: 32) + [0, 1, 2, 1, 2]
        #expect(list.asExtension == Extension(type: .externalSenders, data: [0x40, 76] + one + one))
        let others = [Extension(type: Scene.required, data: [])]
        #expect(try ExternalSenders(in: others + [list.asExtension]) == list)
        #expect(try ExternalSenders(in: others).senders.isEmpty)
        #expect(try ExternalSenders(in: Scene.open().bob.context.extensions).senders.count == 1)
        for count in 0..<list.encoded.count {
            let cut = Extension(type: .externalSenders, data: Array(list.encoded.prefix(count)))
            #expect(throws: MLSError(.malformed)) { try ExternalSenders(in: [cut]) }
        }
    }

    @Test("nobody makes a group with one who is not believed")
    func refusesCreating() throws {
        let own = try Scene.keyPackage("Alice")
        for senders in [[Self.bad], [Self.good, Self.bad]] {
            expectRefusal(.refusedByPolicy, "an external sender", "creating") {
                _ = try Group(creating: [1], with: own, extensions: Self.context(senders), policy: ScenePolicy())
            }
        }
        _ = try Group(creating: [1], with: own, extensions: Self.context([Self.good]), policy: ScenePolicy())
    }

    @Test("nobody joins a group with one who is not believed", arguments: [false, true])
    func refusesJoining(isBad: Bool) throws {
        let context = Self.context([Self.good] + (isBad ? [Self.bad] : []))
        var alice = try Group(
            creating: [1], with: Scene.keyPackage("Alice"), extensions: context, policy: TrustEverybody())
        let eve = try Scene.keyPackage("Eve")
        let info = try alice.groupInfo()
        let welcome = try #require(try alice.commit([.add(eve.keyPackage)]).welcome)
        guard isBad else {
            _ = try Group(joining: welcome, with: eve, policy: ScenePolicy())
            _ = try Group.join(info, with: eve, policy: ScenePolicy())
            return
        }
        expectRefusal(.refusedByPolicy, "an external sender", "by a Welcome") {
            _ = try Group(joining: welcome, with: eve, policy: ScenePolicy())
        }
        expectRefusal(.refusedByPolicy, "an external sender", "from outside") {
            _ = try Group.join(info, with: eve, policy: ScenePolicy())
        }
    }

    @Test("no commit brings one who is not believed, to this group or the one that follows", arguments: [0, 1])
    func refusesCommits(place: Int) throws {
        let scene = try Scene.open()
        var trusting = try Group(scene.alice.saved, policy: TrustEverybody(), options: scene.alice.options)
        for senders in [[Self.bad], [Self.good, Self.bad], [Self.good]] {
            var (alice, bob) = (scene.alice, scene.bob)
            let change = Self.changes(senders)[place]
            let theirs = try trusting.commit([change]).message
            guard senders.contains(Self.bad) else {
                _ = try alice.commit([change])
                _ = try bob.process(theirs)
                continue
            }
            expectRefusal(.refusedByPolicy, "an external sender", "our commit") { _ = try alice.commit([change]) }
            expectRefusal(.refusedByPolicy, "an external sender", "theirs") { _ = try bob.process(theirs) }
            // Nor does a proposal of it keep us from committing.
            _ = try bob.process(trusting.propose(change))
            #expect(try bob.commit().staged.proposals.isEmpty)
            trusting = try Group(scene.alice.saved, policy: TrustEverybody(), options: scene.alice.options)
        }
    }

    @Test("who was there before is not asked for when something else changes")
    func asksOnce() throws {
        var alice = try Group(
            creating: [1], with: Scene.keyPackage("Alice"), extensions: Self.context([Self.bad]),
            policy: TrustEverybody())
        alice = try Group(alice.saved, policy: ScenePolicy())
        let same = Self.context([Self.bad])
        _ = try alice.commit([.groupContextExtensions(same + [Extension(type: Scene.required, data: [1])])])
        _ = try alice.commit([.groupContextExtensions(Self.context([Self.good]))])
        expectRefusal(.refusedByPolicy, "an external sender", "a list that changes") {
            _ = try alice.commit([.groupContextExtensions(Self.context([Self.bad, Self.good]))])
        }
    }

    @Test("a policy may believe somebody outside whom it would not have as a member")
    func differs() throws {
        struct Separate: GroupPolicy {
            let outside: ExternalSender
            func accepts(_ credential: Credential, of key: SignaturePublicKey) -> Bool { key != outside.signatureKey }
            func accepts(_ sender: ExternalSender) -> Bool { sender == outside }
        }
        let policy = Separate(outside: Self.good)
        let context = Self.context([Self.good])
        var alice = try Group(creating: [1], with: Scene.keyPackage("Alice"), extensions: context, policy: policy)
        expectRefusal(.refusedByPolicy, "an external sender", "another") {
            _ = try alice.commit([.groupContextExtensions(Self.context([Self.bad]))])
        }
    }

    @Test("what stands in a ReInit to a later version is not read")
    func leavesLaterVersions() throws {
        let broken = Extension(type: .externalSenders, data: [1])
        var bytes = ReInit(groupID: [9], cipherSuite: .x25519AES128, extensions: [broken]).encoded
        var scene = try Scene.open()
        let now = try ReInit(bytes: bytes)
        #expect(throws: MLSError(.malformed)) { try scene.alice.commit([.reInit(now)]) }
        bytes[3] = 2
        let later = try ReInit(bytes: bytes)
        #expect(later.version.rawValue == 2)
        _ = try scene.bob.process(scene.alice.commit([.reInit(later)]).message)
    }
}
