import Foundation
import MLS
import Marmot
import NostrCore
import NostrTesting
import Testing

@Suite(
    "MLS groups with MDK", .serialized, .timeLimit(.minutes(10)),
    .enabled(if: Peer.isWanted, "run scripts/peers.sh to test against programs that are not ours"))
struct GroupsAgainstMDKTests {
    private static let member = "mdk_member.py"

    @Test("we join their group, talk, follow who comes and goes, renew our keys, and are removed")
    func theirGroup() async throws {
        var ours = try MarmotMember(.bob)
        try await Peer.run(Self.member, [TestPerson.alice.secretHex]) { alice, _ in
            try await Peer.run(Self.member, [TestPerson.carol.secretHex]) { carol, _ in
                let made = try await alice.ask(["create", "Tea", ours.keyPackage])
                try #require(made.count == 3, "\(made)")
                let id = made[0]
                try ours.join(made[2], from: .alice)
                try await Self.agree(ours, [(alice, id)])
                #expect(try ours.receive(try await alice.ask(["say", id, "hello there"])[0]) == "hello there")
                #expect(try await Self.receive(alice, id, ours.send("hello 🦜")) == "hello 🦜")

                let package = try await carol.ask(["key_package"])[0]
                let added = try await alice.ask(["add", id, package])
                #expect(try await alice.ask(["merge", id]) == ["merged"])
                #expect(try ours.receive(added[0]) == nil)
                #expect(try await carol.ask(["join", added[1]]) == [id])
                try await Self.agree(ours, [(alice, id), (carol, id)])
                #expect(try ours.receive(try await carol.ask(["say", id, "I am new"])[0]) == "I am new")
                #expect(try await Self.receive(carol, id, ours.send("welcome")) == "welcome")

                // Each renews their keys, and all follow.
                let theirs = try await alice.ask(["update", id])[0]
                #expect(try await alice.ask(["merge", id]) == ["merged"])
                #expect(try await carol.ask(["process", id, theirs]) == ["commit"])
                #expect(try ours.receive(theirs) == nil)
                let renewed = try ours.commit().event
                for peer in [alice, carol] { #expect(try await peer.ask(["process", id, renewed]) == ["commit"]) }
                try await Self.agree(ours, [(alice, id), (carol, id)])
                #expect(try await Self.receive(alice, id, ours.send("new keys")) == "new keys")

                let removed = try await alice.ask(["remove", id, TestPerson.carol.publicKey.hex])[0]
                #expect(try await alice.ask(["merge", id]) == ["merged"])
                #expect(try ours.receive(removed) == nil)
                try await Self.agree(ours, [(alice, id)])
                #expect(try ours.receive(try await alice.ask(["say", id, "just us"])[0]) == "just us")

                let last = try await alice.ask(["remove", id, TestPerson.bob.publicKey.hex])[0]
                #expect(try ours.receive(last) == nil)
                #expect(ours.group == nil)
            }
        }
    }

    @Test("they join our group, talk, follow who comes and goes, and renew their keys")
    func ourGroup() async throws {
        var ours = try MarmotMember(.alice)
        try ours.create("Tea")
        try await Peer.run(Self.member, [TestPerson.bob.secretHex]) { bob, _ in
            try await Peer.run(Self.member, [TestPerson.carol.secretHex]) { carol, _ in
                let id = try await Self.invite(bob, to: &ours, whoSee: [])
                #expect(try await Self.receive(bob, id, ours.send("hello there")) == "hello there")
                #expect(try ours.receive(try await bob.ask(["say", id, "hello 🦜"])[0]) == "hello 🦜")

                #expect(try await Self.invite(carol, to: &ours, whoSee: [bob]) == id)
                try await Self.agree(ours, [(bob, id), (carol, id)])
                for peer in [bob, carol] { #expect(try await Self.receive(peer, id, ours.send("three")) == "three") }
                #expect(try ours.receive(try await carol.ask(["say", id, "of us"])[0]) == "of us")

                let theirs = try await carol.ask(["update", id])[0]
                #expect(try await carol.ask(["merge", id]) == ["merged"])
                #expect(try await bob.ask(["process", id, theirs]) == ["commit"])
                #expect(try ours.receive(theirs) == nil)
                let renewed = try ours.commit().event
                for peer in [bob, carol] { #expect(try await peer.ask(["process", id, renewed]) == ["commit"]) }
                try await Self.agree(ours, [(bob, id), (carol, id)])

                // Late and out of order, and across an epoch.
                let (first, second) = (try ours.send("first"), try ours.send("second"))
                let next = try ours.commit().event
                #expect(try await Self.receive(bob, id, second) == "second")
                for peer in [bob, carol] { #expect(try await peer.ask(["process", id, next]) == ["commit"]) }
                #expect(try await Self.receive(bob, id, first) == "first")

                let removing = try #require(ours.group).removing([TestPerson.carol.publicKey])
                let removal = try ours.commit(removing).event
                #expect(try await bob.ask(["process", id, removal]) == ["commit"])
                try await Self.agree(ours, [(bob, id)])
                _ = try await carol.ask(["process", id, removal])
                let secret = try ours.send("just us")
                #expect(try await Self.receive(bob, id, secret) == "just us")
                #expect(try await carol.ask(["process", id, secret]).first != "application_message")
            }
        }
    }

    @Test("they let us go, we let them go, and both follow a new name")
    func leaving() async throws {
        var (ours, other) = (try MarmotMember(.alice), try MarmotMember(.carol))
        try ours.create("Tea")
        try await Peer.run(Self.member, [TestPerson.bob.secretHex]) { bob, _ in
            let id = try await Self.invite(bob, to: &ours, whoSee: [])
            let (added, invitation) = try ours.add(other.keyPackage)
            try other.join(invitation, from: .alice)
            #expect(try await bob.ask(["process", id, added]) == ["commit"])

            var data = try #require(ours.group).roster.data
            data.name = "Coffee ☕"
            let renaming = try ours.commit([#require(ours.group).setting(data)]).event
            #expect(try await bob.ask(["process", id, renaming]) == ["commit"])
            #expect(try other.receive(renaming) == nil)
            try await Self.agree(other, [(bob, id)])

            // Carol asks, MDK commits at once, and all follow its commit.
            let leaving = try other.leave()
            #expect(try ours.receive(leaving) == nil)
            let answer = try await bob.ask(["process", id, leaving])
            try #require(answer.first == "proposal" && answer.count == 2, "\(answer)")
            #expect(try await bob.ask(["process", id, answer[1]]) == ["commit"])
            #expect(try ours.receive(answer[1]) == nil)
            #expect(try other.receive(answer[1]) == nil)
            #expect(other.group == nil)
            try await Self.agree(ours, [(bob, id)])

            // MDK asks, and we commit.
            let theirs = try await bob.ask(["leave", id])[0]
            #expect(try ours.receive(theirs) == nil)
            let letting = try ours.commit().event
            #expect(try await bob.ask(["process", id, letting]) == ["commit"])
            #expect(ours.group?.roster.people == [TestPerson.alice.publicKey])
        }
    }

    /// Adds a peer; the peers that are members already follow.
    private static func invite(_ peer: Peer, to ours: inout MarmotMember, whoSee others: [Peer]) async throws -> String
    {
        let package = try await peer.ask(["key_package"])[0]
        let (event, invitation) = try ours.add(package)
        let answer = try await peer.ask(["join", invitation])
        try #require(answer.count == 1, "\(answer)")
        for other in others { #expect(try await other.ask(["process", answer[0], event]) == ["commit"]) }
        try await agree(ours, [(peer, answer[0])])
        return answer[0]
    }

    private static func receive(_ peer: Peer, _ id: String, _ event: String) async throws -> String? {
        let answer = try await peer.ask(["process", id, event])
        #expect(answer.first == "application_message", "\(answer)")
        return answer.last
    }

    /// All are in one epoch with one tree.
    private static func agree(_ ours: MarmotMember, _ peers: [(Peer, String)]) async throws {
        for (peer, id) in peers { #expect(try await peer.ask(["state", id]) == ours.state) }
    }
}
