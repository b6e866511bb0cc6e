import AccountTesting
import Location
import NostrCore
import NostrStore
import NostrTesting
import Testing

@testable import Circles
@testable import NostrClient

/// Records that can be made to refuse the step that takes a circle away, as if the program ended right before it.
private actor HeldRecords: RecordStore {
    let kept = MemoryRecordStore()
    private(set) var isHolding = true
    private(set) var refused = 0

    func value(_ key: String, in table: String) async throws -> [UInt8]? { await kept.value(key, in: table) }

    func records(in table: String, prefix: String) async throws -> [Record] {
        await kept.records(in: table, prefix: prefix)
    }

    func apply(_ changes: [RecordChange]) async throws {
        let endsCircle = changes.contains { if case .remove(CircleTable.circles, _) = $0 { true } else { false } }
        if isHolding, endsCircle {
            refused += 1
            throw StoreError(.io)
        }
        await kept.apply(changes)
    }
}

/// Ending a circle: for everybody as an admin, else for oneself.
@Suite(.timeLimit(.minutes(10)))
struct CircleBurningTests {
    let bench = MailBench.withCircles()

    /// All tables in which something of a circle may rest.
    private static let tables =
        [
            CircleTable.circles, CircleTable.sessions, CircleTable.lines, CircleTable.lineIndex, CircleTable.lineNotes,
            CircleTable.pictures, CircleTable.requests,
            CircleTable.asked, CircleTable.invitations, CircleTable.welcomes, CircleTable.outgoing,
        ] + CircleTable.ofPlaces

