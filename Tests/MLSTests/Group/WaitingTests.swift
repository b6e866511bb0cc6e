import Testing

@testable import MLS

/// A policy that commits what members want who leave, and nothing else.
private struct CommitsLeaving: GroupPolicy {
    func accepts(_ credential: Credential, of key: SignaturePublicKey) -> Bool { true }

    func commits(_ proposal: Proposal, from sender: Sender, in group: Group) -> Bool {
        guard case .member(let place) = sender, group.members.contains(where: { $0.index == place }) else {
            return false
        }
        return proposal.type == .selfRemove
    }
}

@Suite struct WaitingTests {
    @Test("what the policy does not want in our commits waits for those of others")
    func waits() throws {
        let scene = try Scene.open()
        var alice = try Group(scene.alice.saved, policy: CommitsLeaving(), options: scene.alice.options)
        var (bob, carol, dave) = (scene.bob, scene.carol, scene.dave)
        let messages = [
            try carol.propose(.add(scene.eve.keyPackage)), try dave.propose(.custom(.selfRemove, body: nil)),
        ]
        for message in messages {
            _ = try alice.process(message)
            _ = try bob.process(message)
        }
        let ours = try alice.commit().staged
        #expect(ours.added.isEmpty && ours.removed == [dave.ownIndex])
        let theirs = try bob.commit()
        try alice.follow(theirs.message)
        #expect(alice.members.count == 4 && alice.members.contains { $0.leaf == scene.eve.keyPackage.leafNode })
    }

    @Test("a Welcome is looked into before it is used, by whom it is for")
    func looks() throws {
        let scene = try Scene.open()
        var alice = scene.alice
        let welcome = try #require(try alice.commit([.add(scene.eve.keyPackage)]).welcome)
        let info = try welcome.groupInfo(for: scene.eve)
        #expect(info.context.groupID == alice.groupID && info.signer == alice.ownIndex && info.context.epoch == 2)
        let stranger = try Scene.keyPackage("Trudy")
        expectRefusal(.invalidWelcome, "not for this key package", "another's") {
            _ = try welcome.groupInfo(for: stranger)
        }
        _ = try Group(joining: welcome, with: scene.eve, policy: ScenePolicy())
    }
}
