import AccountTesting
import Location
import LocationTesting
import NostrCore
import NostrStore
import NostrTesting
import Testing

@testable import Circles
@testable import NostrClient

/// Others' places: trails, named places and low batteries, noticed by who reads.
@Suite(.timeLimit(.minutes(10)))
struct WatchingTests {
    let bench = SharingBench()

    private func trails() async throws -> Int { try await bench.bobRecords.records(in: CircleTable.trails).count }

    @Test("a trail is kept for who opts in, wiped when they opt out, and when its member goes")
    func trail() async throws {
        try await bench.running { alice, bob, id in
            try await alice.circles.sharing.share(SharingBench.everyMinute, in: id)
            try await bench.show(alice, to: bob, id)
            #expect(try await bob.circles.places.trail(of: alice.key, in: id) == nil)
            #expect(try await trails() == 0)
            try await bob.circles.places.keepTrails(days: 2, in: id)
            #expect(try await bob.circles.places.trailDays(in: id) == 2)
            for step in 1...3 {
                bench.pass(60)
                try await bench.show(metres: Double(step) * 200, alice, to: bob, id)
            }
            let kept = try #require(try await bob.circles.places.trail(of: alice.key, in: id))
            #expect(kept.points.map(\.moment).count == 3 && kept.points.last?.moment == bench.mail.now)
            try await bob.circles.places.keepTrails(days: nil, in: id)
            #expect(try await trails() == 0)
            try await bob.circles.places.keepTrails(days: 1, in: id)
            #expect(try await bob.circles.places.trail(of: alice.key, in: id)?.points.isEmpty == true)
            bench.pass(60)
            try await bench.show(alice, to: bob, id)
            #expect(try await trails() == 1)
            try await bob.circles.administration.remove([alice.key], from: id)
            try await bench.mail.eventually("her trail goes with her") { try await trails() == 0 }
            try await bench.mail.eventually("she shares no more with it") {
                try await bench.aliceRecords.records(in: CircleTable.sharing).isEmpty
            }
        }
    }

    @Test("a trail older than it is to be kept is wiped though nothing is said, and one of a circle goes with it")
    func oldTrail() async throws {
        try await bench.running { alice, bob, id in
            try await alice.circles.sharing.share(SharingBench.everyMinute, in: id)
            try await bob.circles.places.keepTrails(days: 1, in: id)
            try await bench.show(alice, to: bob, id)
            #expect(try await trails() == 1)
            bench.pass(3 * 86_400)
            #expect(try await bob.circles.places.trail(of: alice.key, in: id)?.points.isEmpty == true)
            // What relays do wakes the looking.
            bench.mail.network.comeBack(bench.relayOfCircle)
            try await bench.mail.eventually("the old day goes") { try await trails() == 0 }
            try await bench.show(alice, to: bob, id)
            try await bob.circles.places.name("Home", centre: Places.home, radius: 100, in: id)
            try await bob.circles.administration.forget(id)
            for table in CircleTable.ofPlaces {
                #expect(try await bench.bobRecords.records(in: table).isEmpty, "\(table)")
            }
        }
    }

    @Test("who comes to a named place and leaves it is noticed once each, also over a restart")
    func places() async throws {
        var circle: CircleID?
        try await bench.running { alice, bob, id in
            circle = id
            try await alice.circles.sharing.share(SharingBench.everyMinute, in: id)
            try await bench.show(metres: 2000, alice, to: bob, id)
            let home = try await bob.circles.places.name(" Home ", centre: Places.home, radius: 150, in: id)
            #expect(try await bob.circles.places.named(in: id) == [home] && home.name == "Home")
            for metres in [0.0, 20, 40, 2000, 2100] {
                bench.pass(60)
                try await bench.show(metres: metres, alice, to: bob, id)
                let names = try #require(try await bob.sees(alice, id)).whereabouts
                #expect(names == (metres < 100 ? ["Home"] : []))
            }
            let bodies = try await bob.circles.places.notices(in: id).map(\.body)
            #expect(bodies == [.left("Home"), .arrived("Home")])
            #expect(try await alice.circles.places.notices(in: id).isEmpty)
        }
        let id = try #require(circle)
        let bob = bench.mail.person(.bob, records: bench.bobRecords)
        try await bob.unlock()
        #expect(try await bob.circles.places.notices(in: id).map(\.body) == [.left("Home"), .arrived("Home")])
        let home = try #require(try await bob.circles.places.named(in: id).first)
        try await bob.circles.places.forget(home.id, in: id)
        #expect(try await bob.circles.places.named(in: id).isEmpty)
        await #expect(throws: CircleError(.noPlaceName)) {
            try await bob.circles.places.name("  ", centre: Places.home, radius: 10, in: id)
        }
        for record in try await bench.bobRecords.records(in: CircleTable.watches) {
            let text = String(decoding: record.value, as: UTF8.self)
            #expect(!text.contains("Home") && !text.contains("47."))
        }
    }

    @Test("a low battery is noticed once per crossing, by others and by whose it is")
    func battery() async throws {
        try await bench.running { alice, bob, id in
            try await alice.circles.sharing.share(SharingBench.everyMinute, in: id)
            for battery in [50, 18, 12, 25, 9] {
                try await bench.show(battery: battery, alice, to: bob, id)
                bench.pass(60)
            }
            #expect(try await bob.circles.places.notices(in: id).map(\.body) == [.batteryLow(9), .batteryLow(18)])
            #expect(try await alice.circles.places.notices(in: id).map(\.body) == [.batteryLow(9), .batteryLow(18)])
        }
    }

    @Test("what is described of places says nothing of where they are")
    func described() throws {
        let fix = try Places.fix(0)
        var record = WatchRecord(try #require(CircleID([1])), owner: PublicKey(Places.secret(5)))
        record.watch.watch([NamedPlace(id: "a", name: "Home", centre: Places.home, radius: 100)])
        record.receive(fix, of: PublicKey(Places.secret(6)), isNewest: true, now: Places.start)
        let sharing = SharingRecord(
            circle: "01", isOn: true, sharing: LocationSharing(blurSecret: Places.secret))
        let shared = SharedPlace(fix: fix, sentAt: Places.start)
        let id = try #require(CircleID([1]))
        let told = CircleEffect.sendPlace(shared, number: 1, in: id)
        let payload = try #require(LocationPayload(fix))
        for text in ["\(record)", "\(sharing)", "\(told)", "\(payload)", "\(LocationReading.fix(fix))"] {
            #expect(!text.contains("47.3") && !text.contains("8.5"))
        }
    }
}
