import AccountTesting
import Marmot
import NostrCore
import NostrNIPs
import NostrRelay
import NostrSigner
import NostrStore
import NostrTesting
import Testing

@testable import Circles
@testable import NostrClient

extension MailPerson {
    /// The account's circles.
    var circles: AccountCircles {
        get throws {
            guard let circles = account.circles else { throw CircleError.locked }
            return circles
        }
    }

    /// The texts of a circle, oldest first.
    func lines(_ id: CircleID) async throws -> [String] {
        try await circles.reader.page(of: id, before: nil, limit: 500).lines.compactMap { line in
            switch line.body {
            case .text(let text): text
            case .deleted: "deleted"
            case .muted: "muted"
            case .change: nil
            }
        }
    }

    /// Who is in a circle, as this person knows it.
    func members(_ id: CircleID) async throws -> Set<PublicKey> {
        Set(try await circles.reader.page(of: id, before: nil, limit: 1).members.map(\.id))
    }

    /// Whether this person is in a circle.
    func isIn(_ id: CircleID) async throws -> Bool {
        try await circles.reader.overview().circles.contains { $0.id == id && $0.standing == .member }
    }
}

extension MailBench {
    /// People whose accounts have circles.
    ///
    /// - Parameter sources: from where the place of somebody's machine is read.
    static func withCircles(sources: [TestPerson: LocationSourceSetting] = [:]) -> MailBench {
        MailBench { who in [AccountCircles.factory(source: sources[who] ?? LocationSourceSetting())] }
    }

    /// A circle at one relay, founded by one person whose lists are known, and joined by another.
    func circle(at relay: RelayURL, of founder: MailPerson, with newcomer: MailPerson) async throws -> CircleID {
        try await eventually("lists are known") {
            let (one, other) = (await founder.account.state().inbox, await newcomer.account.state().inbox)
            return !one.isEmpty && !other.isEmpty
        }
        let id = try await founder.circles.membership.create("Family", about: "", relays: [relay])
        try await join(newcomer, id, of: founder)
        return id
    }

    /// A circle that one person founds and another joins by an invitation.
    func join(_ newcomer: MailPerson, _ id: CircleID, of founder: MailPerson) async throws {
        let invite = try await founder.circles.membership.invite(to: id)
        try await newcomer.circles.membership.ask(invite, name: "\(newcomer.who)")
        try await eventually("the request is there") {
            try await founder.circles.reader.overview().circles.first { $0.id == id }?.requests ?? 0 > 0
        }
        try await founder.circles.membership.admit([newcomer.key], to: id)
        try await eventually("\(newcomer.who) is in") { try await newcomer.isIn(id) }
    }
}

/// Circles between accounts: founded, joined, talked in, left.
@Suite(.timeLimit(.minutes(10)))
struct CircleTests {
    let bench = MailBench.withCircles()

    @Test("its relays are the choice of who founded it, not of whom they let in, who is asked")
    func chosenRelays() async throws {
        bench.layOut(.alice, .bob)
        let (alice, bob) = (bench.person(.alice), bench.person(.bob))
        try await alice.unlock()
        try await bob.unlock()
        let near = try RelayURL("ws://192.168.1.5:7777")
        try await bench.running(alice, bob) {
            let id = try await bench.circle(at: near, of: alice, with: bob)
            #expect(alice.account.services.gossip.isChosen(near))
            #expect(!bob.account.services.gossip.isChosen(near))
            let before = try await bob.circles.reader.page(of: id, before: nil, limit: 1)
            #expect(before.relays == [near] && before.unchosenRelays.isEmpty)
            var statistics = RelayStatistics()
            statistics.awaitsPermission = true
            bench.network.setStatistics(statistics, of: near)
            #expect(try await bob.circles.reader.page(of: id, before: nil, limit: 1).unchosenRelays == [near])
            #expect(try await alice.circles.store.typedRelays == [near])
        }
    }