    private func left(_ records: any RecordStore) async throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for table in Self.tables {
            let count = try await records.records(in: table, prefix: "").count
            if count > 0 { counts[table] = count }
        }
        return counts
    }

    /// A circle that Alice founded and Bob is in, with something in every table that can hold something.
    private func furnish(_ alice: MailPerson, _ bob: MailPerson) async throws -> CircleID {
        try await bench.eventually("lists are known") {
            let (one, other) = (await alice.account.state().inbox, await bob.account.state().inbox)
            return !one.isEmpty && !other.isEmpty
        }
        let id = try await alice.circles.membership.create("Family", about: "", relays: [relay("circle")])
        try await bench.join(bob, id, of: alice)
        for person in [alice, bob] {
            try await person.circles.messaging.send("hello", replyTo: nil, in: id)
            try await person.circles.pictures.setAvatar(jpeg(900), in: id)
            try await person.circles.places.keepTrails(days: 7, in: id)
            try await person.circles.sharing.share(SharingSettings(interval: SharingInterval(clamping: 60)), in: id)
            let place = LocationPayload(latitude: 1, longitude: 2, accuracy: 3, sentAt: bench.now)
            try await person.circles.messaging.send(try #require(place), in: id)
        }
        for (one, other) in [(alice, bob), (bob, alice)] {
            try await bench.eventually("\(one.who) has all of it") {
                let page = try await one.circles.reader.page(of: id, before: nil, limit: 9)
                let member = page.members.first { $0.id == other.key }
                return try await one.lines(id).count == 2 && member?.place != nil && member?.picture != nil
            }
        }
        return id
    }

    private func standing(_ person: MailPerson) async throws -> CircleSummary.Standing? {
        try await person.circles.reader.overview().circles.first?.standing
    }

    @Test("an admin ends a circle for everybody: the others are removed, and nothing of it is left here")
    func admin() async throws {
        bench.layOut(.alice, .bob)
        let records = MemoryRecordStore()
        let (alice, bob) = (bench.person(.alice, records: records), bench.person(.bob))
        try await alice.unlock()
        try await bob.unlock()
        try await bench.running(alice, bob) {
            let id = try await furnish(alice, bob)
            #expect(try await left(records).count >= 7)
            try await alice.circles.administration.end(id)
            try await bench.eventually("bob is out") { try await standing(bob) == .removed }
            try await bench.eventually("alice has nothing of it") { try await standing(alice) == nil }
            #expect(try await left(records) == [:])
            await #expect(throws: CircleError.unknownCircle) {
                try await alice.circles.reader.page(of: id, before: nil, limit: 1)
            }
            // What Bob read stays with him, and he is told.
            #expect(try await bob.lines(id).count == 2)
            let warning = try await bob.circles.reader.page(of: id, before: nil, limit: 1).warning
            #expect(warning == .removed)
        }
    }

    @Test("nothing is wiped before a relay has the removal, and a restart in between goes on with it")
    func offline() async throws {
        bench.layOut(.alice, .bob)
        let records = MemoryRecordStore()
        let (alice, bob) = (bench.person(.alice, records: records), bench.person(.bob))
        try await alice.unlock()
        try await bob.unlock()
        var circle: CircleID?
        try await bench.running(alice, bob) {
            let id = try await furnish(alice, bob)
            circle = id
            bench.network.set(relay("circle"), .dead)
            try await alice.circles.administration.end(id)
            #expect(try await standing(alice) == .ending)
            #expect(try await alice.lines(id).count == 2)
            await #expect(throws: CircleError(.isEnding)) {
                try await alice.circles.messaging.send("oh", replyTo: nil, in: id)
            }
            await #expect(throws: CircleError(.isEnding)) { try await alice.circles.administration.forget(id) }
            #expect(try await alice.circles.sharing.state(in: id).isOn == false)
        }
        #expect(try await left(records)[CircleTable.lines] != nil)
        bench.network.comeBack(relay("circle"))
        let again = bench.person(.alice, records: records)
        try await again.unlock()
        try await bench.running(again, bob) {
            try await bench.eventually("bob is out") { try await standing(bob) == .removed }
            try await bench.eventually("alice has nothing of it") { try await standing(again) == nil }
        }
        #expect(try await left(records) == [:])
        _ = circle
    }

    @Test("the program ends between the removal and the wipe: the next start wipes")
    func restart() async throws {
        bench.layOut(.alice, .bob)
        let records = HeldRecords()
        let (alice, bob) = (bench.person(.alice, records: records), bench.person(.bob))
        try await alice.unlock()
        try await bob.unlock()
        try await bench.running(alice, bob) {
            let id = try await furnish(alice, bob)
            try await alice.circles.administration.end(id)
            try await bench.eventually("bob is out") { try await standing(bob) == .removed }
            try await bench.eventually("the wipe was tried") { await records.refused > 0 }
            #expect(try await standing(alice) == .ending)
        }
        #expect(try await left(records)[CircleTable.lines] != nil)
        let again = bench.person(.alice, records: records.kept)
        try await again.unlock()
        try await bench.running(again) {
            try await bench.eventually("alice has nothing of it") { try await standing(again) == nil }
        }
        #expect(try await left(records) == [:])
    }

    @Test("relays that stay silent after they took the removal do not keep it here for ever")
    func silent() async throws {
        bench.layOut(.alice, .bob)
        let held = HeldRecords()
        let (alice, bob) = (bench.person(.alice, records: held), bench.person(.bob))
        try await alice.unlock()
        try await bob.unlock()
        try await bench.running(alice, bob) {
            let id = try await furnish(alice, bob)
            try await alice.circles.administration.end(id)
            try await bench.eventually("the wipe was tried") { await held.refused > 0 }
        }
        bench.network.set(relay("circle"), .dead)
        bench.clock.advance(by: CircleStore.endingPatience)
        let again = bench.person(.alice, records: held.kept)
        try await again.unlock()
        #expect(try await again.circles.reader.overview().circles.isEmpty)
        #expect(try await left(held) == [:])
    }

    @Test("an end that comes at once with another admin's change, or with their end, ends the circle all the same")
    func race() async throws {
        for bothEnd in [false, true] {
            let bench = MailBench.withCircles()
            bench.layOut(.alice, .bob)
            let (one, other) = (MemoryRecordStore(), MemoryRecordStore())
            let (alice, bob) = (bench.person(.alice, records: one), bench.person(.bob, records: other))
            try await alice.unlock()
            try await bob.unlock()
            try await bench.running(alice, bob) {
                let id = try await furnish(alice, bob)
                var promotion = CircleEdit()
                promotion.promoted = [bob.key]
                try await alice.circles.administration.edit(id, promotion)
                try await bench.eventually("bob is an admin") {
                    try await bob.circles.reader.overview().circles.first?.isAdmin == true
                }
                try await alice.circles.administration.end(id)
                if bothEnd {
                    try await bob.circles.administration.end(id)
                } else {
                    var change = CircleEdit()
                    change.name = "The house"
                    // He may have heard already that he is out.
                    do { try await bob.circles.administration.edit(id, change) } catch {
                        #expect(error as? CircleError == .notMember)
                    }
                }
                try await bench.eventually("one is out, and the other has nothing of it") {
                    let (first, second) = (try await standing(alice), try await standing(bob))
                    return first == nil && second == (bothEnd ? nil : .removed)
                }
            }
            #expect(try await left(one) == [:])
            if bothEnd { #expect(try await left(other) == [:]) }
        }
    }

    @Test("who is no admin leaves: what can be read is wiped at once, the keys once they are let go")
    func member() async throws {
        bench.layOut(.alice, .bob)
        let records = MemoryRecordStore()
        let (alice, bob) = (bench.person(.alice), bench.person(.bob, records: records))
        try await alice.unlock()
        try await bob.unlock()
        try await bench.running(alice, bob) {
            let id = try await furnish(alice, bob)
            try await bob.circles.administration.end(id)
            #expect(try await standing(bob) == .vanishing)
            let kept = try await left(records)
            #expect(Set(kept.keys).isSubset(of: [CircleTable.circles, CircleTable.sessions, CircleTable.outgoing]))
            try await bench.eventually("alice knows that bob wants to go") {
                try await alice.circles.reader.page(of: id, before: nil, limit: 1).members.contains { $0.isLeaving }
            }
            try await alice.circles.messaging.send("bye", replyTo: nil, in: id)
            try await bench.eventually("alice lets bob go") {
                bench.clock.advance(by: .milliseconds(200))
                return try await alice.members(id) == [alice.key]
            }
            try await bench.eventually("bob has nothing of it") { try await standing(bob) == nil }
            #expect(try await left(records) == [:])
            #expect(try await standing(alice) == .member)
        }
    }

    @Test("who founded a circle in a private network and handed it over still reaches its relay until they are let go")
    func founder() async throws {
        bench.layOut(.alice, .bob)
        let (alice, bob) = (bench.person(.alice), bench.person(.bob))
        try await alice.unlock()
        try await bob.unlock()
        let near = try RelayURL("ws://192.168.1.5:7777")
        try await bench.running(alice, bob) {
            let id = try await bench.circle(at: near, of: alice, with: bob)
            try await alice.circles.administration.handOver(id, to: bob.key)
            try await bench.eventually("bob is its admin, and alice is none") {
                let one = try await alice.circles.reader.overview().circles.first?.isAdmin
                let other = try await bob.circles.reader.overview().circles.first?.isAdmin
                return one == false && other == true
            }
            try await alice.circles.administration.end(id)
            #expect(try await standing(alice) == .vanishing)
            let typed = try await alice.circles.store.typedRelays
            #expect(typed == [near])
        }
    }

    @Test("who is alone wipes at once, and so does who was removed")
    func alone() async throws {
        bench.layOut(.alice, .bob)
        let (one, other) = (MemoryRecordStore(), MemoryRecordStore())
        let (alice, bob) = (bench.person(.alice, records: one), bench.person(.bob, records: other))
        try await alice.unlock()
        try await bob.unlock()
        try await bench.running(alice, bob) {
            let id = try await furnish(alice, bob)
            try await alice.circles.administration.remove([bob.key], from: id)
            try await bench.eventually("bob is out") { try await standing(bob) == .removed }
            try await bob.circles.administration.end(id)
            #expect(try await left(other) == [:])
            try await bench.eventually("alice is alone") { try await alice.members(id) == [alice.key] }
            try await alice.circles.administration.end(id)
            #expect(try await left(one) == [:])
            await #expect(throws: CircleError.unknownCircle) { try await alice.circles.administration.end(id) }
        }
    }
}
