import MLS
import NostrCore
import NostrTesting
import Testing

@testable import Marmot

@Suite("Renewing one's keys (MIP-00, MIP-03)") struct KeyRenewalTests {
    private func leaf(_ group: MarmotGroup, _ place: LeafIndex) throws -> LeafNode {
        try #require(group.mls.members.first { $0.index == place }?.leaf)
    }

    @Test("a commit without changes renews both keys of a member, any other that for encryption only")
    func renews() throws {
        var circle = try Circle.open()
        let place = circle.bob.mls.ownIndex
        let (old, late) = (try leaf(circle.alice, place), try circle.bob.sendText("before"))
        let renewing = try circle.bob.change()
        try circle.bob.merge(renewing.commit)
        try circle.alice.follow(renewing.event)
        let new = try leaf(circle.alice, place)
        #expect(new.signatureKey != old.signatureKey && new.encryptionKey != old.encryptionKey)
        #expect(new.credential == old.credential && new.capabilities == old.capabilities)
        #expect(try circle.alice.readText(circle.bob.sendText("after")) == "after")
        #expect(try circle.alice.readText(late) == "before")

        var data = circle.alice.roster.data
        data.name = "Home"
        let (own, before) = (circle.alice.mls.ownIndex, circle.alice)
        let renaming = try circle.alice.change([circle.alice.setting(data)])
        try circle.bob.follow(renaming.event)
        let (first, second) = (try leaf(before, own), try leaf(circle.bob, own))
        #expect(second.signatureKey == first.signatureKey && second.encryptionKey != first.encryptionKey)
    }

    @Test("who asks for more than is kept is read again once a commit names it")
    func surplus() throws {
        var circle = try Circle.open()
        var (carol, alice) = (try circle.careless(.carol), try circle.careless(.alice))
        carol.options.proposalLimits.count = .max
        alice.options.proposalLimits.count = .max
        let count = ProposalLimits().count + 3
        var surplus: [Event] = []
        for number in 0..<count {
            // Each adds somebody else.
            let package = try keyPackage(number)
            let message = try carol.propose(.add(package.keyPackage))
            _ = try alice.process(message)
            let event = try circle.alice.envelope(message)
            switch try circle.bob.read(event, now: noon) {
            case .proposal: #expect(number < ProposalLimits().count)
            case .unripe(.proposal): surplus.append(event)
            default: Issue.record("another outcome")
            }
        }
        #expect(surplus.count == 3)
        let own = try alice.commit()
        let commit = try circle.alice.envelope(own.message)
        guard case .unripe(.commit) = try circle.bob.read(commit, now: noon) else {
            Issue.record("it can be read")
            return
        }
        for event in surplus {
            guard case .proposal = try circle.bob.read(event, now: noon) else {
                Issue.record("there is no room")
                return
            }
        }
        try circle.bob.follow(commit)
        #expect(circle.bob.mls.members.count == 3 + count)
        try alice.merge(own.staged)
        #expect(circle.bob.mls.epochAuthenticator == alice.epochAuthenticator)
    }

    /// A key package of somebody with a number.
    private func keyPackage(_ number: Int) throws -> OwnKeyPackage {
        var random = SeededRandom(seed: UInt64(number) + 1)
        let key = SecretKey.generate(using: &random).publicKey
        return try GenerationB().newKeyPackage(for: key, now: noon, using: &random)
    }
}