    @Test("a request to join waits for a relay in a private network, and goes there once that is allowed")
    func unchosenInvitation() async throws {
        bench.layOut(.bob)
        let bob = bench.person(.bob)
        try await bob.unlock()
        let near = try RelayURL("ws://192.168.1.5:7777")
        bench.network.set(near, .unnamed)
        let invite = try #require(
            CircleInvite(circle: [1, 2, 3], inviter: TestPerson.alice.publicKey, relays: [near], name: "Family"))
        try await bench.running(bob) {
            try await bench.eventually("lists are known") { await !bob.account.state().inbox.isEmpty }
            try await bob.circles.membership.ask(invite, name: nil)
            // Before anything was tried, its address tells enough.
            let asked = try #require(try await bob.circles.reader.overview().asked.first)
            #expect(asked.name == "Family" && asked.unchosenRelays == [near])
            try await bench.eventually("it was tried") {
                bench.network.offers.contains { $0.relay == near && $0.event.kind == GiftWrap.kind }
            }
            bench.network.set(near, .answers)
            try await bench.eventually("it went there") {
                // The answer to the first try may not have been noted yet.
                await bob.account.didAllow(near)
                return try await bob.circles.reader.overview().asked.first?.unchosenRelays == []
            }
            #expect(bench.network.retried.first == near)
        }
    }

    @Test("a line brings along the emoji of its author that its text names")
    func emoji() async throws {
        bench.layOut(.alice, .bob)
        let (alice, bob) = (bench.person(.alice), bench.person(.bob))
        try await alice.unlock()
        try await bob.unlock()
        let list = TestPerson.alice.event(
            kind: 10_030,
            tags: [["emoji", "linnet", "https://e.example/linnet.png"], ["emoji", "x", "https://e.example/x"]])
        _ = await alice.store.save([list], from: nil)
        try await bench.running(alice, bob) {
            let id = try await bench.circle(at: try RelayURL("wss://circle.example"), of: alice, with: bob)
            try await alice.circles.messaging.send("A :linnet: on the fence", replyTo: nil, in: id)
            try await bench.eventually("bob has it") { try await bob.lines(id) == ["A :linnet: on the fence"] }
            let line = try await bob.circles.reader.page(of: id, before: nil, limit: 10).lines.last
            #expect(line?.emoji.map(\.url) == ["https://e.example/linnet.png"])
            // Whoever joins a reaction sends the picture that stands there.
            let said = try #require(line)
            try await alice.circles.messaging.react(to: said.id, in: id, with: ":linnet:")
            func pictures(_ person: MailPerson) async throws -> [String?] {
                try await person.circles.reader.line(said.id, in: id)?.reactions.map { $0.emoji?.url } ?? []
            }
            try await bench.eventually("bob sees the reaction") { try await pictures(bob).count == 1 }
            try await bob.circles.messaging.react(to: said.id, in: id, with: ":linnet:")
            try await bench.eventually("alice sees his") {
                try await pictures(alice) == ["https://e.example/linnet.png", "https://e.example/linnet.png"]
            }
        }
    }

    @Test("one founds a circle, another asks to join and is let in, and both talk")
    func joining() async throws {
        bench.layOut(.alice, .bob)
        let (alice, bob) = (bench.person(.alice), bench.person(.bob))
        try await alice.unlock()
        try await bob.unlock()
        try await bench.running(alice, bob) {
            try await bench.eventually("lists are known") {
                let (one, other) = (await alice.account.state().inbox, await bob.account.state().inbox)
                return !one.isEmpty && !other.isEmpty
            }
            let id = try await alice.circles.membership.create("Family", about: "", relays: [relay("circle")])
            try await bench.join(bob, id, of: alice)
            #expect(try await bob.members(id) == [alice.key, bob.key])
            try await alice.circles.messaging.send("hello bob", replyTo: nil, in: id)
            try await bench.eventually("bob reads it") { try await bob.lines(id) == ["hello bob"] }
            let line = try #require(try await bob.circles.reader.page(of: id, before: nil, limit: 10).lines.last)
            try await bob.circles.messaging.send("hello alice", replyTo: line.id, in: id)
            try await bob.circles.messaging.react(to: line.id, in: id, with: "+")
            try await bench.eventually("alice reads it") {
                try await alice.lines(id) == ["hello bob", "hello alice"]
            }
            try await bench.eventually("and the reaction") {
                try await alice.circles.reader.page(of: id, before: nil, limit: 10).lines.contains {
                    $0.reactions == [MessageReaction(content: "+", author: bob.key)]
                }
            }
            #expect(try await alice.circles.reader.overview().circles.first?.unread == 1)
            try await alice.circles.messaging.markRead(id)
            #expect(try await alice.circles.reader.overview().circles.first?.unread == 0)
            try await bob.circles.messaging.takeBackReactions(["", "+"], from: line.id, in: id)
            try await bench.eventually("the reaction is taken back") {
                let page = try await alice.circles.reader.page(of: id, before: nil, limit: 10)
                return page.lines.allSatisfy(\.reactions.isEmpty)
            }
            // Another tab takes it back once more: there is nothing left to take back.
            let left = try await bob.circles.store.reactions(by: bob.key, saying: ["", "+"], to: line.id, in: id)
            #expect(left.isEmpty)
            try await bob.circles.messaging.takeBackReactions(["", "+"], from: line.id, in: id)
            try await bench.eventually("it is delivered") {
                try await alice.circles.reader.page(of: id, before: nil, limit: 10).lines.contains {
                    $0.delivery == Note.Acceptance(accepted: 1, asked: 1)
                }
            }
            let (one, other) = (
                try await alice.circles.reader.health(of: id), try await bob.circles.reader.health(of: id)
            )
            #expect(one.fingerprint == other.fingerprint && one.epoch == other.epoch && !one.isOutOfStep)
        }
        // A relay learns neither who is in it nor what was said.
        for offer in bench.network.offers where offer.event.kind == .groupEvent {
            #expect(![alice.key, bob.key].contains(offer.event.pubkey))
            #expect(!offer.event.content.contains("hello"))
        }
    }

    @Test("three are let in by one commit, one is renamed, one is removed, one leaves")
    func changing() async throws {
        bench.layOut(.alice, .bob, .carol, .dave)
        let people = [bench.person(.alice), bench.person(.bob), bench.person(.carol), bench.person(.dave)]
        for person in people { try await person.unlock() }
        let (alice, bob, carol, dave) = (people[0], people[1], people[2], people[3])
        try await bench.running(alice, bob, carol, dave) {
            try await bench.eventually("lists are known") {
                for person in people where await person.account.state().inbox.isEmpty { return false }
                return true
            }
            let id = try await alice.circles.membership.create("Family", about: "", relays: [relay("circle")])
            let invite = try await alice.circles.membership.invite(to: id)
            for person in people.dropFirst() { try await person.circles.membership.ask(invite, name: nil) }
            try await bench.eventually("three ask") {
                try await alice.circles.reader.overview().circles.first?.requests == 3
            }
            try await alice.circles.membership.admit([bob.key, carol.key, dave.key], to: id)
            for person in people {
                try await bench.eventually("\(person.who) sees all") {
                    guard try await person.isIn(id) else { return false }
                    return try await person.members(id).count == 4
                }
            }
            var edit = CircleEdit()
            edit.name = "The house"
            edit.promoted = [bob.key]
            try await alice.circles.administration.edit(id, edit)
            for person in people {
                try await bench.eventually("the name changes for \(person.who)") {
                    try await person.circles.reader.overview().circles.first?.name == "The house"
                }
            }
            try await bob.circles.administration.remove([carol.key], from: id)
            try await bench.eventually("carol is out") {
                try await carol.circles.reader.overview().circles.first?.standing == .removed
            }
            try await bench.eventually("dave knows") { try await !dave.members(id).contains(carol.key) }
            try await dave.circles.administration.leave(id)
            for person in [alice, bob] {
                try await bench.eventually("\(person.who) knows that dave wants to go") {
                    try await person.circles.reader.page(of: id, before: nil, limit: 1).members.contains {
                        $0.isLeaving
                    }
                }
            }
            // Who commits a leaving waits for others to do it first.
            for person in [alice, bob] {
                try await bench.eventually("somebody lets dave go") {
                    bench.clock.advance(by: .milliseconds(200))
                    return try await person.members(id) == [alice.key, bob.key]
                }
            }
            try await bench.eventually("dave is out") {
                try await dave.circles.reader.overview().circles.first?.standing == .left
            }
            try await alice.circles.messaging.send("just us", replyTo: nil, in: id)
            try await bench.eventually("bob reads it") { try await bob.lines(id) == ["just us"] }
            #expect(try await carol.lines(id).isEmpty)
            #expect(try await dave.lines(id).isEmpty)
            await #expect(throws: CircleError.notMember) {
                try await carol.circles.messaging.send("me too", replyTo: nil, in: id)
            }
        }
    }

    @Test("after a restart a circle goes on where it was, and nothing of it is readable on the disk")
    func restart() async throws {
        bench.layOut(.alice, .bob)
        let records = MemoryRecordStore()
        let (alice, bob) = (bench.person(.alice, records: records), bench.person(.bob))
        try await alice.unlock()
        try await bob.unlock()
        var circle: CircleID?
        try await bench.running(alice, bob) {
            try await bench.eventually("lists are known") {
                let (one, other) = (await alice.account.state().inbox, await bob.account.state().inbox)
                return !one.isEmpty && !other.isEmpty
            }
            let id = try await alice.circles.membership.create("Family secret", about: "", relays: [relay("circle")])
            circle = id
            try await bench.join(bob, id, of: alice)
            try await bob.circles.messaging.send("a line of bob", replyTo: nil, in: id)
            try await bench.eventually("alice reads it") { try await alice.lines(id) == ["a line of bob"] }
        }
        let id = try #require(circle)
        let again = bench.person(.alice, records: records)
        try await again.unlock()
        try await bench.running(again, bob) {
            #expect(try await again.lines(id) == ["a line of bob"])
            try await bob.circles.messaging.send("another", replyTo: nil, in: id)
            try await bench.eventually("alice reads on") {
                try await again.lines(id) == ["a line of bob", "another"]
            }
            try await again.circles.messaging.send("here again", replyTo: nil, in: id)
            try await bench.eventually("bob reads it") { try await bob.lines(id).last == "here again" }
        }
        await again.lock()
        await #expect(throws: CircleError.locked) { _ = try await again.circles.reader.overview() }
        for table in [CircleTable.circles, CircleTable.sessions, CircleTable.lines, CircleTable.keyPackages] {
            let found = try await records.records(in: table)
            #expect(!found.isEmpty, "\(table)")
            for record in found {
                for word in ["Family secret", "a line of bob", id.hex, bob.key.hex] {
                    #expect(!holds(record.value, word) && !record.key.contains(word))
                }
            }
        }
    }

    private func holds(_ bytes: [UInt8], _ word: String) -> Bool {
        let word = Array(word.utf8)
        return bytes.indices.contains { bytes[$0...].starts(with: word) }
    }

    @Test("an uninvited Welcome asks for consent and says who it is from")
    func consent() async throws {
        bench.layOut(.alice, .bob)
        let (alice, bob) = (bench.person(.alice), bench.person(.bob))
        try await alice.unlock()
        try await bob.unlock()
        try await bench.running(alice, bob) {
            try await bench.eventually("lists are known") {
                let (one, other) = (await alice.account.state().inbox, await bob.account.state().inbox)
                return !one.isEmpty && !other.isEmpty
            }
            // Who has a circle has published a key package.
            _ = try await bob.circles.membership.create("Work", about: "", relays: [relay("circle")])
            let id = try await alice.circles.membership.create("Family", about: "", relays: [relay("circle")])
            try await bench.eventually("bob can be added") {
                do {
                    try await alice.circles.membership.add([bob.key], to: id)
                    return true
                } catch is CircleError { return false }
            }
            try await bench.eventually("bob is asked") { try await !bob.circles.reader.overview().invitations.isEmpty }
            let invitation = try #require(try await bob.circles.reader.overview().invitations.first)
            #expect(invitation.id == id && invitation.name == "Family" && invitation.inviter.key == alice.key)
            #expect(try await !bob.isIn(id))
            try await bob.circles.membership.acceptInvitation(to: id)
            #expect(try await bob.isIn(id))
            #expect(try await bob.circles.reader.overview().invitations.isEmpty)
            try await bob.circles.messaging.send("thank you", replyTo: nil, in: id)
            try await bench.eventually("alice reads it") { try await alice.lines(id) == ["thank you"] }
        }
    }
}
