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
        let (old, late) = (try leaf(circle.alice, place), try circle.bob.say("before"))
        let renewing = try circle.bob.change()
        try circle.bob.merge(renewing.commit)
        try circle.alice.follow(renewing.event)
        let new = try leaf(circle.alice, place)
        #expect(new.signatureKey != old.signatureKey && new.encryptionKey != old.encryptionKey)
        #expect(new.credential == old.credential && new.capabilities == old.capabilities)
        #expect(try circle.alice.hear(circle.bob.say("after")) == "after")
        #expect(try circle.alice.hear(late) == "before")

        var data = circle.alice.roster.data
        data.name = "Home"
        let (own, before) = (circle.alice.mls.ownIndex, circle.alice)
        let renaming = try circle.alice.change([circle.alice.saying(data)])
        try circle.bob.follow(renaming.event)
        let (first, second) = (try leaf(before, own), try leaf(circle.bob, own))
        #expect(second.signatureKey == first.signatureKey && second.encryptionKey != first.encryptionKey)
    }
}
