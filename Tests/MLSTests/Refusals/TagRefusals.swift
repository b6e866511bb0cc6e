import Testing

@testable import MLS

/// Tags of another length or content, and what must not have happened when one is refused.
@Suite struct TagRefusals {
    static let changes: [(String, @Sendable ([UInt8]) -> [UInt8])] = [
        ("empty", { _ in [] }),
        ("its first byte alone", { Array($0.prefix(1)) }),
        ("a byte short", { $0.dropLast() }),
        ("a byte long", { $0 + [0] }),
        ("twice", { $0 + $0 }),
        ("its first bit flipped", { [$0[0] ^ 1] + $0.dropFirst() }),
        ("its last bit flipped", { $0.dropLast() + [$0[$0.count - 1] ^ 0x80] }),
        ("all zeros", { $0.map { _ in 0 } }),
    ]

    /// An honest commit of Alice's whose confirmation tag is changed and whose membership tag is right.
    private func commit(in scene: inout Scene, _ change: ([UInt8]) -> [UInt8]) throws -> MLSMessage {
        let message = try scene.alice.commit().message
        guard case .publicMessage(let honest) = message.body, case .commit(let commit) = honest.content.content
        else { throw MLSError(.malformed) }
        // Ed25519 signs the same bytes alike, so that nothing but the tag is another one.
        return try scene.alice.forge(
            .commit(commit), confirmationTag: change(try #require(honest.auth.confirmationTag)))
    }

    @Test("an unchanged tag is right")
    func honest() throws {
        var scene = try Scene.open()
        try scene.bob.follow(commit(in: &scene) { $0 })
    }

    @Test("a commit is refused whose confirmation tag is", arguments: changes.indices)
    func confirmation(place: Int) throws {
        var scene = try Scene.open()
        let message = try commit(in: &scene, Self.changes[place].1)
        let before = (scene.bob.context, scene.bob.epochAuthenticator, scene.bob.tree.list)
        expectRefusal(.badTag, "confirmation", Self.changes[place].0) { _ = try scene.bob.process(message) }
        #expect(before == (scene.bob.context, scene.bob.epochAuthenticator, scene.bob.tree.list))
        try scene.bob.follow(scene.alice.commit().message)
    }

    @Test("a message is refused whose membership tag is", arguments: changes.indices)
    func membership(place: Int) throws {
        var scene = try Scene.open()
        let change = Self.changes[place].1
        let contents: [Content] = [
            .proposal(.remove(LeafIndex(2))), .commit(Commit(proposals: [], path: try scene.alice.forgedPath())),
        ]
        for content in contents {
            expectRefusal(.badTag, "membership", Self.changes[place].0) {
                _ = try scene.bob.process(scene.alice.forge(content, membershipTag: change))
            }
        }
        #expect(scene.bob.proposals.isEmpty)
    }

    @Test("a Welcome is refused whose confirmation tag is", arguments: changes.indices)
    func welcome(place: Int) throws {
        let scene = try Scene.open()
        var welcome = ForgedWelcome(from: scene.alice, adding: [scene.eve.keyPackage])
        welcome.confirmationTag = Self.changes[place].1
        expectRefusal(.badTag, "confirmation", Self.changes[place].0) { _ = try welcome.join(scene.eve) }
    }

    @Test("a message without its membership tag does not parse")
    func noTag() throws {
        var scene = try Scene.open()
        let message = try scene.alice.forge(.proposal(.remove(LeafIndex(2))))
        expectRefusal(.malformed, "bytes end inside an integer", "no tag") {
            _ = try MLSMessage(bytes: Array(message.encoded.dropLast(33)))
        }
    }
}
